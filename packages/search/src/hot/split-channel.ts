/**
 * Two threads for the copies of large tables, one with the terms and one with the vectors: both legs of a hybrid search are
 * worked on at once. Small tables lie in the first as a whole, for there a second message costs more than it gains.
 */
import type { HotChannel, HotCopyError } from './hot-channel.ts';
import { EMPTY_STATE, type HotRequest, type HotResult, type TableState } from './hot-protocol.ts';
import type { RowBatch } from './hot-source.ts';
import { vectorsFileOf } from './hot-snapshots.ts';
import { buffersOf } from './row-batch.ts';

/** To score so many takes some 0.2 ms a leg. */
const LARGE_ROWS = 20_000;

interface Part {
  request: HotRequest;
  transfer: readonly ArrayBuffer[];
}

export class SplitChannel implements HotChannel {
  readonly #terms: HotChannel;
  readonly #vectors: HotChannel;
  readonly #largeRows: number;
  /** Tables that lie in both, by number, with the length of their vectors. */
  readonly #split = new Map<number, number>();
  /** What one thread has lost is of no use in the other: whoever is told gives all copies back. */
  onLost: (error: HotCopyError) => void = () => undefined;

  constructor(terms: HotChannel, vectors: HotChannel, largeRows = LARGE_ROWS) {
    this.#terms = terms;
    this.#vectors = vectors;
    this.#largeRows = largeRows;
    for (const channel of [terms, vectors]) channel.onLost = (error) => this.onLost(error);
  }

  ask(request: HotRequest, transfer?: readonly ArrayBuffer[]): Promise<HotResult> {
    const { table } = request;
    if (request.do === 'open' && request.dimensions !== null && request.rows >= this.#largeRows) {
      this.#split.set(table, request.dimensions);
    }
    const dimensions = this.#split.get(table);
    if (dimensions === undefined || request.do === 'sparse') return this.#terms.ask(request, transfer);
    if (request.do === 'dense') return this.#vectors.ask(request, transfer);
    if (request.do === 'release') this.#split.delete(table);
    return this.#askAsOne(request, dimensions);
  }

  async close(): Promise<void> {
    await Promise.all([this.#terms.close(), this.#vectors.close()]);
  }

  async #askAsOne(request: HotRequest, dimensions: number): Promise<HotResult> {
    const [terms, vectors] = await this.#askBoth(request);
    if (request.do === 'restore' && !isSameCopy(terms, vectors)) return this.#empty(request.table, dimensions);
    return { ...terms, state: joined(stateOf(terms), stateOf(vectors)) };
  }

  #askBoth(request: HotRequest): Promise<[HotResult, HotResult]> {
    const [terms, vectors] = partsOf(request);
    return Promise.all([
      this.#terms.ask(terms.request, terms.transfer),
      this.#vectors.ask(vectors.request, vectors.transfer),
    ]);
  }

  /** One of the files was of no use: nothing is restored. */
  async #empty(table: number, dimensions: number): Promise<HotResult> {
    const released = this.#askBoth({ do: 'release', table });
    await Promise.all([released, this.#askBoth({ do: 'open', table, dimensions, rows: 0 })]);
    return { state: EMPTY_STATE, version: null };
  }
}

/** For the thread of the terms, then for that of the vectors. */
function partsOf(request: HotRequest): [terms: Part, vectors: Part] {
  const plain = (part: HotRequest): Part => ({ request: part, transfer: [] });
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

/** In buffers of its own but for the vectors. */
function withoutTerms(batch: RowBatch): RowBatch {
  return {
    ...batch,
    chunkKeys: batch.chunkKeys.slice(),
    documentKeys: batch.documentKeys.slice(),
    revisions: batch.revisions.slice(),
    rowIds: batch.rowIds.slice(),
    terms: new Uint8Array(0),
    termOffsets: new Int32Array(batch.rows + 1),
  };
}

const stateOf = (result: HotResult): TableState => ('state' in result ? result.state : EMPTY_STATE);

const joined = (terms: TableState, vectors: TableState): TableState => ({
  ...terms,
  bytes: terms.bytes + vectors.bytes,
});

function isSameCopy(terms: HotResult, vectors: HotResult): boolean {
  if (!('version' in terms && 'version' in vectors)) return false;
  const [a, b] = [stateOf(terms), stateOf(vectors)];
  const isSame = terms.version === vectors.version && a.rows === b.rows && a.nextRowId === b.nextRowId;
  return isSame && typeof terms.version === 'number';
}
