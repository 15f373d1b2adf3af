import type { Permission } from '../../database/tables.ts';

/** Who is calling: what a valid key stands for. */
export interface Principal {
  keyId: string;
  /** `root` reaches everything. */
  permission: Permission | 'root';
  /** Null for the root key. */
  workspaceId: string | null;
  /** The collections the key is limited to; null for all. */
  collectionIds: readonly string[] | null;
}

export interface NewKey {
  name: string;
  permission: Permission;
  collectionIds?: string[] | undefined;
  expiresAt?: Date | undefined;
}

const RANK: Record<Principal['permission'], number> = { read: 1, write: 2, admin: 3, root: 4 };

/** Each permission includes the ones before it: read, write, admin, root. */
export function allows(principal: Principal, needed: Principal['permission']): boolean {
  return RANK[principal.permission] >= RANK[needed];
}
