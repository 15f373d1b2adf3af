/**
 * The only place of the rule who sees which chats. A chat belongs to the key that created it and, if a token did, to
 * the token's subject. Every statement of `repository.ts` takes a viewer, so that a chat of others is answered like one
 * that does not exist.
 */
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { ChatSharing, Database } from '../../database/tables.ts';
import { scopeOf, type Principal } from '../keys/types.ts';

export interface ChatViewer {
  /** Key whose chats are visible; null for those of all keys. */
  keyId: string | null;
  /** Subject whose chats are visible, null for chats without one; undefined for all. */
  subject?: string | null;
  /** Collections whose chats are visible; null for all. */
  collectionIds: readonly string[] | null;
  /** Scope of a filtered token, which sees only chats that were created with the same one; null otherwise. */
  scopeId: string | null;
}

/** The service itself, for the work on chats that no request does. */
export const EVERY_CHAT: ChatViewer = { keyId: null, collectionIds: null, scopeId: null };

/** Returns the viewer of a request to a workspace. */
export type FindViewer = (workspaceId: string, principal: Principal) => Promise<ChatViewer>;

/**
 * A key sees its chats and those of its tokens, a token only those of the same key and subject. The root key, and with
 * shared chats every key, sees the chats of all keys. Sharing does not extend what tokens see.
 */
export function viewerOf(principal: Principal, sharing: ChatSharing): ChatViewer {
  const { permission, keyId, collectionIds, token } = principal;
  if (token !== undefined) {
    return { keyId, subject: token.subject, collectionIds, scopeId: scopeOf(principal)?.id ?? null };
  }
  const seesAll = permission === 'root' || sharing === 'workspace';
  return { keyId: seesAll ? null : keyId, collectionIds, scopeId: null };
}

type ChatCondition = (eb: ExpressionBuilder<Database, 'chats'>) => ExpressionWrapper<Database, 'chats', SqlBool>;

export const visibleTo =
  ({ keyId, subject, collectionIds, scopeId }: ChatViewer): ChatCondition =>
  (eb) =>
    eb.and([
      ...(keyId === null ? [] : [eb('chats.key_id', '=', keyId)]),
      ...(subject === undefined ? [] : [eb('chats.subject', subject === null ? 'is' : '=', subject)]),
      ...(collectionIds === null ? [] : [eb('chats.collection_id', '=', eb.fn.any(eb.val([...collectionIds])))]),
      ...(scopeId === null ? [] : [eb('chats.scope_id', '=', scopeId)]),
    ]);
