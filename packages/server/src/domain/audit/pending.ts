/** The audit entry of a request, for the code that begins it. */
export { beginAudit, type AuditEntry } from '../../database/pending-audit.ts';
