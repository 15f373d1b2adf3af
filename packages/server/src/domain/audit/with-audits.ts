import type { Kysely, Transaction } from 'kysely';
import { insertAudit } from '../../database/insert-audit.ts';
import { orCommitted } from '../../database/or-committed.ts';
import { carriedAudits, pendingAudit, type PendingAudit } from '../../database/pending-audit.ts';
import type { Database } from '../../database/tables.ts';

/**
 * Runs a transaction that writes records of several requests, and the audit entries of those that it has written. Call
 * it outside of any request, whose own entry would be written too.
 */
export async function withAudits<T>(
  database: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<{ result: T; written: readonly object[] }>,
): Promise<T> {
  let pending: PendingAudit[] = [];
  const committed = await database.transaction().execute(async (transaction) => {
    const { result, written } = await work(transaction);
    pending = carriedAudits(written);
    if (pending.length > 0) await transaction.executeQuery(insertAudit(pending.map(({ entry }) => entry)));
    return result;
  });
  for (const each of pending) each.settled = true;
  return committed;
}

/**
 * Creates a record by itself after its batch has failed. Returns the record of the batch if its transaction was
 * committed although the answer was lost, as when the connection broke.
 */
export async function unlessCommitted<T>(
  record: object,
  find: () => Promise<T | undefined>,
  create: () => Promise<T>,
): Promise<T> {
  const committed = (await find()) ?? (await orCommitted(create, find));
  for (const each of carriedAudits([record])) each.settled = true;
  return committed;
}

/** Writes the entry of the present request, if it has one, without a transaction: for a read. */
export async function writePendingAudit(database: Kysely<Database>): Promise<void> {
  const pending = pendingAudit();
  if (pending === undefined) return;
  await database.executeQuery(insertAudit([pending.entry]));
  pending.settled = true;
}
