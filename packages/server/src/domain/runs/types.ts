import type { RunRecord, RunStatus } from '../../database/tables.ts';
import type { RunBlocks } from '@quire/process/blocks';
import type { Upload } from '../documents/types.ts';

export { PARSE_FORMATS, type RunBlocks, type TaxonomyNode } from '@quire/process/blocks';
export { operations as editOperations } from '@quire/process/edit/operations';

export interface NewRun {
  blocks: RunBlocks;
  uploads: readonly Upload[];
  /** Whether files are sent one by one and processing begins with `submit`. */
  staged: boolean;
  /** Idempotency key of the client, unique in the workspace. */
  idempotencyKey?: string | undefined;
}

export interface RunFailure {
  type: string;
  message: string;
}

export const isEnded = ({ status }: Pick<RunRecord, 'status'>): boolean => ENDED.has(status);
const ENDED: ReadonlySet<RunStatus> = new Set(['done', 'failed']);

/** Returns whether the run changes only by a client's request. */
export const isAtRest = (record: Pick<RunRecord, 'status'>): boolean => record.status === 'idle' || isEnded(record);

/** Notification topic of a run, for waiting requests and its worker. */
export const runTopic = (runId: string): string => `run:${runId}`;
