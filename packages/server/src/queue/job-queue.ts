import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/tables.ts';

interface IngestPayload {
  workspaceId: string;
  documentId: string;
  revision: number;
}

/** Payloads by job name; every payload is plain JSON. Handlers are in `workers/<job>.ts`. */
export interface JobPayloads {
  'ingest-document': IngestPayload;
  /** The same for small texts, which have a worker of their own: they do not wait behind books and scans. */
  'ingest-small-document': IngestPayload;
  'process-run': { workspaceId: string; runId: string };
  'sync-connector': { workspaceId: string; syncId: string };
  /** Deletes the documents of a deleted connector. */
  'delete-connector-documents': { workspaceId: string; collectionId: string; connectorId: string };
  'sweep-index': { collectionId: string };
  'optimize-index': { collectionId: string; generation: number };
  'rebuild-index': { collectionId: string; generation: number };
  'purge-documents': { workspaceId: string; collectionId: string; documents: { id: string; key: string }[] };
  'purge-content': { prefix: string };
  'purge-collection': { workspaceId: string; collectionId: string; tables: string[] };
  'purge-workspace': { workspaceId: string };
}
export type JobName = keyof JobPayloads;

export interface EnqueueOptions {
  /** At most one pending job has this key; enqueuing again moves it to the new `runAt`. */
  key?: string;
  runAt?: Date;
  /** Smaller runs first. Fairness: a workspace's pending count, so that others do not wait behind its backlog. */
  priority?: number;
  maxAttempts?: number;
}

export interface NewJob<N extends JobName = JobName> extends EnqueueOptions {
  name: N;
  payload: JobPayloads[N];
}

export interface JobQueue {
  /** Adds the job in the caller's transaction: it exists if and only if the transaction commits. */
  enqueue<N extends JobName>(
    transaction: Transaction<Database> | Kysely<Database>,
    name: N,
    payload: JobPayloads[N],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** The same for many jobs, in one statement. */
  enqueueMany(transaction: Transaction<Database> | Kysely<Database>, jobs: readonly NewJob[]): Promise<void>;
  /** Which of these keys have a job, and whether it is being worked on (by a living or a dead worker). */
  states(keys: readonly string[]): Promise<Map<string, 'waiting' | 'running'>>;
}

/** One run of a job: a later run of it has another lane, another attempt number or another epoch. */
export interface JobClaim {
  jobId: string;
  laneId: string;
  attempt: number;
  runAt: Date;
  /** The job had a key when it was fetched. Adding another job with that key removes it, and this run is the last. */
  keyed: boolean;
  /** The epoch of PostgreSQL in which the job was fetched. In a later one, what this run committed may be lost. */
  epoch: string;
}

/**
 * Runs a job. If it throws, the job runs again after a back-off until its attempts are used up. Returns `recorded` if
 * the transaction of the job's last change of state removed the job too (`removalOf`); otherwise the lane removes it.
 */
export type JobHandler<N extends JobName> = (payload: JobPayloads[N], context: JobContext) => Promise<JobEnd>;

export type JobEnd = 'recorded' | void;

export interface JobContext {
  job: JobClaim;
  attempt: number;
  maxAttempts: number;
  /** Aborted when the process is to stop; handlers hand the job back by throwing. */
  signal: AbortSignal;
}
