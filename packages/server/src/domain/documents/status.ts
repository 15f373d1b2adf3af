/**
 * The allowed transitions of a document's status. Deletion is not among them: it hides a document in any status, and
 * undeleting shows it again in that status.
 */
import type { DocumentStatus } from '../../database/tables.ts';

type DocumentEvent = 'replace' | 'retry' | 'succeed' | 'fail';

const TRANSITIONS: Record<DocumentStatus, Partial<Record<DocumentEvent, DocumentStatus>>> = {
  indexing: { replace: 'indexing', succeed: 'ready', fail: 'failed' },
  ready: { replace: 'indexing' },
  failed: { replace: 'indexing', retry: 'indexing' },
};

/** Returns the status after the event; undefined if the event is not allowed in this status. */
export function nextStatus(status: DocumentStatus, event: DocumentEvent): DocumentStatus | undefined {
  return TRANSITIONS[status][event];
}
