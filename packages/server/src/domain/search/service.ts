/** Searches one or several collections: prepares the query for each, retrieves, and presents the hits. */
import type { Kysely } from 'kysely';
import type { Database, RerankChoice } from '../../database/tables.ts';
import { ApiError, deleted, notFound, valueError, type ErrorDetail, type ErrorLocation } from '../../errors.ts';
import { analyseQuery, type LanguageShare } from '@quire/text/language/analyse-query';
import type { FusionOptions } from '@quire/search/fusion';
import { highlightsOf, snippetOf, type Highlight } from '@quire/search/highlight';
import type { RetrievalTarget } from '@quire/search/retrieval-plan';
import { retrieve, type RetrievedHit } from '@quire/search/retrieve';
import type { SearchIndex } from '@quire/search/search-index';
import type { IndexCheck } from '../collections/index-check.ts';
import type { LiveIndex, LiveIndexes } from '../collections/live-indexes.ts';
import { CollectionRepository } from '../collections/repository.ts';
import type { DocumentCondition } from '../documents/repository.ts';
import type { CollectionLanguages } from './collection-languages.ts';
import type { FilterMatches } from './filter-matches.ts';
import { FilterSelection } from './filter-selection.ts';
import type { ChunkPlaces } from '../../database/chunks/line-map.ts';
import { readLineMaps } from './line-maps.ts';
import { HitRelevance, type Judgement } from './hit-relevance.ts';
import { LiveChunks, OutdatedIndexError, type SearchedChunk } from './live-chunks.ts';
import type { QueryEmbedding, QueryVector } from './query-embedding.ts';
import { blocksOfText, boxesOfRanges } from './text-places.ts';
import type { Reranking } from './reranking.ts';
import type { SearchAnswer, SearchHit, SearchRequest, SearchWarning } from './types.ts';

export interface SearchServiceDeps {
  database: Kysely<Database>;
  searchIndex: SearchIndex;
  liveIndexes: LiveIndexes;
  indexCheck: IndexCheck;
  languages: CollectionLanguages;
  filterMatches: FilterMatches;
  queryEmbedding: QueryEmbedding;
  reranking: Reranking;
  /** Returns the time of a monotonic clock, in ms. */
  now: () => number;
  /** Returns the default fusion for an embedding model and the languages of the searched documents. */
  defaultFusion: (modelId: string, shares: readonly LanguageShare[]) => FusionOptions;
  observe: (mode: string, seconds: number) => void;
}

const NO_PLACES: ChunkPlaces = { lines: [], parts: [] };
const NO_VECTOR: QueryVector = { modelId: null, vector: null, problem: null };
/** The fusion of searches without a dense leg, where weights have no effect. */
const TERMS_ONLY: FusionOptions = { method: 'minmax', denseWeight: 0, sparseWeight: 1 };

interface PreparedTarget {
  target: RetrievalTarget;
  /** The default fusion; null without a dense leg. */
  fusion: FusionOptions | null;
  /** The reason for a missing query vector, although the index has vectors. */
  problem: string | null;
}

/** A hit after reranking, with its score before. */
type RankedHit = RetrievedHit<SearchedChunk> & {
  fused?: number;
  rerank?: { rank: number; score: number; tookMs: number };
};

interface Searched {
  workspaceId: string;
  searched: readonly LiveIndex[];
  cached: boolean;
  startedAt: number;
}

export class SearchService {
  readonly #deps: SearchServiceDeps;

  constructor(deps: SearchServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Searches the collections; null searches all collections of the workspace that the key may read. `allowed` lists the
   * collections that the caller's key is limited to, null for all. Throws a 422 at `loc` that names unknown ids, or a
   * 404 without `loc` (the route names the one collection).
   */
  async search(
    workspaceId: string,
    collectionIds: readonly string[] | null,
    request: SearchRequest<DocumentCondition>,
    allowed: readonly string[] | null,
    signal: AbortSignal,
    loc?: ErrorLocation,
  ): Promise<SearchAnswer> {
    const startedAt = this.#deps.now();
    const { liveIndexes, database } = this.#deps;
    const all = collectionIds === null;
    const ids = all
      ? await new CollectionRepository(database).idsWithSearchableDocuments(workspaceId, allowed)
      : [...new Set(collectionIds)];
    const cached = await liveIndexes.recall(workspaceId, ids);
    const choose = (found: ReadonlyMap<string, LiveIndex>): LiveIndex[] =>
      all ? notDeleted(ids, found) : this.#choose(ids, found, { allowed, loc });
    if (cached !== undefined) {
      try {
        return await this.#answer({ workspaceId, searched: choose(cached), cached: true, startedAt }, request, signal);
      } catch (error) {
        if (!(error instanceof OutdatedIndexError)) throw error;
        liveIndexes.forget();
      }
    }
    const searched = choose(await liveIndexes.read(workspaceId, ids));
    return this.#answer({ workspaceId, searched, cached: false, startedAt }, request, signal);
  }

  async #answer(
    { workspaceId, searched, cached, startedAt }: Searched,
    request: SearchRequest<DocumentCondition>,
    signal: AbortSignal,
  ): Promise<SearchAnswer> {
    const warnings: SearchWarning[] = [];
    const { filter } = request;
    const among = { workspaceId, collectionIds: searched.map(({ collection }) => collection.id) };
    const [matches, prepared] = await Promise.all([
      filter && this.#deps.filterMatches.of(among, filter),
      Promise.all(searched.map((each) => this.#target(each, request, signal))),
    ]);
    const selection = filter && matches && new FilterSelection(this.#deps.filterMatches, among, filter, matches);
    const targets = prepared.map(({ target }) => ({ ...target, filter: selection?.indexFilter ?? {} }));
    const problems = prepared.flatMap(({ problem }) => problem ?? []);
    const mode = this.#effectiveMode(request.mode, targets, problems, warnings);
    const condition = selection?.condition ?? null;
    const live = new LiveChunks(this.#deps.database, { workspaceId, searched, condition, cached });
    const choice = request.rerank === undefined ? commonReranker(searched) : request.rerank;
    const plan = {
      limit: Math.max(request.limit, choice?.topK ?? 0),
      mode,
      fusion: { ...weakest(prepared), ...definedOnly(request.fusion) },
      postFilter: selection?.postFilter ?? null,
    };
    const judge = new HitRelevance(await this.#backgrounds(searched, prepared, signal));
    const { minScore = 0 } = request;
    const isRelevant = (hit: RetrievedHit<SearchedChunk>): boolean =>
      minScore <= 0 || judge.judge(hit).relevance >= minScore;
    const {
      hits: found,
      broken,
      stats,
    } = await retrieve(this.#deps.searchIndex, targets, live, plan, signal, isRelevant);
    selection?.learn(stats);
    const ordered =
      choice === null ? found : await this.#rerank(workspaceId, choice, request.query, found, warnings, signal);
    const hits: RankedHit[] = ordered.slice(0, request.limit);
    const damaged = broken.map(({ table }) => table);
    const absent = hits.length === 0 ? await this.#absent(targets) : [];
    for (const table of damaged) await this.#repair(searched, table, 'damaged', warnings);
    for (const table of absent) if (!damaged.includes(table)) await this.#repair(searched, table, 'absent', warnings);
    const withPlaces = request.withPlaces === true || request.highlight;
    const keys = withPlaces ? hits.map(({ chunk }) => chunk.chunkKey) : [];
    const lineMaps = await readLineMaps(this.#deps.database, workspaceId, keys);
    const shown = hits.map((hit) => present(hit, request, judge.judge(hit), lineMaps.get(hit.chunk.chunkKey)));
    const tookMs = this.#deps.now() - startedAt;
    this.#deps.observe(mode, tookMs / 1000);
    const spaces = new Set(targets.map((target) => target.vectorSpace));
    const denseModelId = spaces.size === 1 && mode !== 'sparse' ? ([...spaces][0] ?? null) : null;
    return { hits: shown, denseModelId, warnings, tookMs: Math.round(tookMs * 100) / 100 };
  }

  /** Orders the first hits by the reranker's scores; the others follow with lower scores. */
  async #rerank(
    workspaceId: string,
    choice: RerankChoice,
    query: string,
    hits: readonly RetrievedHit<SearchedChunk>[],
    warnings: SearchWarning[],
    signal: AbortSignal,
  ): Promise<RankedHit[]> {
    const first = hits.slice(0, choice.topK);
    if (first.length === 0) return [...hits];
    const texts = first.map(({ chunk }) => [...chunk.headings, chunk.text].join('\n'));
    const outcome = await this.#deps.reranking.score(workspaceId, choice, query, texts, signal);
    if ('problem' in outcome) {
      warnings.push({ type: 'rerank_unavailable', message: `The hits are not reranked: ${outcome.problem}` });
      return [...hits];
    }
    const { scores, tookMs } = outcome;
    const ranked = first.map((hit, at): RankedHit => {
      const score = scores[at] ?? 0;
      return {
        ...hit,
        score,
        fused: hit.score,
        rerank: { rank: at + 1, score: Math.round(score * 1e6) / 1e6, tookMs },
      };
    });
    const lowest = Math.min(...scores);
    const best = hits[choice.topK]?.score ?? 1;
    const rest = hits.slice(choice.topK).map((hit) => ({
      ...hit,
      score: best > 0 ? (hit.score / best) * lowest : 0,
      fused: hit.score,
    }));
    return [...ranked.toSorted((a, b) => b.score - a.score), ...rest];
  }

  #choose(
    ids: readonly string[],
    found: ReadonlyMap<string, LiveIndex>,
    { allowed, loc }: { allowed: readonly string[] | null; loc: ErrorLocation | undefined },
  ): LiveIndex[] {
    const problems: ErrorDetail[] = [];
    const searched = ids.flatMap((id, position) => {
      const known = allowed === null || allowed.includes(id) ? found.get(id) : undefined;
      if (known === undefined) {
        if (loc === undefined) throw notFound();
        problems.push(...valueError([...loc, position], 'there is no such collection', id).details);
        return [];
      }
      return [known];
    });
    if (problems.length > 0) throw new ApiError(422, problems);
    const gone = searched.find(({ collection }) => collection.deleted_at !== null);
    if (gone !== undefined) throw deleted('The collection is deleted', { collectionId: gone.collection.id });
    return searched;
  }

  async #target(
    { collection, index }: LiveIndex,
    request: SearchRequest<DocumentCondition>,
    signal: AbortSignal,
  ): Promise<PreparedTarget> {
    const { language } = index.recipe;
    const [shares, dense] = await Promise.all([
      language === undefined ? this.#deps.languages.of(collection.id) : [{ language, documents: 1 }],
      request.mode === 'sparse' ? NO_VECTOR : this.#deps.queryEmbedding.of(index, request.query, signal),
    ]);
    const target = {
      table: { name: index.table_name, dimensions: index.dimensions },
      terms: analyseQuery(request.query, shares),
      vector: dense.vector,
      vectorSpace: dense.modelId,
    };
    const fusion = dense.vector === null ? null : this.#deps.defaultFusion(dense.modelId, shares);
    return { target, fusion, problem: dense.problem };
  }

  /** Returns the vectors of the background texts of each model that embedded the query. */
  async #backgrounds(
    searched: readonly LiveIndex[],
    prepared: readonly PreparedTarget[],
    signal: AbortSignal,
  ): Promise<Map<string, readonly Float32Array[]>> {
    const found = new Map<string, readonly Float32Array[]>();
    for (const [position, { target }] of prepared.entries()) {
      const index = searched[position]?.index;
      const { vector, vectorSpace } = target;
      if (vector === null || vectorSpace === null || index === undefined || found.has(vectorSpace)) continue;
      const texts = await this.#deps.queryEmbedding.background(index, signal);
      if (texts !== null) found.set(vectorSpace, texts);
    }
    return found;
  }

  /** Returns the mode that can be served; a search whose vectors are missing falls back to terms, with a warning. */
  #effectiveMode(
    mode: SearchRequest<never>['mode'],
    targets: readonly RetrievalTarget[],
    problems: readonly string[],
    warnings: SearchWarning[],
  ): SearchRequest<never>['mode'] {
    if (mode === 'sparse' || targets.every((target) => target.vector !== null)) return mode;
    warnings.push({
      type: 'dense_unavailable',
      message:
        problems.length === 0
          ? 'Not all of these collections have dense embeddings: answered by terms (sparse) where they are missing'
          : `Answered by terms (sparse) where the embedder failed: ${[...new Set(problems)].join('; ')}`,
    });
    return targets.some((target) => target.vector !== null) ? 'hybrid' : 'sparse';
  }

  /** Returns the tables that do not exist, because the collection is empty or the table was lost. */
  async #absent(targets: readonly RetrievalTarget[]): Promise<string[]> {
    const stats = await Promise.all(targets.map(({ table }) => this.#deps.searchIndex.stats(table).catch(() => null)));
    return targets.flatMap(({ table }, position) => (stats[position] === undefined ? [table.name] : []));
  }

  /**
   * Queues the rebuild of a damaged table, or of an absent one whose collection has chunks, and adds a warning. The row
   * count of a damaged table proves nothing.
   */
  async #repair(
    searched: readonly LiveIndex[],
    table: string,
    state: 'damaged' | 'absent',
    warnings: SearchWarning[],
  ): Promise<void> {
    const found = searched.find(({ index }) => index.table_name === table);
    if (found === undefined) return;
    const { id } = found.collection;
    if (state === 'damaged') await this.#deps.indexCheck.rebuild(id, found.index.generation);
    else if ((await this.#deps.indexCheck.run([id])).length === 0) return;
    warnings.push({
      type: 'index_rebuilding',
      message: `The index of collection ${id} is being rebuilt; hits may be missing until it is done`,
    });
  }
}

/** Returns the reranker that all searched collections have in common. */
function commonReranker(searched: readonly LiveIndex[]): RerankChoice | null {
  const [first, ...others] = searched.map(({ collection }) => collection.rerank);
  const isSame = (other: RerankChoice | null): boolean => other?.model === first?.model && other?.topK === first?.topK;
  return first !== undefined && others.every(isSame) ? first : null;
}

/** Returns the collections that still exist; the others were deleted after their ids were read. */
function notDeleted(ids: readonly string[], found: ReadonlyMap<string, LiveIndex>): LiveIndex[] {
  return ids.flatMap((id) => {
    const known = found.get(id);
    return known?.collection.deleted_at === null ? [known] : [];
  });
}

/** Returns the fusion with the lowest dense weight, so that a weak embedder does not degrade the other collections. */
function weakest(prepared: readonly PreparedTarget[]): FusionOptions {
  const defaults = prepared.flatMap(({ fusion }) => fusion ?? []);
  return defaults.toSorted((a, b) => a.denseWeight - b.denseWeight)[0] ?? TERMS_ONLY;
}

function definedOnly(fusion: Partial<FusionOptions> | undefined): Partial<FusionOptions> {
  return Object.fromEntries(Object.entries(fusion ?? {}).filter(([, value]) => value !== undefined));
}

const explained = ({ dense, sparse, score, fused = score, rerank }: RankedHit): NonNullable<SearchHit['explain']> => ({
  dense,
  sparse,
  fused,
  ...(rerank === undefined ? {} : { rerank }),
});

function present(
  hit: RankedHit,
  request: SearchRequest<unknown>,
  { relevance, matches, matcher }: Judgement,
  places: ChunkPlaces = NO_PLACES,
): SearchHit {
  const { chunk } = hit;
  const highlights = request.highlight ? highlightsOf(matches) : [];
  const inNames = (names: readonly string[]): Highlight[][] =>
    request.highlight ? names.map((name) => highlightsOf(matcher.matchesIn(name, chunk.language))) : [];
  return {
    documentId: chunk.documentId,
    documentName: chunk.documentName,
    documentTitle: chunk.documentTitle,
    collectionId: chunk.collectionId,
    chunkId: chunk.id,
    revision: chunk.revision,
    score: hit.score,
    relevance,
    text: chunk.text,
    snippet: snippetOf(chunk.text, matches).text,
    highlights,
    nameHighlights: inNames([chunk.documentName])[0] ?? [],
    headingHighlights: inNames(chunk.headings),
    highlightBoxes: boxesOfRanges(places, highlights),
    highlightBlocks: highlights.flatMap(([start, end]) => blocksOfText(places, start, end)),
    headings: chunk.headings,
    boxes: chunk.boxes,
    blockIds: chunk.blockIds,
    metadata: chunk.metadata,
    ...(request.withPlaces === true ? { places } : {}),
    ...(request.explain ? { explain: explained(hit) } : {}),
  };
}
