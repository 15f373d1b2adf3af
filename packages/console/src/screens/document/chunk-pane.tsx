/** The chunks of a document: the list, and the selected one with its terms, its vector and its neighbours. */
import type { Chunk } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { IconButton } from '../../components/controls/button.tsx';
import { CopyText } from '../../components/controls/copy.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { formatCount } from '../../components/content/format.ts';
import { Skeleton } from '../../components/page.tsx';
import type { ListState } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import type { Selection } from './document-screen.tsx';

const api = getRouteApi('/w/$ws/collections/$col/documents/$doc');

export function ChunkPane({ list, selection }: { list: ListState<Chunk>; selection: Selection }): React.ReactElement {
  const { rows, total, error, isLoading, retry } = list;
  if (error !== null && rows.length === 0) return <ErrorBox error={error} onRetry={retry} className="m-3" />;
  if (isLoading) return <div className="p-4">{<Skeleton />}</div>;
  return (
    <div className="flex h-full flex-col">
      {selection.chunk !== undefined && <Inspector chunk={selection.chunk} onClose={() => selection.choose({})} />}
      <p className="px-3 pt-2 text-sm text-muted">
        {formatCount(total ?? rows.length)} chunks. Select one here, or a block of the text.
      </p>
      <ChunkList list={list} selection={selection} />
    </div>
  );
}

function ChunkList({ list, selection }: { list: ListState<Chunk>; selection: Selection }): React.ReactElement {
  const { rows } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 92,
    overscan: 6,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const chosen = selection.chunk?.id;
  const index = rows.findIndex(({ id }) => id === chosen);
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
  }, [index, virtual]);
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 10) list.loadMore();
  });
  return (
    <div ref={scroller} className="min-h-48 flex-1 overflow-auto max-md:h-[50dvh] max-md:flex-none">
      <ol className="relative" style={{ height: virtual.getTotalSize() }} aria-label="Chunks">
        {items.map(({ index, key, start }) => {
          const chunk = rows[index];
          if (chunk === undefined) return null;
          const isHovered = selection.hovered !== undefined && chunk.blockIds.includes(selection.hovered);
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute inset-x-0 px-1.5 py-0.5"
              style={{ top: start }}
            >
              <button
                type="button"
                aria-pressed={chunk.id === chosen}
                onClick={() => selection.choose({ chunk: chunk.id })}
                onMouseEnter={() => selection.hover(chunk.blockIds[0])}
                onMouseLeave={() => selection.hover(undefined)}
                className={`w-full rounded px-2 py-1.5 text-left hover:bg-hover aria-pressed:bg-mark/60 ${isHovered ? 'bg-hover' : ''}`}
              >
                <span className="flex gap-2 text-xs text-muted">
                  <span className="tabular-nums">#{chunk.ordinal + 1}</span>
                  <span className="min-w-0 flex-1 truncate">{chunk.headings.join(' › ')}</span>
                  <span>{pagesOf(chunk)}</span>
                  <span className="tabular-nums">{chunk.tokenCount} tokens</span>
                </span>
                <span className="line-clamp-3">{chunk.text}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function pagesOf({ boxes }: Chunk): string {
  const pages = [...new Set(boxes.map(({ page }) => page))];
  return pages.length === 0 ? '' : `p. ${pages.length > 2 ? `${pages[0]}–${pages.at(-1)}` : pages.join(', ')}`;
}

const MAX_TERMS = 40;

function Inspector({ chunk, onClose }: { chunk: Chunk; onClose: () => void }): React.ReactElement {
  const { sparse, dense } = chunk;
  const terms = (sparse?.terms ?? [])
    .map((term, index) => ({ term, weight: sparse?.values[index] ?? 0 }))
    .toSorted((a, b) => b.weight - a.weight);
  const most = terms[0]?.weight ?? 1;
  return (
    <section
      aria-label="Selected chunk"
      className="shrink-0 overflow-auto border-b md:max-h-[60%] border-line bg-surface p-3"
      tabIndex={0}
    >
      <div className="flex items-start gap-2">
        <h2 className="flex-1 font-medium">Chunk {chunk.ordinal + 1}</h2>
        <IconButton icon="close" label="Close the selected chunk" onClick={onClose} className="-mt-1" />
      </div>
      {chunk.headings.length > 0 && <p className="text-sm text-muted">{chunk.headings.join(' › ')}</p>}
      <p className="mt-1 max-h-40 overflow-auto whitespace-pre-line" tabIndex={0}>
        {chunk.text}
      </p>
      <p className="mt-2 text-sm text-muted">
        {chunk.tokenCount} tokens · <CopyText text={chunk.id} shown={`${chunk.id.slice(0, 8)}…`} />
      </p>
      {terms.length > 0 && (
        <>
          <h3 className="mt-3 text-sm font-medium">Terms by weight</h3>
          <ul className="mt-1 flex flex-wrap gap-1">
            {terms.slice(0, MAX_TERMS).map(({ term, weight }) => (
              <li
                key={term}
                title={`weight ${weight.toFixed(3)}`}
                className="relative overflow-hidden rounded bg-hover px-1.5 text-sm"
              >
                <span
                  className="absolute inset-y-0 left-0 bg-accent-soft"
                  style={{ width: `${(weight / most) * 100}%` }}
                />
                <span className="relative">{term}</span>
              </li>
            ))}
            {terms.length > MAX_TERMS && <li className="text-sm text-muted">and {terms.length - MAX_TERMS} more</li>}
          </ul>
        </>
      )}
      {Array.isArray(dense) && dense.length > 0 && <Vector values={dense} />}
      <Neighbours chunk={chunk} />
    </section>
  );
}

/** A dense vector as a strip: one line for each dimension, above or below the middle. */
function Vector({ values }: { values: readonly number[] }): React.ReactElement {
  const most = Math.max(...values.map(Math.abs)) || 1;
  const norm = Math.hypot(...values);
  const path = values.map((value, index) => `M${index} 0V${((-value / most) * 10).toFixed(2)}`).join('');
  return (
    <>
      <h3 className="mt-3 text-sm font-medium">
        Vector{' '}
        <span className="font-normal text-muted">
          {values.length} dimensions, norm {norm.toFixed(3)}
        </span>
      </h3>
      <svg
        viewBox={`0 -10 ${values.length} 20`}
        preserveAspectRatio="none"
        className="mt-1 h-10 w-full"
        role="img"
        aria-label={`Dense vector with ${values.length} dimensions`}
      >
        <path d={path} className="stroke-accent" vectorEffect="non-scaling-stroke" strokeWidth={1} fill="none" />
      </svg>
    </>
  );
}

/** The chunks of the collection that a search with this text finds besides it. */
function Neighbours({ chunk }: { chunk: Chunk }): React.ReactNode {
  const { id: ws, quire } = useWorkspace();
  const { col } = api.useParams();
  const { data } = useQuery({
    queryKey: [ws, 'neighbours', chunk.id],
    queryFn: ({ signal }) => quire.collection(col).search({ query: chunk.text.slice(0, 2_000), limit: 6 }, { signal }),
    staleTime: Infinity,
  });
  const hits = data?.hits.filter(({ chunkId }) => chunkId !== chunk.id).slice(0, 5) ?? [];
  if (hits.length === 0) return null;
  return (
    <>
      <h3 className="mt-3 text-sm font-medium">
        Nearest chunks <span className="font-normal text-muted">by a search with this text</span>
      </h3>
      <ol className="mt-1 space-y-1">
        {hits.map((hit) => (
          <li key={hit.chunkId} className="text-sm">
            <Link
              to="/w/$ws/collections/$col/documents/$doc"
              params={{ ws, col: hit.collectionId, doc: hit.documentId }}
              search={{ chunk: hit.chunkId }}
              className="underline"
            >
              {hit.documentName}
            </Link>{' '}
            <span className="text-muted">{hit.snippet.slice(0, 120)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
