/**
 * The scope of a filtered token: it reaches only the documents that match its filter. A document outside of the scope
 * is answered like one that does not exist, and no write may leave a document outside of it.
 */
import { createHash } from 'node:crypto';
import { expressionBuilder, sql, type SqlBool } from 'kysely';
import type { Executor } from '../../database/transaction.ts';
import { forbidden, notFound } from '../../errors.ts';
import { readDocumentFilter } from './filter.ts';
import type { DocumentCondition } from './repository.ts';

export interface DocumentScope {
  /** The filter as the token has it. */
  filter: Record<string, unknown>;
  condition: DocumentCondition;
  /** Equal for tokens with the same filter and subject. */
  id: string;
}

/** Throws a 422 if the filter is not valid. */
export function documentScope(filter: Record<string, unknown>, subject: string | null): DocumentScope {
  const condition = readDocumentFilter(filter, []);
  const id = createHash('sha256')
    .update(JSON.stringify([condition.identity, subject]))
    .digest('base64url');
  return { filter, condition, id };
}

/** Returns the condition that both others fulfil; undefined means no condition. */
export function bothConditions(
  one: DocumentCondition | undefined,
  other: DocumentCondition | undefined,
): DocumentCondition | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const identity =
    one.identity === undefined || other.identity === undefined
      ? {}
      : { identity: createHash('sha256').update(`${one.identity} ${other.identity}`).digest('base64') };
  const hasEquality = one.hasEquality === true || other.hasEquality === true;
  const narrowing = bothNarrowings(one, other);
  const both: DocumentCondition = (eb) => eb.and([one(eb), other(eb)]);
  return Object.assign(both, { narrowing, hasEquality, ...identity });
}

/** Returns the condition that an index answers: of equality alone if one of the two has it. */
function bothNarrowings(one: DocumentCondition, other: DocumentCondition): DocumentCondition['narrowing'] {
  const equal = [one, other].filter((each) => each.hasEquality === true);
  const narrowings = (equal.length > 0 ? equal : [one, other]).flatMap(({ narrowing }) => narrowing ?? []);
  if (narrowings.length === 0) return null;
  return (among) =>
    sql<SqlBool>`(${sql.join(
      narrowings.map((each) => each(among)),
      sql` and `,
    )})`;
}

/** Returns those of the documents that are in the scope. */
export async function idsInScope(
  executor: Executor,
  workspaceId: string,
  documentIds: readonly string[],
  { condition }: Pick<DocumentScope, 'condition'>,
): Promise<ReadonlySet<string>> {
  if (documentIds.length === 0) return new Set();
  const rows = await executor
    .selectFrom('documents')
    .select('documents.id')
    .where('documents.workspace_id', '=', workspaceId)
    .where('documents.id', '=', (eb) => eb.fn.any(eb.val([...documentIds])))
    .where(condition(expressionBuilder()))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

interface ScopedDocument {
  id: string;
  workspace_id: string;
}

/** Throws 404 for a document outside of the scope; null is no scope. */
export async function requireInScope(
  executor: Executor,
  document: ScopedDocument,
  scope: DocumentScope | null,
): Promise<void> {
  if (scope === null) return;
  const found = await idsInScope(executor, document.workspace_id, [document.id], scope);
  if (!found.has(document.id)) throw notFound();
}

/** Throws 403 if a write has left a document outside of the scope; the transaction must then be rolled back. */
export async function requireStillInScope(
  executor: Executor,
  workspaceId: string,
  documentIds: readonly string[],
  scope: DocumentScope | null,
): Promise<void> {
  if (scope === null) return;
  const found = await idsInScope(executor, workspaceId, documentIds, scope);
  if (documentIds.some((id) => !found.has(id))) {
    throw forbidden('The filter of this token does not allow a document as this call would leave it');
  }
}

/** Throws 403 for an archive: its members change with it, and may be outside of the scope. */
export function refuseArchive(isArchive: boolean, scope: DocumentScope | null): void {
  if (isArchive && scope !== null) throw forbidden('A token with a filter cannot change archives');
}

/** Returns the condition of a bulk change: documents of the scope without archives, whose members it may exclude. */
export function changeableIn(scope: DocumentScope | null, condition: DocumentCondition): DocumentCondition {
  if (scope === null) return condition;
  return (eb) => eb.and([condition(eb), scope.condition(eb), sql<SqlBool>`not ${sql.ref('documents.is_archive')}`]);
}
