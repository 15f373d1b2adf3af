import { QueryClient } from '@tanstack/react-query';

/** Returns the cache of one session. The client retries by itself, so queries do not. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        // Live events keep records fresh; a view that opens again still checks.
        staleTime: 5_000,
        gcTime: 5 * 60_000,
        // A service on this machine or in the LAN is reachable while the browser says it is offline.
        networkMode: 'always',
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
