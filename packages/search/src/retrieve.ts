/**
 * The core of search, free of workspaces and SQL: asks the index tables, keeps what the records say is alive, asks again
 * when too little is left, fuses the lists and drops passages that repeat one another.
 * The caller prepares the query (terms by the analyser, vector by the embedder of each collection) and gives a
 * `ChunkSource`, which alone decides what may be seen.
 */
import type { QueryTerm } from '@quire/text/language/analyse-query';
import {
  fuse,
  single,
  type FusedHit,
  type FusionOptions,
  type Leg,
  type LegPosition,
  type RankedList,
} from './fusion.ts';
import { overlaps } from './overlap.ts';
import { IndexTableError, type IndexFilter, type IndexHit, type IndexTable, type SearchIndex } from './search-index.ts';

/** One table to search, with the query as that table's collection understands it. */
export interface RetrievalTarget {
  table: IndexTable;
  /** The query's analysed terms; empty: no sparse leg. */
  terms: readonly QueryTerm[];
  /** The query's vector; null: no dense leg. */
  vector: Float32Array | null;
  /** Name of the embedding model. Dense scores of targets with the same name are compared, others only normalised. */
  vectorSpace: string | null;
  filter?: IndexFilter;
}

export interface RetrievalOptions {
  limit: number;
  mode: 'hybrid' | 'dense' | 'sparse';
  fusion: FusionOptions;
  /** In the scale of the answer's scores: fused 0..1 for hybrid, cosine for dense, BM25 for sparse. */
  minScore?: number;
  /** About which part of the hits the records will let through, 1 by default: so many more are asked for at once. */
  expectedShare?: number;
  /** Called once, when the records let through so few that it takes long: what to search instead, null for all as before. */
  narrow?: () => Promise<IndexFilter | null>;
}

export interface LiveChunk {
  chunkKey: bigint;
  documentKey: bigint;
  text: string;
}

/** What the records say of some hits. */
export interface Look<Chunk extends LiveChunk> {
  /** Of the hits that were asked about: those whose document shows that revision. Their passages may be gone all the same. */
  alive: ReadonlySet<IndexHit>;
  /** The passages that were wanted, in any order, without those that are not to be seen. */
  chunks: readonly Chunk[];
}

/** The records' side: leaves out what is deleted, replaced by a newer revision, or filtered away. */
export interface ChunkSource<Chunk extends LiveChunk> {
  /** A filter is applied here: many of the hits will be hidden. Otherwise few are, and only for a while. */
  readonly filters: boolean;
  /** Up to some thousand hits, and a page of passages, in one question: each costs a search a round trip. */
  look(hits: readonly IndexHit[], wanted: readonly IndexHit[]): Promise<Look<Chunk>>;
}

export interface RetrievedHit<Chunk extends LiveChunk> {
  chunk: Chunk;
  target: RetrievalTarget;
  score: number;
  dense: LegPosition | null;
  sparse: LegPosition | null;
}

export interface Retrieval<Chunk extends LiveChunk> {
  hits: RetrievedHit<Chunk>[];
  /** Tables that did not open: to be dropped and built again; the other tables answered. */
  broken: IndexTableError[];
}

/** Candidates of each list that are fused: deep enough for what stands below the answer to matter. */
const MIN_DEPTH = 50;
/** How much deeper each further question to a table goes, and where it ends. */
const DEEPER = 4;
const MAX_FETCH = 20_000;
/** More than this takes longer than to find out which documents can be hits. */
const LONG_FETCH = 2_000;
/** What is asked for beyond what is expected to be needed, where records let a part of the hits through. */
const SPARE = 1.25;
/** Of texts that are read before it is known which hits the records let through. */
const MAX_PAGE = 60;

export async function retrieve<Chunk extends LiveChunk>(
  index: SearchIndex,
  targets: readonly RetrievalTarget[],
  source: ChunkSource<Chunk>,
  options: RetrievalOptions,
  signal: AbortSignal,
): Promise<Retrieval<Chunk>> {
  const depth = Math.max(MIN_DEPTH, options.limit * 2);
  const questions = targets.flatMap((target) => questionsTo(index, target, options.mode));
  const records = new SeenRecords(source);
  const rank = (): Ranking => {
    const lists = mergeTables(questions, depth);
    const minScore = options.minScore ?? -Infinity;
    const ranked = options.mode === 'hybrid' ? fuse(lists, options.fusion) : single(lists);
    return minScore === -Infinity ? ranked : ranked.filter((hit) => hit.score >= minScore);
  };
  const share = options.expectedShare ?? 1;
  const page = Math.max(pageSize(options.limit), Math.min(MAX_PAGE, Math.ceil(pageSize(options.limit) / share)));
  const plan = { depth, page, fetch: fetchFor(depth, share), narrow: options.narrow };
  const ranked = await answer(questions, records, plan, rank, signal);

  const kept = await loadDistinct(ranked, records, options.limit, signal);
  return {
    hits: kept.flatMap(({ chunk, fused: { hit, score, dense, sparse } }) => {
      const question = questions.find(({ live }) => live.includes(hit));
      return question === undefined ? [] : [{ chunk, target: question.target, score, dense, sparse }];
    }),
    broken: [...new Map(questions.flatMap(({ broken }) => (broken ? [[broken.table, broken]] : []))).values()],
  };
}

/** Best first. */
type Ranking = readonly FusedHit<IndexHit>[];

const fetchFor = (depth: number, share: number): number =>
  share >= 1 ? depth : Math.min(MAX_FETCH, Math.ceil((depth / share) * SPARE));

/** Texts are read for some more hits than are wanted: some may repeat others. */
const pageSize = (limit: number): number => limit + Math.ceil(limit / 5);

/** What is known of the records so far: which hits are alive, and the passages that were read. */
class SeenRecords<Chunk extends LiveChunk> {
  readonly #source: ChunkSource<Chunk>;
  readonly #alive = new Map<bigint, boolean>();
  readonly #chunks = new Map<bigint, Chunk>();

  constructor(source: ChunkSource<Chunk>) {
    this.#source = source;
  }

  get filters(): boolean {
    return this.#source.filters;
  }

  /** What nobody has looked at yet counts as alive. */
  isAlive = ({ chunkKey }: IndexHit): boolean => this.#alive.get(chunkKey) ?? true;

  chunkOf({ chunkKey }: IndexHit): Chunk | undefined {
    return this.#chunks.get(chunkKey);
  }

  /** Looks the hits up, and reads the passages of a page. False when some of them turn out to be dead. */
  async look(hits: readonly IndexHit[], page: Ranking): Promise<boolean> {
    const unknown = hits.filter((hit) => !this.#alive.has(hit.chunkKey));
    const wanted = page.flatMap(({ hit }) => (!this.#chunks.has(hit.chunkKey) && this.isAlive(hit) ? hit : []));
    const { alive, chunks } = await this.#source.look(unknown, wanted);
    for (const hit of unknown) this.#alive.set(hit.chunkKey, alive.has(hit));
    for (const hit of wanted) this.#alive.set(hit.chunkKey, false);
    for (const chunk of chunks) {
      this.#alive.set(chunk.chunkKey, true);
      this.#chunks.set(chunk.chunkKey, chunk);
    }
    return unknown.every(this.isAlive) && wanted.every(this.isAlive);
  }
}

/** One question to one table, asked again and deeper until enough of the answer is alive. */
interface Question {
  leg: Leg;
  target: RetrievalTarget;
  ask: (limit: number, filter: IndexFilter | undefined) => Promise<IndexHit[]>;
  filter: IndexFilter | undefined;
  /** Best first, as far as is known alive. */
  live: IndexHit[];
  done: boolean;
  broken: IndexTableError | null;
}

function questionsTo(index: SearchIndex, target: RetrievalTarget, mode: RetrievalOptions['mode']): Question[] {
  const { table, terms, vector, filter } = target;
  const questions: Question[] = [];
  const add = (leg: Leg, ask: Question['ask']) =>
    questions.push({ leg, target, ask, filter, live: [], done: false, broken: null });
  if (mode !== 'sparse' && vector !== null) {
    add('dense', (limit, within) => index.searchDense(table, vector, limit, within));
  }
  if (mode !== 'dense' && terms.length > 0) {
    add('sparse', (limit, within) => index.searchSparse(table, terms, limit, within));
  }
  return questions;
}

/**
 * Rounds of: ask all open questions at once, then the records once; gives the ranking. Of the records the passages are asked
 * that will be shown if they are alive, as is nearly always so. Only when one is not, or a filter hides many, are all hits
 * looked up and ranked without those that are hidden: looking up a hundred takes PostgreSQL as long as reading the page.
 */
async function answer<Chunk extends LiveChunk>(
  questions: readonly Question[],
  records: SeenRecords<Chunk>,
  { depth, page, fetch: firstFetch, narrow }: Plan,
  rank: () => Ranking,
  signal: AbortSignal,
): Promise<Ranking> {
  const seen: IndexHit[] = [];
  const lookAndRank = async (hits: readonly IndexHit[], ranked: Ranking): Promise<Ranking> => {
    if (await records.look(hits, ranked.slice(0, page))) return ranked;
    for (const question of questions) question.live = question.live.filter(records.isAlive);
    return rank();
  };
  let narrowing = narrow;
  for (let fetch = firstFetch; ;) {
    const open = questions.filter((question) => !question.done);
    signal.throwIfAborted();
    const answers = await Promise.all(open.map((question) => askOnce(question, fetch)));
    for (const [position, question] of open.entries()) {
      question.live = distinctKeys((answers[position] ?? []).filter(records.isAlive));
      for (const hit of question.live) seen.push(hit);
    }
    const first = rank();
    let ranked = await lookAndRank(records.filters ? seen : [], first);
    if (ranked !== first && !records.filters) ranked = await lookAndRank(seen, ranked);
    for (const [position, question] of open.entries()) {
      const given = answers[position]?.length ?? 0;
      question.done = question.live.length >= depth || given < fetch || fetch === MAX_FETCH;
    }
    const left = questions.filter((question) => !question.done);
    if (left.length === 0) return ranked;
    const share = Math.min(...left.map((question) => question.live.length)) / fetch;
    fetch = Math.min(MAX_FETCH, Math.max(fetch * DEEPER, narrow === undefined ? 0 : fetchFor(depth, share)));
    if (fetch <= LONG_FETCH || narrowing === undefined) continue;
    const filter = await narrowing();
    narrowing = undefined;
    if (filter === null) continue;
    for (const question of left) question.filter = filter;
    fetch = depth;
  }
}

interface Plan {
  /** Hits of each list that are to be alive, and those asked for at first. */
  depth: number;
  fetch: number;
  /** Passages that are read with the first question to the records. */
  page: number;
  narrow: RetrievalOptions['narrow'];
}

async function askOnce(question: Question, limit: number): Promise<IndexHit[]> {
  try {
    return await question.ask(limit, question.filter);
  } catch (error) {
    if (!(error instanceof IndexTableError)) throw error;
    question.broken = error;
    return [];
  }
}

/** A step of ingestion that ran twice may have written a chunk twice. */
function distinctKeys(hits: IndexHit[]): IndexHit[] {
  if (new Set(hits.map((hit) => hit.chunkKey)).size === hits.length) return hits;
  return [...new Map(hits.toReversed().map((hit) => [hit.chunkKey, hit])).values()].toReversed();
}

/** One list for all tables' BM25, and one for each vector space: only scores that can be compared share a list. */
function mergeTables(questions: readonly Question[], depth: number): RankedList<IndexHit>[] {
  const lists = new Map<string, { leg: Leg; hits: IndexHit[] }>();
  for (const { leg, target, live } of questions) {
    const name = leg === 'dense' ? `dense ${target.vectorSpace ?? ''}` : leg;
    const list = lists.get(name);
    if (list === undefined) lists.set(name, { leg, hits: [...live] });
    else list.hits.push(...live);
  }
  return [...lists.values()].map(({ leg, hits }) => ({
    leg,
    hits: hits.toSorted((a, b) => b.score - a.score).slice(0, depth),
  }));
}

interface Loaded<Chunk> {
  chunk: Chunk;
  fused: FusedHit<IndexHit>;
}

/** Reads texts from the best down, a page at a time, until `limit` passages stand that do not repeat one another. */
async function loadDistinct<Chunk extends LiveChunk>(
  ranked: Ranking,
  records: SeenRecords<Chunk>,
  limit: number,
  signal: AbortSignal,
): Promise<Loaded<Chunk>[]> {
  const kept: Loaded<Chunk>[] = [];
  for (const [position, fused] of ranked.entries()) {
    if (kept.length >= limit) break;
    if (records.chunkOf(fused.hit) === undefined && records.isAlive(fused.hit)) {
      signal.throwIfAborted();
      await records.look([], ranked.slice(position, position + pageSize(limit)));
    }
    const chunk = records.chunkOf(fused.hit);
    if (chunk === undefined) continue;
    const repeats = kept.some(
      (other) => other.chunk.documentKey === chunk.documentKey && overlaps(other.chunk.text, chunk.text),
    );
    if (!repeats) kept.push({ chunk, fused });
  }
  return kept;
}
