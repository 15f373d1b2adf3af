/** The languages of a collection's passages: a query's words are stemmed as they would have it. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { LanguageShare } from '../../language/analyse-query.ts';

/** Beyond these, documents are too rare to matter to a query. */
const MAX_LANGUAGES = 8;
/** A new language is found this late; counting costs about 1 ms per 10,000 documents. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;

export class CollectionLanguages {
  readonly #database: Kysely<Database>;
  readonly #now: () => number;
  readonly #kept = new Map<string, { shares: LanguageShare[]; until: number }>();

  constructor(deps: { database: Kysely<Database>; now: () => number }) {
    this.#database = deps.database;
    this.#now = deps.now;
  }

  /** The most frequent languages, with how many documents are in each. */
  async of(collectionId: string): Promise<LanguageShare[]> {
    const kept = this.#kept.get(collectionId);
    if (kept !== undefined && kept.until > this.#now()) return kept.shares;
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
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    // An empty collection is about to get its first documents: not worth remembering.
    if (shares.length > 0) this.#kept.set(collectionId, { shares, until: this.#now() + KEPT_MS });
    return shares;
  }
}
