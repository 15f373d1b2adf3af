import type { RunRecord, RunStatus } from '../../database/tables.ts';
import type { RunBlocks } from '@quire/process/blocks';
import type { Upload } from '../documents/types.ts';

export { PARSE_FORMATS, type RunBlocks, type TaxonomyNode } from '@quire/process/blocks';
export { operations as editOperations } from '@quire/process/edit/operations';

export interface NewRun {
  blocks: RunBlocks;
  uploads: readonly Upload[];
  /** Files are sent one by one, and processing begins with `submit`. */
  staged: boolean;
  /** The client's; unique in the workspace. */
  idempotencyKey?: string | undefined;
}

export interface RunFailure {
  type: string;
  message: string;
}

export const isEnded = ({ status }: Pick<RunRecord, 'status'>): boolean => ENDED.has(status);
const ENDED: ReadonlySet<RunStatus> = new Set(['done', 'failed']);

/** Nothing more happens to it unless a client does something. */
export const isAtRest = (record: Pick<RunRecord, 'status'>): boolean => record.status === 'idle' || isEnded(record);

/** Where waiting for a run listens, and the worker that is at it. */
export const runTopic = (runId: string): string => `run:${runId}`;
