/**
 * The audit entry that a request still has to write. The driver of the request pool writes it in the transaction of the
 * change, before its commit (`audited-dialect.ts`), so that no service has to write one itself.
 */
import { requestValues } from '../logger.ts';
import type { AuditActor, AuditOutcome } from './tables/audit.ts';

export interface AuditEntry {
  workspaceId: string;
  action: string;
  resourceType: string;
  resourceId: string | null;
  actor: AuditActor;
  keyId: string | null;
  subject: string | null;
  requestId: string;
  address: string;
  outcome: AuditOutcome;
  details: Record<string, unknown> | null;
}

export interface PendingAudit {
  entry: AuditEntry;
  /** Whether a statement has written the entry, or there is nothing to write. */
  settled: boolean;
}

const PENDING: unique symbol = Symbol('pending audit entry');

/** Attaches an entry to the present request; without a request context the caller writes it. */
export function beginAudit(entry: AuditEntry): PendingAudit {
  const pending = { entry, settled: false };
  const values = requestValues();
  if (values !== undefined) values[PENDING] = pending;
  return pending;
}

/** Returns the entry of the present request that is not written yet. */
export function pendingAudit(): PendingAudit | undefined {
  const pending = requestValues()?.[PENDING] as PendingAudit | undefined;
  return pending?.settled === false ? pending : undefined;
}

/** Names the record that the present request creates. */
export function auditResource(type: string, id: string): void {
  const pending = pendingAudit();
  if (pending === undefined) return;
  Object.assign(pending.entry, { resourceType: type, resourceId: id });
  if (type === 'workspace') pending.entry.workspaceId = id;
}

/** Adds details, such as the number of documents of a bulk change. They must hold no secret and no content. */
export function auditDetails(details: Record<string, unknown>): void {
  const pending = pendingAudit();
  if (pending !== undefined) pending.entry.details = { ...pending.entry.details, ...details };
}

/** Drops the entry of a request that changes nothing after all. */
export function skipAudit(): void {
  const pending = pendingAudit();
  if (pending !== undefined) pending.settled = true;
}

const carried = new WeakMap<object, PendingAudit>();

/** Binds the present request's entry to a record that a batch will write, together with those of other requests. */
export function carryAudit(record: object): void {
  const pending = pendingAudit();
  if (pending !== undefined) carried.set(record, pending);
}

/** Returns the entries that are bound to the records. */
export const carriedAudits = (records: readonly object[]): PendingAudit[] =>
  records.flatMap((record) => carried.get(record) ?? []).filter(({ settled }) => !settled);
