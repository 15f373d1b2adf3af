/** Runs, their input files and their outputs. */
import type { ColumnType, Generated } from 'kysely';
import type { RunOutcome } from '@quire/process/outcome';
import type { Json, NullableTimestamp, Timestamp } from './columns.ts';

export type RunStatus = 'idle' | 'queued' | 'running' | 'done' | 'failed';

/** A file of a run, as it was sent in. */
export interface RunFile {
  /** Part of the key of its bytes in the object store. */
  id: string;
  name: string;
  format: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
}

export interface RunsTable {
  id: string;
  workspace_id: string;
  status: RunStatus;
  config: Json<Record<string, unknown>>;
  files: Json<RunFile[]>;
  progress: Generated<number>;
  error_type: string | null;
  error_message: string | null;
  outcome: ColumnType<RunOutcome | null, string | null | undefined, string | null>;
  outcome_bytes: Generated<number>;
  idempotency_key: Buffer | null;
  request_hash: Buffer | null;
  attempt_token: string | null;
  attempts: Generated<number>;
  deadline_at: NullableTimestamp;
  created_at: Timestamp;
  modified_at: Timestamp;
  started_at: NullableTimestamp;
  finished_at: NullableTimestamp;
  expires_at: NullableTimestamp;
  outputs_deleted_at: NullableTimestamp;
}
