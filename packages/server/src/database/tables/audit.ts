/** The audit log. */
import type { ColumnType } from 'kysely';

export type AuditActor = 'key' | 'token' | 'link' | 'anonymous';
export type AuditOutcome = 'done' | 'refused';

export interface AuditEntriesTable {
  id: string;
  workspace_id: string;
  at: ColumnType<Date, Date, never>;
  action: string;
  resource_type: string;
  resource_id: string | null;
  actor: AuditActor;
  key_id: string | null;
  subject: string | null;
  request_id: string;
  address: string;
  outcome: AuditOutcome;
  details: ColumnType<Record<string, unknown> | null, string | null, never>;
}
