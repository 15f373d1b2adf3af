/**
 * The core of search, free of workspaces and SQL: asks the index tables, keeps what the records say is alive, asks again
 * when too little is left, fuses the lists and drops passages that repeat one another.
 * The caller prepares the query (terms by the analyser, vector by the embedder of each collection) and gives a
 * `ChunkSource`, which alone decides what may be seen.
 */
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
  terms: readonly string[];
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
}

export interface LiveChunk {
  chunkKey: bigint;
  documentKey: bigint;
  text: string;
}

/** The records' side. Both methods leave out what is deleted, replaced by a newer revision, or filtered away. */
export interface ChunkSource<Chunk extends LiveChunk> {
  /** The keys that may be seen; called with up to some thousand hits, so it should touch keys only. */
  keepLive(hits: readonly IndexHit[]): Promise<ReadonlySet<bigint>>;
  /** The chunks of these keys that are still alive, in any order. */
  load(chunkKeys: readonly bigint[]): Promise<readonly Chunk[]>;
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

export async function retrieve<Chunk extends LiveChunk>(
  index: SearchIndex,
  targets: readonly RetrievalTarget[],
  source: ChunkSource<Chunk>,
  options: RetrievalOptions,
  signal: AbortSignal,
): Promise<Retrieval<Chunk>> {
  const depth = Math.max(MIN_DEPTH, options.limit * 2);
  const questions = targets.flatMap((target) => questionsTo(index, target, options.mode));
  await answer(questions, source, depth, signal);

  const lists = mergeTables(questions, depth);
  const ranked = options.mode === 'hybrid' ? fuse(lists, options.fusion) : single(lists);
  const minScore = options.minScore ?? -Infinity;
  const hits = await loadDistinct(
    ranked.filter((hit) => hit.score >= minScore),
    source,
    options.limit,
    signal,
  );
  const targetOf = new Map(questions.flatMap(({ live, target }) => live.map((hit) => [hit.chunkKey, target])));
  return {
    hits: hits.flatMap(({ chunk, fused: { score, dense, sparse } }) => {
      const target = targetOf.get(chunk.chunkKey);
      return target === undefined ? [] : [{ chunk, target, score, dense, sparse }];
    }),
    broken: [...new Map(questions.flatMap(({ broken }) => (broken ? [[broken.table, broken]] : []))).values()],
  };
}

/** One question to one table, asked again and deeper until enough of the answer is alive. */
interface Question {
  leg: Leg;
  target: RetrievalTarget;
  ask: (limit: number) => Promise<IndexHit[]>;
  /** Live hits, best first. */
  live: IndexHit[];
  done: boolean;
  broken: IndexTableError | null;
}

function questionsTo(index: SearchIndex, target: RetrievalTarget, mode: RetrievalOptions['mode']): Question[] {
  const { table, terms, vector, filter } = target;
  const questions: Question[] = [];
  const add = (leg: Leg, ask: Question['ask']) =>
    questions.push({ leg, target, ask, live: [], done: false, broken: null });
  if (mode !== 'sparse' && vector !== null) add('dense', (limit) => index.searchDense(table, vector, limit, filter));
  if (mode !== 'dense' && terms.length > 0) add('sparse', (limit) => index.searchSparse(table, terms, limit, filter));
  return questions;
}

/** Rounds of: ask all open questions at once, then the records once which of the hits are alive. */
async function answer<Chunk extends LiveChunk>(
  questions: readonly Question[],
  source: ChunkSource<Chunk>,
  depth: number,
  signal: AbortSignal,
): Promise<void> {
  const known = new Map<bigint, boolean>();
  for (let fetch = depth; ; fetch = Math.min(fetch * DEEPER, MAX_FETCH)) {
    const open = questions.filter((question) => !question.done);
    if (open.length === 0) return;
    signal.throwIfAborted();
    const answers = await Promise.all(open.map((question) => askOnce(question, fetch)));
    const unknown = answers.flat().filter((hit) => !known.has(hit.chunkKey));
    const living = unknown.length > 0 ? await source.keepLive(unknown) : new Set<bigint>();
    for (const hit of unknown) known.set(hit.chunkKey, living.has(hit.chunkKey));
    for (const [position, question] of open.entries()) {
      const hits = answers[position] ?? [];
      question.live = distinctKeys(hits.filter((hit) => known.get(hit.chunkKey)));
      question.done = question.live.length >= depth || hits.length < fetch || fetch === MAX_FETCH;
    }
  }
}

async function askOnce(question: Question, limit: number): Promise<IndexHit[]> {
  try {
    return await question.ask(limit);
  } catch (error) {
    if (!(error instanceof IndexTableError)) throw error;
    question.broken = error;
    return [];
  }
}

/** A step of ingestion that ran twice may have written a chunk twice. */
function distinctKeys(hits: readonly IndexHit[]): IndexHit[] {
  return [...new Map(hits.toReversed().map((hit) => [hit.chunkKey, hit])).values()].toReversed();
}

/** One list for all tables' BM25, and one for each vector space: only scores that can be compared share a list. */
function mergeTables(questions: readonly Question[], depth: number): RankedList[] {
  const lists = new Map<string, { leg: Leg; hits: { key: bigint; score: number }[] }>();
  for (const { leg, target, live } of questions) {
    const name = leg === 'dense' ? `dense ${target.vectorSpace ?? ''}` : leg;
    const list = lists.get(name) ?? { leg, hits: [] };
    for (const hit of live) list.hits.push({ key: hit.chunkKey, score: hit.score });
    lists.set(name, list);
  }
  return [...lists.values()].map(({ leg, hits }) => ({
    leg,
    hits: hits.toSorted((a, b) => b.score - a.score).slice(0, depth),
  }));
}

interface Loaded<Chunk> {
  chunk: Chunk;
  fused: FusedHit;
}

/** Reads texts from the best down, a page at a time, until `limit` passages stand that do not repeat one another. */
async function loadDistinct<Chunk extends LiveChunk>(
  ranked: readonly FusedHit[],
  source: ChunkSource<Chunk>,
  limit: number,
  signal: AbortSignal,
): Promise<Loaded<Chunk>[]> {
  const kept: Loaded<Chunk>[] = [];
  const page = limit + Math.ceil(limit / 2);
  for (let start = 0; start < ranked.length && kept.length < limit; start += page) {
    signal.throwIfAborted();
    const batch = ranked.slice(start, start + page);
    const chunks = await source.load(batch.map((hit) => hit.key));
    const byKey = new Map(chunks.map((chunk) => [chunk.chunkKey, chunk]));
    for (const fused of batch) {
      const chunk = byKey.get(fused.key);
      if (chunk === undefined || kept.length >= limit) continue;
      const repeats = kept.some(
        (other) => other.chunk.documentKey === chunk.documentKey && overlaps(other.chunk.text, chunk.text),
      );
      if (!repeats) kept.push({ chunk, fused });
    }
  }
  return kept;
}
