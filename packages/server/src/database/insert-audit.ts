import { CompiledQuery } from 'kysely';
import { newId } from '../shared/uuid.ts';
import type { AuditEntry } from './pending-audit.ts';

const COLUMNS = {
  workspace_id: ['uuid', ({ workspaceId }) => workspaceId],
  action: ['text', ({ action }) => action],
  resource_type: ['text', ({ resourceType }) => resourceType],
  resource_id: ['text', ({ resourceId }) => resourceId],
  actor: ['text', ({ actor }) => actor],
  key_id: ['uuid', ({ keyId }) => keyId],
  subject: ['text', ({ subject }) => subject],
  request_id: ['text', ({ requestId }) => requestId],
  address: ['text', ({ address }) => address],
  outcome: ['text', ({ outcome }) => outcome],
  details: ['jsonb', ({ details }) => (details === null ? null : JSON.stringify(details))],
} satisfies Record<string, [string, (entry: AuditEntry) => string | null]>;

const NAMES = Object.keys(COLUMNS).join(', ');
const ARRAYS = Object.values(COLUMNS)
  .map(([type], position) => `$${position + 3}::${type}[]`)
  .join(', ');
/** One array per column keeps the text, and so the prepared plan, the same for any number of entries. */
const INSERT = `insert into audit_entries (id, at, ${NAMES})
  select entry.id, $2::timestamptz, ${Object.keys(COLUMNS)
    .map((name) => `entry.${name}`)
    .join(', ')}
  from unnest($1::uuid[], ${ARRAYS}) as entry (id, ${NAMES})`;

/** Returns the statement that inserts the entries; with `known`, without those of workspaces that do not exist. */
export function insertAudit(entries: readonly AuditEntry[], known = false): CompiledQuery {
  const values = Object.values(COLUMNS).map(([, valueOf]) => entries.map(valueOf));
  const text = known ? `${INSERT} join workspaces on workspaces.id = entry.workspace_id` : INSERT;
  return CompiledQuery.raw(text, [entries.map(() => newId()), new Date(), ...values]);
}
