/** Counts the languages of a collection's documents: the words of a query are stemmed in each of them. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { LanguageShare } from '@quire/text/language/analyse-query';

/** Maximum number of languages per collection; each costs a query some microseconds per word. */
const MAX_LANGUAGES = 32;
/** Lifetime of a count, so that counting (about 1 ms per 10,000 documents) takes a few thousandths of a core. */
const MIN_KEPT_MS = 500;
const KEPT_MS_PER_DOCUMENT = 0.03;
const MAX_KEPT = 1_000;

interface Kept {
  shares: LanguageShare[];
  countedAt: number;
  keptMs: number;
}

export class CollectionLanguages {
  readonly #database: Kysely<Database>;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  readonly #counting = new Map<string, Promise<LanguageShare[]>>();

  constructor(deps: { database: Kysely<Database>; now: () => number }) {
    this.#database = deps.database;
    this.#now = deps.now;
  }

  /**
   * Returns the most frequent languages with their document counts. A new language is seen within one second in
   * collections of up to 16,000 documents, and within 6 s in one of 100,000.
   */
  of(collectionId: string): LanguageShare[] | Promise<LanguageShare[]> {
    const kept = this.#kept.get(collectionId);
    const age = kept === undefined ? Infinity : this.#now() - kept.countedAt;
    if (kept !== undefined && age < kept.keptMs) return kept.shares;
    const counted = this.#count(collectionId);
    if (kept === undefined || age > kept.keptMs * 2) return counted;
    // This caller gets the previous count; a database error reaches the next caller that has to wait.
    counted.catch(() => undefined);
    return kept.shares;
  }

  /** Counts, or joins a count that is running. */
  #count(collectionId: string): Promise<LanguageShare[]> {
    const running = this.#counting.get(collectionId);
    if (running !== undefined) return running;
    const counting = this.#countNow(collectionId).finally(() => this.#counting.delete(collectionId));
    this.#counting.set(collectionId, counting);
    return counting;
  }

  async #countNow(collectionId: string): Promise<LanguageShare[]> {
    const countedAt = this.#now();
    const rows = await this.#database
      .selectFrom('documents')
      .select(['language', sql<string>`count(*)`.as('documents')])
      .where('collection_id', '=', collectionId)
      .where('searchable_revision', 'is not', null)
      .where('deleted_at', 'is', null)
      .groupBy('language')
      .orderBy(sql`count(*)`, 'desc')
      .limit(MAX_LANGUAGES)
      .execute();
    const shares = rows.map((row) => ({ language: row.language, documents: Number(row.documents) }));
    const documents = shares.reduce((sum, share) => sum + share.documents, 0);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    // Not cached, since an empty collection is about to get its first documents.
    if (documents === 0) this.#kept.delete(collectionId);
    else {
      const keptMs = Math.max(MIN_KEPT_MS, documents * KEPT_MS_PER_DOCUMENT);
      this.#kept.set(collectionId, { shares, countedAt, keptMs });
    }
    return shares;
  }
}
