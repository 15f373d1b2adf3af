/** Lists of the API: pages of 100 by cursor, kept in the cache, read further as the user scrolls. */
import type { Listing, Page } from '@quire/client';
import { infiniteQueryOptions, useInfiniteQuery, type InfiniteData, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';

export const PAGE_SIZE = 100;

/**
 * Options of a list. `read` returns the listing of a call that the signal aborts; `again` the time in ms after which
 * the rows are read again, or false.
 */
export const listOptions = <T>(
  queryKey: QueryKey,
  read: (signal: AbortSignal) => Listing<T>,
  again: (rows: readonly T[]) => number | false = () => false,
) =>
  infiniteQueryOptions<Page<T>, Error, InfiniteData<Page<T>>, QueryKey, string | null>({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(signal).page(pageParam),
    initialPageParam: null,
    getNextPageParam: ({ cursor }) => cursor,
    // The old rows stay while a filter changes.
    placeholderData: (previous) => previous,
    refetchInterval: ({ state }) => again(state.data?.pages.flatMap(({ items }) => items) ?? []),
  });

export interface ListState<T> {
  rows: readonly T[];
  /** Number of records on all pages; undefined before the first page. */
  total: number | undefined;
  error: unknown;
  hasMore: boolean;
  isLoading: boolean;
  /** Whether the rows belong to earlier parameters while new ones load. */
  isOld: boolean;
  loadMore: () => void;
  retry: () => void;
}

export function useList<T>(options: ReturnType<typeof listOptions<T>>): ListState<T> {
  const { data, error, hasNextPage, isPending, isFetching, isPlaceholderData, fetchNextPage, refetch } =
    useInfiniteQuery(options);
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  return {
    rows,
    total: data?.pages.at(-1)?.total,
    error,
    hasMore: hasNextPage,
    isLoading: isPending,
    isOld: isPlaceholderData,
    loadMore: () => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    },
    retry: () => void refetch(),
  };
}
