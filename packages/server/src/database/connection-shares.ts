/**
 * Shares the connections of a pool out among workspaces: one that sends slow statements keeps others waiting neither
 * for its own nor for the pool's. The workspace is that of the present request or job; statements of brief requests,
 * which have no context, name it themselves (`inShareOf`).
 */
import type { Kysely } from 'kysely';
import { FairSlots } from '@quire/shared/fair-slots';
import { presentWorkspace } from '../logger.ts';
import type { Database } from './tables.ts';

/** Connections that only work without a workspace takes: authentication, maintenance, batches of several workspaces. */
const UNSHARED = 2;
/** Part of the shared connections that is for workspaces that hold none. */
const RESERVED_SHARE = 1 / 3;

const sharesOf = new WeakMap<Kysely<Database>, FairSlots>();

/** Returns the shares of a pool; undefined for one that is too small to be shared. */
export function connectionShares(poolSize: number, timeoutMs: number): FairSlots | undefined {
  const size = poolSize - UNSHARED;
  if (size < 2) return undefined;
  return new FairSlots({
    size,
    reserve: Math.max(1, Math.floor(size * RESERVED_SHARE)),
    timeoutMs,
    // The message of `pg` for the same wait: the request is answered 503, the job is repeated.
    timeoutError: () => new Error('timeout exceeded when trying to connect'),
  });
}

/** Names the shares of the pool below a query builder, for `inShareOf`. */
export function shareConnections(db: Kysely<Database>, shares: FairSlots | undefined): void {
  if (shares !== undefined) sharesOf.set(db, shares);
}

/** Takes a connection's slot for the present workspace; undefined outside of a context. */
export async function takePresentSlot(shares: FairSlots | undefined): Promise<(() => void) | undefined> {
  const owner = presentWorkspace();
  return owner === '' ? undefined : shares?.take(owner);
}

/** Runs one statement on a connection of the workspace's share. */
export async function inShareOf<T>(db: Kysely<Database>, workspaceId: string, run: () => Promise<T>): Promise<T> {
  const shares = sharesOf.get(db);
  // In a context, the connection itself takes the slot.
  if (shares === undefined || presentWorkspace() !== '') return run();
  const giveBack = await shares.take(workspaceId);
  try {
    return await run();
  } finally {
    giveBack();
  }
}
