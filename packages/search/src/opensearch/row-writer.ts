/** Writes rows by bulk requests, and creates the index of a table with its first rows. */
import { IndexUnavailableError, type AddOptions, type IndexRow, type IndexTable } from '../search-index.ts';
import { type Cluster, MAX_ATTEMPTS } from './cluster.ts';
import { typeOf } from './cluster-errors.ts';
import { indexBody, placeOf, type Place } from './mapping.ts';
import type { OpenSearchLocation } from './opensearch-location.ts';

interface BulkAnswer {
  errors: boolean;
  items: { index: { status: number; error?: { type: string; reason: string } } }[];
}

/** Maximum size of a bulk request in bytes; OpenSearch recommends 5 to 15 MB. */
const BULK_BYTES = 8_000_000;

export class RowWriter {
  readonly #cluster: Cluster;
  readonly #location: OpenSearchLocation;
  /** Aliases that this process has created or found. */
  readonly #known = new Set<string>();

  constructor(cluster: Cluster, location: OpenSearchLocation) {
    this.#cluster = cluster;
    this.#location = location;
  }

  /**
   * Resolves when the rows are searchable, or stored if they belong to a build. Rejects with `IndexUnavailableError`
   * when the cluster stays too busy.
   */
  async add(table: IndexTable, rows: readonly IndexRow[], { isBuild = false }: AddOptions = {}): Promise<void> {
    for (const { vector } of rows) {
      const length = vector?.length ?? null;
      if (length !== table.dimensions)
        throw new RangeError(`A vector of ${length} numbers in ${table.dimensions} dimensions`);
    }
    if (rows.length === 0) return;
    const place = placeOf(table, this.#location);
    let pending = rows.map((row) => bulkLines(row, place));
    for (let attempt = 1; pending.length > 0; attempt += 1) {
      if (!this.#known.has(place.alias)) await this.#create(table, place);
      const rejected = await this.#bulk(place, pending, isBuild);
      if (rejected.length > 0 && attempt === MAX_ATTEMPTS)
        throw new IndexUnavailableError('The search cluster is overloaded', 5);
      if (rejected.length > 0) await this.#cluster.pause(attempt);
      pending = rejected;
    }
  }

  /** Notes that the index was dropped. */
  forget({ alias }: Place): void {
    this.#known.delete(alias);
  }

  /**
   * Creates the index behind its alias, unless one with an earlier version of the fields serves the table. Concurrent
   * creations by other processes are no error.
   */
  async #create({ dimensions }: IndexTable, { alias, index }: Place): Promise<void> {
    const { shards, replicas } = this.#location;
    const { body: exists } = await this.#cluster.call((client) => client.indices.existsAlias({ name: alias }));
    if (exists) {
      this.#known.add(alias);
      return;
    }
    try {
      const body = { ...indexBody({ dimensions, shards, replicas }), aliases: { [alias]: {} } };
      await this.#cluster.call((client) => client.indices.create({ index, body }));
    } catch (error) {
      if (typeOf(error) !== 'resource_already_exists_exception') throw error;
    }
    this.#known.add(alias);
  }

  /** Sends the rows, and returns the lines of those that the cluster was too busy for. */
  async #bulk(place: Place, lines: readonly string[], isBuild: boolean): Promise<string[]> {
    const rejected: string[] = [];
    for (const batch of batchesOfBytes(lines, BULK_BYTES)) {
      const request = {
        index: place.alias,
        body: batch.join(''),
        // A refresh ends a segment: a build then makes many small ones, which are merged again.
        refresh: isBuild ? ('false' as const) : ('true' as const),
        // Without it, a write to an index that another process has dropped would create one without our fields.
        require_alias: true,
        ...(place.shared !== null && { routing: place.shared }),
      };
      const answer = await this.#cluster.call((client) => client.bulk(request as never));
      const { errors, items } = answer.body as unknown as BulkAnswer;
      if (errors) rejected.push(...batch.filter((_, position) => this.#isRejected(items[position], place)));
    }
    return rejected;
  }

  #isRejected(item: BulkAnswer['items'][number] | undefined, place: Place): boolean {
    const { status, error } = item?.index ?? { status: 500, error: undefined };
    // A newer version was written or the row was removed: this writer is late.
    if (error === undefined || status === 409) return false;
    if (error.type === 'index_not_found_exception') {
      this.#known.delete(place.alias);
      return true;
    }
    if (status === 429 || status === 503) return true;
    throw new Error(`The search cluster refused a row: ${error.type}: ${error.reason}`);
  }
}

function bulkLines(row: IndexRow, { shared }: Place): string {
  const id = shared === null ? String(row.chunkKey) : `${shared}/${row.chunkKey}`;
  // A row is written again with the version that it has, and a removal has the next one.
  const action = { index: { _id: id, version: row.revision, version_type: 'external_gte' } };
  const isDirected = row.vector !== undefined && row.vector.some((value) => value !== 0);
  const source = {
    ...(shared !== null && { table: shared }),
    chunk_key: String(row.chunkKey),
    document_key: String(row.documentKey),
    revision: row.revision,
    terms: row.terms,
    ...(isDirected && { vector: Array.from(row.vector ?? []) }),
  };
  return `${JSON.stringify(action)}\n${JSON.stringify(source)}\n`;
}

function batchesOfBytes(lines: readonly string[], maxBytes: number): string[][] {
  const batches: string[][] = [];
  let bytes = maxBytes;
  for (const line of lines) {
    bytes += line.length;
    if (bytes > maxBytes) {
      batches.push([]);
      bytes = line.length;
    }
    batches.at(-1)?.push(line);
  }
  return batches;
}
