/** A reference search index in plain arrays that scans every row; copies must return the same hits. */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import { randomUUID } from 'node:crypto';
import type { IndexFilter, IndexHit, IndexRow, IndexStats, IndexTable } from '../../search-index.ts';
import type { CopySource, RowBatch } from '../copy-source.ts';

interface StoredTable {
  identity: string;
  version: number;
  rows: { id: bigint; row: IndexRow }[];
}

const K1 = 1.2;
const B = 0.75;

export class ArrayIndex implements CopySource {
  readonly #tables = new Map<string, StoredTable>();
  #nextId = 0n;
  #versions = 0;

  async add(table: IndexTable, rows: readonly IndexRow[]): Promise<void> {
    const stored = this.#tables.get(table.name) ?? { identity: randomUUID(), version: 0, rows: [] };
    this.#tables.set(table.name, stored);
    for (const row of rows) stored.rows.push({ id: this.#nextId++, row });
    this.#commit(stored);
  }

  async remove(
    table: IndexTable,
    documents: readonly { documentKey: bigint; belowRevision: number | null }[],
  ): Promise<void> {
    const stored = this.#tables.get(table.name);
    if (stored === undefined) return;
    stored.rows = stored.rows.filter(
      ({ row }) =>
        !documents.some(
          ({ documentKey, belowRevision }) =>
            row.documentKey === documentKey && (belowRevision === null || row.revision < belowRevision),
        ),
    );
    this.#commit(stored);
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
    const stored = this.#tables.get(table.name);
    return stored && { rows: stored.rows.length, unindexedRows: 0, fragments: 1 };
  }

  /** Rewrites the rows in another order. */
  async optimize(table: IndexTable): Promise<void> {
    const stored = this.#tables.get(table.name);
    if (stored === undefined) return;
    stored.rows = stored.rows.toReversed().map(({ row }) => ({ id: this.#nextId++, row }));
    this.#commit(stored);
  }

  async drop(table: IndexTable): Promise<void> {
    this.#tables.delete(table.name);
  }

  async list(): Promise<string[]> {
    return [...this.#tables.keys()];
  }

  async close(): Promise<void> {}

  async version(table: IndexTable): Promise<number | undefined> {
    return this.#tables.get(table.name)?.version;
  }

  async identity(table: IndexTable): Promise<string | undefined> {
    return this.#tables.get(table.name)?.identity;
  }

  async *scan(table: IndexTable, fromRowId: bigint): AsyncIterable<RowBatch> {
    const found = (this.#tables.get(table.name)?.rows ?? []).filter(({ id }) => id >= fromRowId);
    for (let start = 0; start < found.length; start += 3) {
      yield batchOf(found.slice(start, start + 3));
      await Promise.resolve();
    }
  }

  #rows(table: IndexTable): IndexRow[] {
    return (this.#tables.get(table.name)?.rows ?? []).map(({ row }) => row);
  }

  #commit(stored: StoredTable): void {
    stored.version = ++this.#versions;
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

function batchOf(found: readonly { id: bigint; row: IndexRow }[]): RowBatch {
  const texts = found.map(({ row }) => Buffer.from(row.terms));
  let end = 0;
  const ends = texts.map((text) => (end += text.length));
  return {
    rows: found.length,
    chunkKeys: BigInt64Array.from(found, ({ row }) => row.chunkKey),
    documentKeys: BigInt64Array.from(found, ({ row }) => row.documentKey),
    revisions: Int32Array.from(found, ({ row }) => row.revision),
    terms: Buffer.concat(texts),
    termOffsets: Int32Array.of(0, ...ends),
    vectors: Float32Array.from(found.flatMap(({ row }) => [...(row.vector ?? [])])),
    rowIds: BigUint64Array.from(found, ({ id }) => id),
  };
}
