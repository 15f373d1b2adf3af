/** Descriptions of the fields of the audit log. */
import { field, type FieldDescription, ID, TIME } from './field.ts';

export const AUDIT_FIELDS: Record<string, FieldDescription> = {
  'AuditEntry.at': field('Time of the change, read or refusal.', TIME),
  action: field('Operation of the API, by its operation id.', 'deleteDocument'),
  resourceType: field('Kind of the record that the operation concerned.', 'document'),
  resourceId: field('Identifier of the record; null for a refused creation.', ID),
  actor: field('Form of the credential: a key, a scoped token, a signed link, or none that is valid.', 'key'),
  'AuditEntry.keyId': field('Key of the request; null for signed links and refused credentials.', ID),
  requestId: field('Identifier of the request, as in `X-Request-Id` and in the log.', 'req-7f3a'),
  address: field('Address of the client.', '203.0.113.7'),
  'AuditEntry.outcome': field('Whether the call was carried out (`done`) or refused with 401 or 403.', 'done'),
  'AuditEntry.details': field('Flags such as `purge`, and number and ids (at most 1,000) of a bulk change.', {
    count: 2,
    documentIds: [ID],
  }),
  since: field('Only entries from this time on.', TIME),
  until: field('Only entries before this time.', TIME),
  format: field('`jsonl` streams all matching entries as lines of JSON.', 'jsonl'),
};
