/** Searches one or several collections: prepares the query for each, retrieves, and presents the hits. */
import type { RetrievalTarget } from '@quire/search/retrieval-plan';
import { retrieve, type RetrievedHit } from '@quire/search/retrieve';
import type { SearchIndex } from '@quire/search/search-index';
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { ErrorLocation } from '../../errors.ts';
import type { IndexCheck } from '../collections/index-check.ts';
import type { LiveIndex, LiveIndexes } from '../collections/live-indexes.ts';
import { CollectionRepository } from '../collections/repository.ts';
import type { DocumentCondition } from '../documents/repository.ts';
import type { FilterMatches } from './filter-matches.ts';
import { FilterSelection } from './filter-selection.ts';
import { HitRelevance } from './hit-relevance.ts';
import { IndexRepair } from './index-repair.ts';
import { readLargeMetadata, type LargeMetadata } from './large-metadata.ts';
import { readLineMaps } from './line-maps.ts';
import type { Likenesses } from './likeness.ts';
import { LiveChunks, OutdatedIndexError, type SearchedChunk } from './live-chunks.ts';
import { COMPARED_HITS, orderByLikeness } from './order-by-likeness.ts';
import { presentHit } from './present-hit.ts';
import { QueryPreparation, type QueryPreparationDeps } from './query-preparation.ts';
import { commonReranker, rerankHits, type RankedHit } from './rerank-hits.ts';
import type { Reranking } from './reranking.ts';
import { existingCollections, namedCollections } from './searched-collections.ts';
import type { SearchAnswer, SearchHit, SearchRequest } from './types.ts';

export interface SearchServiceDeps extends QueryPreparationDeps {
  database: Kysely<Database>;
  searchIndex: SearchIndex;
  liveIndexes: LiveIndexes;
  indexCheck: IndexCheck;
  filterMatches: FilterMatches;
  reranking: Reranking;
  likenesses: Likenesses;
  /** Returns the time of a monotonic clock, in ms. */
  now: () => number;
  observe: (mode: string, seconds: number) => void;
}

type Request = SearchRequest<DocumentCondition>;

interface Searched {
  workspaceId: string;
  searched: readonly LiveIndex[];
  /** True when the index records come from a cache. */
  cached: boolean;
  startedAt: number;
}

export class SearchService {
  readonly #deps: SearchServiceDeps;
  readonly #preparation: QueryPreparation;
  readonly #repair: IndexRepair;

  constructor(deps: SearchServiceDeps) {
    this.#deps = deps;
    this.#preparation = new QueryPreparation(deps);
    this.#repair = new IndexRepair(deps);
  }

  /**
   * Searches the collections; null searches all collections of the workspace that the key may read. `allowed` lists the
   * collections that the caller's key is limited to, null for all. Throws a 422 at `loc` that names unknown ids, or a
   * 404 without `loc` (the route names the one collection).
   */
  async search(
    workspaceId: string,
    collectionIds: readonly string[] | null,
    request: Request,
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
    const choose = (found: ReadonlyMap<string, LiveIndex>): LiveIndex[] =>
      all ? existingCollections(ids, found) : namedCollections(ids, found, { allowed, loc });
    const cached = await liveIndexes.recall(workspaceId, ids);
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
    request: Request,
    signal: AbortSignal,
  ): Promise<SearchAnswer> {
    const { database, searchIndex, reranking, likenesses } = this.#deps;
    const [selection, prepared] = await Promise.all([
      this.#select(workspaceId, searched, request.filter),
      this.#preparation.prepare(searched, request, signal),
    ]);
    const { mode, fusion, isCompared } = prepared;
    const targets = prepared.targets.map((target) => ({ ...target, filter: selection?.indexFilter ?? {} }));
    const live = new LiveChunks(database, { workspaceId, searched, condition: selection?.condition ?? null, cached });
    const choice = request.rerank === undefined ? commonReranker(searched) : request.rerank;
    const limit = Math.max(request.limit, choice?.topK ?? 0, isCompared ? COMPARED_HITS : 0);
    const plan = { limit, mode, fusion, postFilter: selection?.postFilter ?? null };
    const judge = new HitRelevance(prepared.backgrounds);
    const { minScore = 0 } = request;
    const isRelevant = (hit: RetrievedHit<SearchedChunk>): boolean =>
      minScore <= 0 || judge.judge(hit).relevance >= minScore;
    const found = await retrieve(searchIndex, targets, live, plan, signal, isRelevant);
    selection?.learn(found.stats);
    const ordered = isCompared ? await orderByLikeness(likenesses, request.query, found.hits, signal) : found.hits;
    const ranked =
      choice === null
        ? { hits: ordered, warnings: [] }
        : await rerankHits(reranking, { workspaceId, choice, query: request.query }, ordered, signal);
    const hits = ranked.hits.slice(0, request.limit);
    const damaged = found.broken.map(({ table }) => table);
    const repairs = await this.#repair.repair(searched, targets, { damaged, hasHits: hits.length > 0 });
    const { metadata, warnings } = await this.#metadata(workspaceId, hits, request);
    const presented = await this.#present(workspaceId, hits, request, { judge, metadata });
    const tookMs = this.#deps.now() - startedAt;
    this.#deps.observe(mode, tookMs / 1000);
    return {
      hits: presented,
      denseModelId: mode === 'sparse' ? null : commonModel(targets),
      warnings: [...prepared.warnings, ...ranked.warnings, ...repairs, ...warnings],
      tookMs: Math.round(tookMs * 100) / 100,
    };
  }

  /** Returns how the filter is applied; undefined without a filter. */
  async #select(
    workspaceId: string,
    searched: readonly LiveIndex[],
    filter: DocumentCondition | undefined,
  ): Promise<FilterSelection | undefined> {
    if (filter === undefined) return undefined;
    const { filterMatches } = this.#deps;
    const among = { workspaceId, collectionIds: searched.map(({ collection }) => collection.id) };
    return new FilterSelection(filterMatches, among, filter, await filterMatches.of(among, filter));
  }

  /** Returns the large metadata of the hits that are shown with metadata. */
  #metadata(workspaceId: string, hits: readonly RankedHit[], { metadataFrom }: Request): Promise<LargeMetadata> {
    const shown = metadataFrom === undefined ? [] : hits.slice(metadataFrom);
    return readLargeMetadata(
      this.#deps.database,
      workspaceId,
      shown.map(({ chunk }) => chunk),
    );
  }

  async #present(
    workspaceId: string,
    hits: readonly RankedHit[],
    request: Request,
    { judge, metadata }: { judge: HitRelevance; metadata: LargeMetadata['metadata'] },
  ): Promise<SearchHit[]> {
    const withPlaces = request.withPlaces === true || request.highlight;
    const keys = withPlaces ? hits.map(({ chunk }) => chunk.chunkKey) : [];
    const lineMaps = await readLineMaps(this.#deps.database, workspaceId, keys);
    return hits.map((hit) =>
      presentHit(hit, request, judge.judge(hit), {
        places: lineMaps.get(hit.chunk.chunkKey),
        metadata: hit.chunk.metadata ?? metadata.get(hit.chunk.documentKey),
      }),
    );
  }
}

/** Returns the embedding model that all targets have in common. */
function commonModel(targets: readonly RetrievalTarget[]): string | null {
  const models = new Set(targets.map((target) => target.vectorSpace));
  return models.size === 1 ? ([...models][0] ?? null) : null;
}
