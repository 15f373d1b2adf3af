/**
 * Reads chunks by PostgreSQL's binary COPY, which passes terms and vectors as they are stored: the driver would decode
 * each value to a string first. Format: https://www.postgresql.org/docs/current/sql-copy.html
 */
import type { RowBatch } from '@quire/search/memory/row-batch';

/** The columns of the copied query, in order. */
const FIELDS = 5;
const HEADER = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');
/** Length of the signature, the flags and the extension's length. */
const HEADER_BYTES = 19;
const BATCH_ROWS = 1000;

/** The values of half-precision numbers by their bits. */
const FLOATS = Float32Array.from({ length: 65_536 }, (_, bits) => {
  const exponent = (bits >> 10) & 0x1f;
  const mantissa = bits & 0x3ff;
  const normal = exponent === 31 ? (mantissa === 0 ? Infinity : NaN) : (1 + mantissa / 1024) * 2 ** (exponent - 15);
  const magnitude = exponent === 0 ? mantissa * 2 ** -24 : normal;
  return bits & 0x8000 ? -magnitude : magnitude;
});

/**
 * Yields the rows of a copy of `key, document key, revision, terms, embedding` (null or float16) in batches. Vectors of
 * another length than `dimensions` become zero vectors, which no search finds.
 */
export async function* batchesOfCopy(
  stream: AsyncIterable<Buffer>,
  dimensions: number | null,
): AsyncGenerator<RowBatch> {
  let batch = new BatchWriter(dimensions);
  let rest: Buffer = Buffer.alloc(0);
  let isHeaderRead = false;
  for await (const part of stream) {
    rest = rest.length === 0 ? part : Buffer.concat([rest, part]);
    let at = 0;
    if (!isHeaderRead) {
      if (rest.length < HEADER_BYTES) continue;
      if (!rest.subarray(0, HEADER.length).equals(HEADER)) throw new Error('PostgreSQL sent another format of COPY');
      at = HEADER_BYTES + rest.readInt32BE(HEADER_BYTES - 4);
      isHeaderRead = true;
    }
    for (let end = rowEnd(rest, at); end !== undefined; end = rowEnd(rest, at)) {
      batch.add(rest, at);
      at = end;
      if (batch.rows < BATCH_ROWS) continue;
      yield batch.finish();
      batch = new BatchWriter(dimensions);
    }
    rest = rest.subarray(at);
  }
  if (batch.rows > 0) yield batch.finish();
}

/** Returns where the row at `start` ends; undefined when it is not complete, or the copy has ended. */
function rowEnd(bytes: Buffer, start: number): number | undefined {
  if (start + 2 > bytes.length || bytes.readInt16BE(start) !== FIELDS) return undefined;
  let at = start + 2;
  for (let field = 0; field < FIELDS; field += 1) {
    if (at + 4 > bytes.length) return undefined;
    at += 4 + Math.max(0, bytes.readInt32BE(at));
  }
  return at <= bytes.length ? at : undefined;
}

class BatchWriter {
  readonly #dimensions: number | null;
  readonly #chunkKeys = new BigInt64Array(BATCH_ROWS);
  readonly #documentKeys = new BigInt64Array(BATCH_ROWS);
  readonly #revisions = new Int32Array(BATCH_ROWS);
  readonly #terms: Buffer[] = [];
  readonly #vectors: Float32Array | null;
  rows = 0;

  constructor(dimensions: number | null) {
    this.#dimensions = dimensions;
    this.#vectors = dimensions === null ? null : new Float32Array(BATCH_ROWS * dimensions);
  }

  /** Adds the row that starts at `at` with its number of fields. */
  add(bytes: Buffer, at: number): void {
    const row = this.rows;
    this.#chunkKeys[row] = bytes.readBigInt64BE(at + 6);
    this.#documentKeys[row] = bytes.readBigInt64BE(at + 18);
    this.#revisions[row] = bytes.readInt32BE(at + 30);
    const terms = at + 38;
    const embedding = terms + bytes.readInt32BE(at + 34);
    this.#terms.push(bytes.subarray(terms, embedding));
    const values = this.#vectors;
    if (values !== null && bytes.readInt32BE(embedding) === (this.#dimensions ?? 0) * 2) {
      const offset = row * (this.#dimensions ?? 0);
      for (let value = 0, from = embedding + 4; value < (this.#dimensions ?? 0); value += 1, from += 2) {
        values[offset + value] = FLOATS[(bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8)] ?? 0;
      }
    }
    this.rows += 1;
  }

  finish(): RowBatch {
    const { rows } = this;
    let end = 0;
    const ends = this.#terms.map((terms) => (end += terms.length));
    // A plain array with a buffer of its own, which can be transferred.
    const terms = new Uint8Array(end);
    for (const [row, text] of this.#terms.entries()) terms.set(text, (ends[row] ?? 0) - text.length);
    return {
      rows,
      chunkKeys: this.#chunkKeys.slice(0, rows),
      documentKeys: this.#documentKeys.slice(0, rows),
      revisions: this.#revisions.slice(0, rows),
      terms,
      termOffsets: Int32Array.of(0, ...ends),
      vectors: this.#vectors?.slice(0, rows * (this.#dimensions ?? 0)) ?? null,
    };
  }
}
