import type { DocumentStatus } from '../../database/tables.ts';

/** Returns the columns of a document that is processed from the start; a running attempt loses its token. */
export const freshAttempt = (status: DocumentStatus) => ({
  status,
  stage: 'queued' as const,
  progress: 0,
  error_type: null,
  error_message: null,
  warnings: '[]',
  attempt_token: null,
  attempts: 0,
  deadline_at: null,
});
