/** Collections as clients see them: records with the counts of their documents and the state of their re-index. */
import type { Kysely } from 'kysely';
import { withFilterLimit } from '../../database/filter-limit.ts';
import type { CollectionIndexRecord, CollectionRecord, Database } from '../../database/tables.ts';
import type { DocumentScope } from '../documents/scope.ts';
import { CollectionRepository } from './repository.ts';
import type { CollectionView } from './types.ts';

export class CollectionViews {
  readonly #collections: CollectionRepository;

  constructor(database: Kysely<Database>) {
    this.#collections = new CollectionRepository(database);
  }

  /** Returns the view of a collection, with the counts of the documents in the scope if there is one. */
  async of(record: CollectionRecord, scope: DocumentScope | null = null): Promise<CollectionView> {
    const [view] = await this.ofAll([record], scope);
    if (view === undefined) throw new Error('a view for each record');
    return view;
  }

  async ofAll(records: readonly CollectionRecord[], scope: DocumentScope | null): Promise<CollectionView[]> {
    const ids = records.map((record) => record.id);
    const among = scope?.condition;
    const counted = withFilterLimit(scope, () =>
      Promise.all([
        this.#collections.totals(ids, among),
        this.#collections.archiveCounts(ids, among),
        this.#collections.failuresByType(ids, among),
      ]),
    );
    // The progress of a re-index counts all documents.
    const read = scope === null ? this.#collections.latestReindexes(ids) : new Map<string, CollectionIndexRecord>();
    const [[totals, archives, failures], reindexes] = await Promise.all([counted, read]);
    return records.map((record) => {
      const { chunks = 0, ...counts } = totals.get(record.id) ?? { indexing: 0, ready: 0, failed: 0, chunks: 0 };
      return {
        record,
        documentCounts: counts,
        archiveCounts: archives.get(record.id) ?? { indexing: 0, ready: 0, failed: 0 },
        failedByType: failures.get(record.id) ?? {},
        chunkCount: chunks,
        reindex: reindexes.get(record.id) ?? null,
      };
    });
  }
}
