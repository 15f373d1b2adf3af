/**
 * The legal transitions of a document's status, as one table. Deletion is not among them: it hides a document in
 * whatever state it is, and undeleting shows it again in that state.
 */
import type { DocumentStatus } from '../../database/tables.ts';

type DocumentEvent = 'replace' | 'retry' | 'succeed' | 'fail';

const TRANSITIONS: Record<DocumentStatus, Partial<Record<DocumentEvent, DocumentStatus>>> = {
  indexing: { replace: 'indexing', succeed: 'ready', fail: 'failed' },
  ready: { replace: 'indexing' },
  failed: { replace: 'indexing', retry: 'indexing' },
};

/** The status after the event; undefined when the event is not allowed now. */
export function nextStatus(status: DocumentStatus, event: DocumentEvent): DocumentStatus | undefined {
  return TRANSITIONS[status][event];
}
