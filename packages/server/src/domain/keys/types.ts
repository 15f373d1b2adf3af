import type { Permission } from '../../database/tables.ts';
import type { DocumentScope } from '../documents/scope.ts';

/** The caller of a request: the rights of a valid key. */
export interface Principal {
  keyId: string;
  /** Permission of the key; `root` allows everything in all workspaces. */
  permission: Permission | 'root';
  /** Workspace of the key; null for the root key. */
  workspaceId: string | null;
  /** Collections that the key is limited to; null for all. */
  collectionIds: readonly string[] | null;
  /** The scoped token of the request; absent if it carries the key itself. */
  token?: TokenRights;
}

export interface TokenRights {
  /** The claim `sub`: an end user of the application, for instance. */
  subject: string | null;
  expiresAt: Date;
  /** Documents that the token's filter allows; null without a filter. */
  scope: DocumentScope | null;
}

/** Returns the scope of a filtered token; null for every other caller. */
export const scopeOf = ({ token }: Principal): DocumentScope | null => token?.scope ?? null;

export interface NewKey {
  name: string;
  permission: Permission;
  collectionIds?: string[] | undefined;
  expiresAt?: Date | undefined;
}

const RANK: Record<Principal['permission'], number> = { read: 1, write: 2, admin: 3, root: 4 };

/** Returns whether the principal has a permission; each includes those before it: read, write, admin, root. */
export function allows(principal: Principal, needed: Principal['permission']): boolean {
  return RANK[principal.permission] >= RANK[needed];
}
