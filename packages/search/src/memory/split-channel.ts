/**
 * Splits the copies of large tables over two threads, one with the terms and one with the vectors, so that both legs of
 * a hybrid search run in parallel. Small tables stay in the first thread, since a second message would cost more than
 * it saves.
 */
import type { CopyChannel, CopyError } from './copy-channel.ts';
import { EMPTY_STATE, type CopyRequest, type CopyResult, type TableState } from './copy-protocol.ts';
import type { RowBatch } from './row-batch.ts';
import { vectorsFileOf } from './snapshots.ts';
import { buffersOf } from './row-batch.ts';

/** Minimum number of rows to split; scoring that many takes about 0.2 ms per leg. */
const LARGE_ROWS = 20_000;

interface Part {
  request: CopyRequest;
  transfer: readonly ArrayBuffer[];
}

type Parts = readonly [terms: Part, vectors: Part];
type Results = readonly [terms: CopyResult, vectors: CopyResult];

export class SplitChannel implements CopyChannel {
  readonly #terms: CopyChannel;
  readonly #vectors: CopyChannel;
  readonly #largeRows: number;
  /** Dimensions of the split tables, by table number. */
  readonly #split = new Map<number, number>();
  /** Called when either thread is lost: the other half of a copy is useless, so all copies must be released. */
  onLost: (error: CopyError) => void = () => undefined;

  constructor(terms: CopyChannel, vectors: CopyChannel, largeRows = LARGE_ROWS) {
    this.#terms = terms;
    this.#vectors = vectors;
    this.#largeRows = largeRows;
    for (const channel of [terms, vectors]) channel.onLost = (error) => this.onLost(error);
  }

  request(request: CopyRequest, transfer?: readonly ArrayBuffer[]): Promise<CopyResult> {
    const { table } = request;
    if (request.do === 'open' && request.dimensions !== null && request.rows >= this.#largeRows) {
      this.#split.set(table, request.dimensions);
    }
    const dimensions = this.#split.get(table);
    if (dimensions === undefined || request.do === 'sparse') return this.#terms.request(request, transfer);
    if (request.do === 'dense') return this.#vectors.request(request, transfer);
    if (request.do === 'release') this.#split.delete(table);
    return this.#requestJoined(request, dimensions);
  }

  async close(): Promise<void> {
    await Promise.all([this.#terms.close(), this.#vectors.close()]);
  }

  async #requestJoined(request: CopyRequest, dimensions: number): Promise<CopyResult> {
    if (request.do === 'restore') return this.#restore(request, dimensions);
    return joined(await this.#requestBoth(partsOf(request)));
  }

  /** Restores both parts, from their files or from the one of a table that was not split when it was saved. */
  async #restore(request: CopyRequest & { do: 'restore' }, dimensions: number): Promise<CopyResult> {
    for (const parts of [partsOf(request), partsOfWhole(request, dimensions)]) {
      const results = await this.#requestBoth(parts);
      if (isSameCopy(results)) return joined(results);
      await this.#empty(request.table, dimensions);
    }
    return { state: EMPTY_STATE, position: null };
  }

  #requestBoth([terms, vectors]: Parts): Promise<Results> {
    return Promise.all([
      this.#terms.request(terms.request, terms.transfer),
      this.#vectors.request(vectors.request, vectors.transfer),
    ]);
  }

  /** Drops both parts, since one of the two files was not usable. */
  async #empty(table: number, dimensions: number): Promise<void> {
    const released = this.#requestBoth(partsOf({ do: 'release', table }));
    await Promise.all([released, this.#requestBoth(partsOf({ do: 'open', table, dimensions, rows: 0 }))]);
  }
}

const plain = (request: CopyRequest): Part => ({ request, transfer: [] });

const partsOfWhole = (request: CopyRequest & { do: 'restore' }, dimensions: number): Parts => [
  plain({ ...request, of: { dimensions, part: 'terms' } }),
  plain({ ...request, of: { dimensions, part: 'vectors' } }),
];

/** Returns the part of a request for the terms thread and the part for the vectors thread. */
function partsOf(request: CopyRequest): Parts {
  if (request.do === 'open') return [plain({ ...request, dimensions: null }), plain(request)];
  if (request.do === 'save' || request.do === 'restore')
    return [plain(request), plain({ ...request, file: vectorsFileOf(request.file) })];
  if (request.do !== 'add' && request.do !== 'load') return [plain(request), plain(request)];
  const [terms, vectors] = [{ ...request.rows, vectors: null }, withoutTerms(request.rows)];
  return [
    { request: { ...request, rows: terms }, transfer: buffersOf(terms) },
    { request: { ...request, rows: vectors }, transfer: buffersOf(vectors) },
  ];
}

/** Copies all columns except the vectors, which are transferred. */
function withoutTerms(batch: RowBatch): RowBatch {
  return {
    ...batch,
    chunkKeys: batch.chunkKeys.slice(),
    documentKeys: batch.documentKeys.slice(),
    revisions: batch.revisions.slice(),
    terms: new Uint8Array(0),
    termOffsets: new Int32Array(batch.rows + 1),
  };
}

const stateOf = (result: CopyResult): TableState => ('state' in result ? result.state : EMPTY_STATE);

function joined([terms, vectors]: Results): CopyResult {
  const state = stateOf(terms);
  return { ...terms, state: { ...state, bytes: state.bytes + stateOf(vectors).bytes } };
}

function isSameCopy([terms, vectors]: Results): boolean {
  if (!('position' in terms && 'position' in vectors)) return false;
  const [a, b] = [stateOf(terms), stateOf(vectors)];
  const isSame = terms.position === vectors.position && a.rows === b.rows && a.removedRows === b.removedRows;
  return isSame && typeof terms.position === 'string';
}
