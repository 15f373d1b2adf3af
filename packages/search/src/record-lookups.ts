/** The records' side of a retrieval: PostgreSQL decides which hits are visible and holds the texts of the chunks. */
import type { FusedHit } from './fusion.ts';
import type { IndexHit } from './search-index.ts';

export interface VisibleChunk {
  chunkKey: bigint;
  documentKey: bigint;
  text: string;
}

export interface Lookup<Chunk extends VisibleChunk> {
  /** The hits whose document is visible at the hit's revision. Their chunk rows may still be missing. */
  visible: ReadonlySet<IndexHit>;
  /** The requested chunks that are visible, in any order. */
  chunks: readonly Chunk[];
}

export interface ChunkSource<Chunk extends VisibleChunk> {
  /**
   * Checks the visibility of `hits` (up to some thousand) and loads the chunks of `wanted` (a page) in one statement:
   * each round trip to PostgreSQL is on the path of a search.
   */
  lookUp(hits: readonly IndexHit[], wanted: readonly IndexHit[]): Promise<Lookup<Chunk>>;
}

/** Number of hits whose visibility was checked, and of those that were visible. */
export interface LookupStats {
  checked: number;
  visible: number;
}

/** Best first. */
export type Ranking = readonly FusedHit<IndexHit>[];

/** Caches what the records answered during one retrieval. */
export class RecordLookups<Chunk extends VisibleChunk> {
  readonly #source: ChunkSource<Chunk>;
  readonly #visibility = new Map<bigint, boolean>();
  readonly #chunks = new Map<bigint, Chunk>();
  readonly #stats: LookupStats = { checked: 0, visible: 0 };

  constructor(source: ChunkSource<Chunk>) {
    this.#source = source;
  }

  get stats(): Readonly<LookupStats> {
    return this.#stats;
  }

  /** Returns true for a hit that has not been checked yet: nearly all hits are visible. */
  isVisible = ({ chunkKey }: IndexHit): boolean => this.#visibility.get(chunkKey) ?? true;

  chunkOf({ chunkKey }: IndexHit): Chunk | undefined {
    return this.#chunks.get(chunkKey);
  }

  /** Checks the hits and loads the chunks of a page. Returns false if one of them turns out to be hidden. */
  async lookUp(hits: readonly IndexHit[], page: Ranking): Promise<boolean> {
    const unchecked = hits.filter((hit) => !this.#visibility.has(hit.chunkKey));
    const wanted = page.flatMap(({ hit }) => (!this.#chunks.has(hit.chunkKey) && this.isVisible(hit) ? hit : []));
    const { visible, chunks } = await this.#source.lookUp(unchecked, wanted);
    this.#stats.checked += unchecked.length;
    this.#stats.visible += visible.size;
    for (const hit of unchecked) this.#visibility.set(hit.chunkKey, visible.has(hit));
    for (const hit of wanted) this.#visibility.set(hit.chunkKey, false);
    for (const chunk of chunks) {
      this.#visibility.set(chunk.chunkKey, true);
      this.#chunks.set(chunk.chunkKey, chunk);
    }
    return unchecked.every(this.isVisible) && wanted.every(this.isVisible);
  }
}
