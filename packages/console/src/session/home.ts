import type { Quire } from '@quire/client';
import { queryOptions } from '@tanstack/react-query';

const LAST = 'quire.workspace';

/** Remembers the workspace that this browser showed last, for keys that reach several. */
export const rememberWorkspace = (id: string): void => localStorage.setItem(LAST, id);

export const principalQuery = (quire: Quire) =>
  queryOptions({ queryKey: ['principal'], queryFn: ({ signal }) => quire.whoami({ signal }), staleTime: Infinity });

export const workspacesQuery = (quire: Quire) =>
  queryOptions({
    queryKey: ['workspaces'],
    queryFn: ({ signal }) => quire.workspaces.list({ limit: 100, signal }).page(),
  });

/** Returns the workspace to open first; null if there are several or none and the user has to choose. */
export const homeQuery = (quire: Quire) =>
  queryOptions({
    queryKey: ['home'],
    queryFn: async ({ signal }): Promise<{ workspaceId: string | null }> => {
      const { workspaceId } = await quire.whoami({ signal });
      if (workspaceId !== null) return { workspaceId };
      const { items } = await quire.workspaces.list({ limit: 100, signal }).page();
      const last = localStorage.getItem(LAST);
      const found = items.find(({ id }) => id === last) ?? (items.length === 1 ? items[0] : undefined);
      return { workspaceId: found?.id ?? null };
    },
    staleTime: 0,
  });
