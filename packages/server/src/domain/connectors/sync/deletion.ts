/**
 * The brake and the deletions of a synchronisation. The brake counts what the listing left out; only then each of
 * these files is verified by a request of its own, and what exists stays.
 */
import { sql, type Transaction } from 'kysely';
import type { Existence, KnownFile } from '@quire/connectors/connector';
import type { Database, SourceItemRecord, SyncChange } from '../../../database/tables.ts';
import type { Executor } from '../../../database/transaction.ts';
import { DocumentRepository } from '../../documents/repository.ts';
import { documentTopic } from '../../documents/types.ts';
import type { Notifications } from '../../../database/notifications.ts';
import type { Increments, SyncAttempt } from './sync-attempt.ts';
import { knownFile, type Verdicts } from './verification.ts';

const DELETIONS_PER_STEP = 500;
/** Number of files that are verified in one transaction. */
export const CHECKS_PER_STEP = 100;
/** Below this number of known files, a share says little, and the brake considers an empty source only. */
const MIN_KNOWN_FOR_SHARE = 10;
/** Tolerance of the comparison: .29 × 100 is less than 29 in binary fractions. */
const ROUNDING = 1e-9;
const MAX_EXAMPLES = 20;

export interface Brake {
  deletions: number;
  /** Reason why the deletions wait for an approval; null if they may be carried out. */
  reason: string | null;
  examples: SyncChange[];
}

/**
 * Counts the deletions after all moves were found, and decides whether they are held back. With `deletions: keep`, and
 * in a listing that could not end, nothing is deleted.
 */
export async function checkBrake(transaction: Transaction<Database>, attempt: SyncAttempt): Promise<Brake> {
  const { sync, connector } = attempt;
  if (connector.deletions === 'keep') {
    await sql`update connector_items set todo = null where connector_id = ${connector.id} and todo = 'delete'
      and todo_sync = ${sync.id} and is_missing`.execute(transaction);
  }
  const pending = transaction
    .selectFrom('connector_items')
    .where('connector_id', '=', connector.id)
    .where('todo', '=', 'delete')
    .where('todo_sync', '=', sync.id);
  const { deletions } = await pending
    .select((eb) => eb.fn.countAll<string>().as('deletions'))
    .executeTakeFirstOrThrow();
  const count = Number(deletions);
  const reason = sync.approved ? null : brakeReason(count, sync, connector.max_deletion_share);
  const examples = reason === null ? [] : await pending.select('path').orderBy('path').limit(MAX_EXAMPLES).execute();
  return { deletions: count, reason, examples: examples.map(({ path }) => ({ path, change: 'delete', reason: null })) };
}

export function brakeReason(
  deletions: number,
  { known, listed, changes_since: changesSince }: Pick<SyncAttempt['sync'], 'known' | 'listed' | 'changes_since'>,
  maxShare: number,
): string | null {
  if (deletions === 0) return null;
  if (listed === 0 && changesSince === null) {
    return `The source is empty, but ${deletions} of its files are known`;
  }
  if (known < MIN_KNOWN_FOR_SHARE || deletions <= known * maxShare + ROUNDING) return null;
  return `${deletions} of ${known} known files would be deleted, more than a share of ${maxShare}`;
}

/** Files whose documents are deleted next, as far as they can be verified in one step. */
type Due = Pick<SourceItemRecord, 'path' | 'source_id' | 'url' | 'document_id' | 'is_missing' | 'is_reported'>;

/** A file that the source described or reported itself needs no verification. */
const needsCheck = ({ is_missing: isMissing, is_reported: isReported }: Due): boolean => isMissing && !isReported;

export interface DeletionDeps {
  notifications: Pick<Notifications, 'publish'>;
  /** Requests each of the files from the source. */
  verify: (files: readonly KnownFile[]) => Promise<Verdicts>;
}

/**
 * Deletes the documents of the next files, except those whose file exists or may exist. Returns whether there may be
 * more. A process that dies in between repeats at most the requests of one step.
 */
export async function deleteNext(attempt: SyncAttempt, database: Executor, deps: DeletionDeps): Promise<boolean> {
  const due = await nextDue(attempt, database);
  if (due.length === 0) return false;
  const files = due.filter(needsCheck).map(knownFile);
  const { answers, stop }: Verdicts = files.length === 0 ? { answers: new Map() } : await deps.verify(files);
  const settled = due.filter((item) => !needsCheck(item) || answers.has(item.path));
  const kept = settled.filter((item) => needsCheck(item) && answers.get(item.path) !== 'absent');
  const gone = settled.filter((item) => !kept.includes(item));
  if (settled.length > 0) {
    await attempt.write(async (transaction) => {
      await deleteItems(transaction, attempt, gone, deps.notifications);
      await keepItems(transaction, attempt, kept);
      await attempt.advance(transaction, {}, { deleted: gone.length, ...countVerdicts(answers) });
    });
  }
  if (stop !== undefined) throw stop;
  return true;
}

/** Returns the counters of answers. */
export function countVerdicts(answers: Verdicts['answers']): Increments {
  const count = (existence: Existence): number => [...answers.values()].filter((each) => each === existence).length;
  return { checked: answers.size, left_out: count('present'), unconfirmed: count('unknown') };
}

async function nextDue({ connector, id }: SyncAttempt, database: Executor): Promise<Due[]> {
  const due: Due[] = await database
    .selectFrom('connector_items')
    .select(['path', 'source_id', 'url', 'document_id', 'is_missing', 'is_reported'])
    .where('connector_id', '=', connector.id)
    .where('todo', '=', 'delete')
    .where('todo_sync', '=', id)
    .orderBy('path')
    .limit(DELETIONS_PER_STEP)
    .execute();
  const beyond = due.filter(needsCheck)[CHECKS_PER_STEP];
  return beyond === undefined ? due : due.slice(0, due.indexOf(beyond));
}

async function deleteItems(
  transaction: Transaction<Database>,
  { connector }: SyncAttempt,
  items: readonly Due[],
  notifications: Pick<Notifications, 'publish'>,
): Promise<void> {
  if (items.length === 0) return;
  const ids = items.flatMap(({ document_id: documentId }) => (documentId === null ? [] : [documentId]));
  const hidden = await new DocumentRepository(transaction).markDeleted(
    connector.workspace_id,
    connector.collection_id,
    (eb) => eb('documents.id', '=', (any) => any.fn.any(any.val(ids))),
  );
  for (const document of hidden) await notifications.publish(transaction, documentTopic(document.id));
  await sql`
    update connector_items set todo = null, todo_sync = null,
      status = case when is_missing then 'deleted' else 'skipped' end, version = null
    where connector_id = ${connector.id} and path = any(${items.map(({ path }) => path)}::text[])`.execute(transaction);
}

/** The files stay as they were; the next full listing decides again. */
async function keepItems(
  transaction: Transaction<Database>,
  { connector }: SyncAttempt,
  items: readonly Due[],
): Promise<void> {
  if (items.length === 0) return;
  await sql`update connector_items set todo = null, todo_sync = null
    where connector_id = ${connector.id} and path = any(${items.map(({ path }) => path)}::text[])`.execute(transaction);
}
