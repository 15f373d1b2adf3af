/** The workspace of the current page, with its client and the rights of the key. */
import type { Principal, Quire } from '@quire/client';
import { createContext, useContext } from 'react';

export type Permission = 'read' | 'write' | 'admin' | 'root';

export interface WorkspaceContext {
  id: string;
  quire: Quire;
  principal: Principal;
}

export const WorkspaceProvider = createContext<WorkspaceContext | null>(null);

export function useWorkspace(): WorkspaceContext {
  const workspace = useContext(WorkspaceProvider);
  if (workspace === null) throw new Error('this component belongs to a page of a workspace');
  return workspace;
}

const ORDER: readonly Permission[] = ['read', 'write', 'admin', 'root'];

/** Returns why the key may not do something, or undefined if it may. */
export function useRefusal(needed: Permission | undefined): string | undefined {
  const workspace = useContext(WorkspaceProvider);
  if (needed === undefined || workspace === null) return undefined;
  const { permission, collectionIds } = workspace.principal;
  if (ORDER.indexOf(permission) < ORDER.indexOf(needed))
    return `This needs a key with the permission “${needed}”; yours has “${permission}”.`;
  if (needed === 'admin' && collectionIds !== null) return 'This needs a key that is not limited to collections.';
  return undefined;
}
