/** A reference search index in plain arrays that scans every row; others must return the same hits. */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import type { IndexFilter, IndexHit, IndexRow, IndexStats, IndexTable, SearchIndex } from '../search-index.ts';

const K1 = 1.2;
const B = 0.75;

export class ArrayIndex implements SearchIndex {
  readonly #tables = new Map<string, IndexRow[]>();

  async add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    this.#tables.set(table.name, [...this.#rows(table), ...rows]);
  }

  async remove(
    table: IndexTable,
    documents: readonly { documentKey: bigint; belowRevision: number | null }[],
  ): Promise<void> {
    if (!this.#tables.has(table.name)) return;
    const kept = this.#rows(table).filter(
      (row) =>
        !documents.some(
          ({ documentKey, belowRevision }) =>
            row.documentKey === documentKey && (belowRevision === null || row.revision < belowRevision),
        ),
    );
    this.#tables.set(table.name, kept);
  }

  async searchSparse(table: IndexTable, terms: readonly QueryTerm[], limit: number, filter?: IndexFilter) {
    const rows = this.#rows(table);
    const texts = rows.map((row) => row.terms.split(' ').filter((term) => term !== ''));
    const meanLength = texts.reduce((sum, text) => sum + text.length, 0) / rows.length;
    const scores = rows.map(() => 0);
    const has = (term: string): boolean => texts.some((text) => text.includes(term));
    const resolved = terms.flatMap((term) => {
      if (typeof term === 'string') return term;
      const own = term.terms.filter(has);
      return own.length > 0 ? own : term.otherwise;
    });
    for (const term of resolved) {
      const counts = texts.map((text) => text.filter((other) => other === term).length);
      const having = counts.filter((count) => count > 0).length;
      const idf = Math.log(1 + (rows.length - having + 0.5) / (having + 0.5));
      for (const [at, count] of counts.entries()) {
        const norm = K1 * (1 - B + (B * (texts[at]?.length ?? 0)) / meanLength);
        scores[at] = (scores[at] ?? 0) + (idf * (K1 + 1) * count) / (count + norm);
      }
    }
    return best(rows, scores, limit, (score) => score > 0, filter);
  }

  async searchDense(table: IndexTable, vector: Float32Array, limit: number, filter?: IndexFilter) {
    const rows = this.#rows(table);
    const scores = rows.map((row) => cosine(row.vector ?? vector, vector));
    return best(rows, scores, limit, (score) => !Number.isNaN(score), filter);
  }

  async stats(table: IndexTable): Promise<IndexStats | undefined> {
    const rows = this.#tables.get(table.name);
    return rows && { rows: rows.length, unindexedRows: 0, fragments: 1 };
  }

  async optimize(): Promise<void> {}

  async drop(table: IndexTable): Promise<void> {
    this.#tables.delete(table.name);
  }

  async list(): Promise<string[]> {
    return [...this.#tables.keys()];
  }

  async close(): Promise<void> {}

  #rows(table: IndexTable): readonly IndexRow[] {
    return this.#tables.get(table.name) ?? [];
  }
}

function best(
  rows: readonly IndexRow[],
  scores: readonly number[],
  limit: number,
  matches: (score: number) => boolean,
  { includeDocuments, excludeDocuments }: IndexFilter = {},
): IndexHit[] {
  return rows
    .map(({ chunkKey, documentKey, revision }, at) => ({ chunkKey, documentKey, revision, score: scores[at] ?? 0 }))
    .filter(
      ({ documentKey, score }) =>
        matches(score) &&
        (includeDocuments === undefined || includeDocuments.includes(documentKey)) &&
        excludeDocuments?.includes(documentKey) !== true,
    )
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
