/**
 * One attempt of a worker at a document's newest revision, and the errors that end an attempt without ending the
 * document.
 */
import type { ContentWarning } from '@quire/blocks/content-warning';
import type { CollectionIndexRecord, CollectionRecord, DocumentRecord } from '../../database/tables.ts';
import type { JobClaim } from '../../queue/job-queue.ts';

export interface Attempt {
  /** The fencing token: the document changes only while it carries this token. */
  token: string;
  /** The job of the attempt, which ends with it; null for an attempt without a job. */
  job: JobClaim | null;
  document: DocumentRecord;
  collection: CollectionRecord;
  /** The live index and the one being built, if any. Both receive the document's chunks. */
  indexes: CollectionIndexRecord[];
}

export interface ReadyDocument {
  language: string | null;
  title: string | null;
  pageCount: number | null;
  warnings: readonly ContentWarning[];
  /** Number of chunks by the index generation that they were made for. */
  chunkCounts: ReadonlyMap<number, number>;
}

/** The collection's indexes are no longer those that the attempt wrote to; the job has to run again. */
export class IndexesChanged extends Error {
  override readonly name = 'IndexesChanged';

  constructor() {
    super('the indexes of the collection changed during the attempt');
  }
}

/** Another attempt, new content or a deletion superseded the attempt; the job ends without a result. */
export class AttemptSuperseded extends Error {
  override readonly name = 'AttemptSuperseded';

  constructor({ document }: Pick<Attempt, 'document'>) {
    super(`the attempt at document ${document.id} was superseded`);
  }
}
