import type { ApiKeyRecord } from '../../database/tables.ts';
import { ApiError } from '../../errors.ts';
import { documentScope, type DocumentScope } from '../documents/scope.ts';
import { TokenRefused, type TokenClaims } from './token.ts';
import { allows, type Principal } from './types.ts';

/** Returns the rights of a verified token. Throws `TokenRefused` if it claims more than its key has. */
export function tokenPrincipal(key: ApiKeyRecord, claims: TokenClaims): Principal {
  const rights = {
    keyId: key.id,
    permission: key.permission,
    workspaceId: key.workspace_id,
    collectionIds: key.collection_ids,
  };
  if (!allows(rights, claims.permission)) throw new TokenRefused('permission', key.id);
  const subject = claims.sub ?? null;
  return {
    ...rights,
    permission: claims.permission,
    collectionIds: collectionsOf(key, claims),
    token: { subject, expiresAt: new Date(claims.exp * 1000), scope: scopeOf(key.id, claims, subject) },
  };
}

function collectionsOf({ id, collection_ids: allowed }: ApiKeyRecord, claims: TokenClaims): string[] | null {
  const claimed = claims.collectionIds?.map((each) => each.toLowerCase());
  if (claimed === undefined) return allowed;
  if (allowed !== null && claimed.some((each) => !allowed.includes(each))) throw new TokenRefused('collections', id);
  return claimed;
}

function scopeOf(keyId: string, { filter }: TokenClaims, subject: string | null): DocumentScope | null {
  if (filter === undefined) return null;
  try {
    return documentScope(filter, subject);
  } catch (error) {
    if (error instanceof ApiError) throw new TokenRefused('filter', keyId);
    throw error;
  }
}
