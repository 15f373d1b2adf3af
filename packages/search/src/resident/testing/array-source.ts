/** Records in plain arrays, in the order of their commits, with which a resident index is tested. */
import { randomUUID } from 'node:crypto';
import { batchOfRows } from '../../memory/row-batch.ts';
import type { DocumentRemoval } from '../../memory/copy-protocol.ts';
import type { IndexRow, IndexTable } from '../../search-index.ts';
import type { KeyRange } from '../key-ranges.ts';
import type { RowChanges, RowSource, SourceTable } from '../row-source.ts';

interface StoredTable {
  identity: string;
  dimensions: number | null;
  rows: { at: number; row: IndexRow }[];
  removed: { at: number; chunkKey: bigint }[];
}

const BATCH_ROWS = 100;

export class ArraySource implements RowSource {
  readonly tables = new Map<string, StoredTable>();
  #commits = 0;
  /** Positions before this commit are refused, as if the removals until then were forgotten. */
  forgottenBefore = 0;
  /** Tables that are being built, by the name of the one that they replace. */
  readonly replacing = new Map<string, IndexTable>();

  add(table: IndexTable, rows: readonly IndexRow[]): void {
    const { dimensions } = table;
    const stored = this.tables.get(table.name) ?? { identity: randomUUID(), dimensions, rows: [], removed: [] };
    this.tables.set(table.name, stored);
    const at = ++this.#commits;
    const known = new Set(stored.rows.map(({ row }) => row.chunkKey));
    stored.rows.push(...rows.filter(({ chunkKey }) => !known.has(chunkKey)).map((row) => ({ at, row })));
  }

  remove(table: IndexTable, documents: readonly DocumentRemoval[]): void {
    const stored = this.tables.get(table.name);
    if (stored === undefined) return;
    const at = ++this.#commits;
    const isRemoved = (row: IndexRow): boolean =>
      documents.some(
        ({ documentKey, belowRevision }) =>
          row.documentKey === documentKey && (belowRevision === null || row.revision < belowRevision),
      );
    for (const { row } of stored.rows) if (isRemoved(row)) stored.removed.push({ at, chunkKey: row.chunkKey });
    stored.rows = stored.rows.filter(({ row }) => !isRemoved(row));
  }

  async find({ name }: IndexTable): Promise<SourceTable | undefined> {
    const stored = this.tables.get(name);
    return stored && { identity: stored.identity, rows: stored.rows.length };
  }

  async read(
    { name }: IndexTable,
    since: string | null,
    changes: RowChanges,
    known: readonly KeyRange[] = [],
  ): Promise<string | undefined> {
    const stored = this.tables.get(name);
    const from = since === null ? 0 : commitOf(since, stored?.identity);
    if (stored === undefined || from === undefined || (since !== null && from < this.forgottenBefore)) return undefined;
    const position = `${stored.identity} ${this.#commits}`;
    const isKnown = (key: bigint): boolean => known.some(({ first, last }) => key >= first && key <= last);
    const rows = stored.rows.flatMap(({ at, row }) => (at > from && !isKnown(row.chunkKey) ? [row] : []));
    const removed = since === null ? [] : stored.removed.filter(({ at }) => at > from);
    for (let start = 0; start < rows.length; start += BATCH_ROWS) {
      await changes.add(batchOfRows(rows.slice(start, start + BATCH_ROWS), stored.dimensions));
    }
    if (removed.length > 0) await changes.remove(BigInt64Array.from(removed, ({ chunkKey }) => chunkKey));
    return position;
  }

  async successors(names: readonly string[]): Promise<IndexTable[]> {
    return names.flatMap((name) => this.replacing.get(name) ?? []);
  }

  async compare(tables: readonly { name: string; position: string | null }[]): Promise<Map<string, string | null>> {
    const compared = new Map<string, string | null>();
    for (const { name, position } of tables) {
      const stored = this.tables.get(name);
      if (stored === undefined) continue;
      const from = position === null ? 0 : commitOf(position, stored.identity);
      if (from === undefined) continue;
      const isChanged = [...stored.rows, ...stored.removed].some(({ at }) => position === null || at > from);
      compared.set(name, isChanged ? null : `${stored.identity} ${this.#commits}`);
    }
    return compared;
  }
}

/** Returns undefined for a position of another table of the same name. */
function commitOf(position: string, identity: string | undefined): number | undefined {
  const [table, commit] = position.split(' ');
  return table === identity ? Number(commit) : undefined;
}
