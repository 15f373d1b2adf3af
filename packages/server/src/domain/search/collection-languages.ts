/** The languages of a collection's passages: a query's words are stemmed as each of them would have it. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';

/** Each language adds terms to every query; beyond these few, documents are too rare to pay for that. */
const MAX_LANGUAGES = 4;
/** A new language is found this late; counting costs about 1 ms per 10,000 documents. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;

export class CollectionLanguages {
  readonly #database: Kysely<Database>;
  readonly #now: () => number;
  readonly #kept = new Map<string, { languages: (string | null)[]; until: number }>();

  constructor(deps: { database: Kysely<Database>; now: () => number }) {
    this.#database = deps.database;
    this.#now = deps.now;
  }

  /** The most frequent languages; null stands for documents whose language could not be told. */
  async of(collectionId: string): Promise<(string | null)[]> {
    const kept = this.#kept.get(collectionId);
    if (kept !== undefined && kept.until > this.#now()) return kept.languages;
    const rows = await this.#database
      .selectFrom('documents')
      .select('language')
      .where('collection_id', '=', collectionId)
      .where('searchable_revision', 'is not', null)
      .where('deleted_at', 'is', null)
      .groupBy('language')
      .orderBy(sql`count(*)`, 'desc')
      .limit(MAX_LANGUAGES)
      .execute();
    const languages = rows.map((row) => row.language);
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    // An empty collection is about to get its first documents: not worth remembering.
    if (languages.length > 0) this.#kept.set(collectionId, { languages, until: this.#now() + KEPT_MS });
    return languages;
  }
}
