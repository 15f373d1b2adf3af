/** Runs, what they were given and what they made. */
import type { ColumnType, Generated } from 'kysely';
import type { Json, NullableTimestamp, Timestamp } from './columns.ts';

export type RunStatus = 'idle' | 'queued' | 'running' | 'done' | 'failed';

/** A file of a run, as it was sent in. */
export interface RunFile {
  /** Names its bytes in the object store. */
  id: string;
  name: string;
  format: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
}

/** A file that a run made. Small texts and JSON are kept here, everything else in the object store. */
export interface RunOutput {
  /** What clients call it, unique in the run. */
  path: string;
  contentType: string;
  sizeBytes: number;
  /** Its place below the run's in the object store; null: `text` is all of it. */
  key: string | null;
  text: string | null;
}

export interface RunError {
  module: string;
  type: string;
  message: string;
}

export interface ModuleOutcome {
  result: Record<string, unknown>;
  /** Fields in whose place clients see a reference to an output: the output's path by the field's name. */
  references: Record<string, string>;
}

export interface RunFileOutcome {
  name: string;
  /** The file that was sent in; null for a member of an archive. */
  fileId: string | null;
  modules: Record<string, ModuleOutcome>;
  errors: RunError[];
  outputs: RunOutput[];
}

export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  /** Pages, slides and sheets that were parsed. */
  pageCount: number;
}

export interface RunOutcome {
  files: RunFileOutcome[];
  usage: RunUsage;
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
