/** Prepares a query for each searched collection: its terms and vector, and the mode and fusion of the search. */
import type { FusionOptions } from '@quire/search/fusion';
import type { RetrievalTarget } from '@quire/search/retrieval-plan';
import { analyseQuery, type LanguageShare } from '@quire/text/language/analyse-query';
import type { LiveIndex } from '../collections/live-indexes.ts';
import type { CollectionLanguages } from './collection-languages.ts';
import { isEnglishModel } from './default-fusion.ts';
import type { Likenesses } from './likeness.ts';
import { holdsForeign } from './order-by-likeness.ts';
import type { QueryEmbedding, QueryVector } from './query-embedding.ts';
import type { SearchRequest, SearchWarning } from './types.ts';

export interface QueryPreparationDeps {
  languages: CollectionLanguages;
  queryEmbedding: QueryEmbedding;
  /** Returns the default fusion for an embedding model and the languages of the searched documents. */
  defaultFusion: (modelId: string, shares: readonly LanguageShare[]) => FusionOptions;
  likenesses: Pick<Likenesses, 'of'>;
}

type Mode = SearchRequest<never>['mode'];
type Request = Pick<SearchRequest<unknown>, 'query' | 'mode' | 'fusion'>;

export interface PreparedQuery {
  /** One per searched collection, in the same order. */
  targets: RetrievalTarget[];
  /** The mode that can be served. */
  mode: Mode;
  fusion: FusionOptions;
  /** Whether the first hits are compared with the query by a static model of their language. */
  isCompared: boolean;
  /** Vectors of the background texts, by embedding model. */
  backgrounds: ReadonlyMap<string, readonly Float32Array[]>;
  warnings: SearchWarning[];
}

interface PreparedTarget {
  target: RetrievalTarget;
  /** The default fusion; null without a dense leg. */
  fusion: FusionOptions | null;
  /** Whether many documents are in a language other than English that has a static model. */
  isForeign: boolean;
  /** The reason for a missing query vector, although the index has vectors. */
  problem: string | null;
}

const NO_VECTOR: QueryVector = { modelId: null, vector: null, problem: null };
/** The fusion of searches without a dense leg, where weights have no effect. */
const TERMS_ONLY: FusionOptions = { method: 'minmax', denseWeight: 0, sparseWeight: 1 };

export class QueryPreparation {
  readonly #deps: QueryPreparationDeps;

  constructor(deps: QueryPreparationDeps) {
    this.#deps = deps;
  }

  async prepare(searched: readonly LiveIndex[], request: Request, signal: AbortSignal): Promise<PreparedQuery> {
    const prepared = await Promise.all(searched.map((each) => this.#target(each, request, signal)));
    const targets = prepared.map(({ target }) => target);
    const problems = prepared.flatMap(({ problem }) => problem ?? []);
    const served = servedMode(request.mode, targets, problems);
    const isFused = served.mode === 'hybrid' && request.fusion === undefined;
    return {
      targets,
      ...served,
      fusion: { ...weakestFusion(prepared), ...definedOnly(request.fusion) },
      isCompared: isFused && prepared.every(isEnglish) && prepared.some(({ isForeign }) => isForeign),
      backgrounds: await this.#backgrounds(searched, targets, signal),
    };
  }

  async #target({ collection, index }: LiveIndex, request: Request, signal: AbortSignal): Promise<PreparedTarget> {
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
    const isForeign = holdsForeign(shares, this.#deps.likenesses);
    return { target, fusion, isForeign, problem: dense.problem };
  }

  /** Returns the vectors of the background texts of each model that embedded the query. */
  async #backgrounds(
    searched: readonly LiveIndex[],
    targets: readonly RetrievalTarget[],
    signal: AbortSignal,
  ): Promise<PreparedQuery['backgrounds']> {
    const found = new Map<string, readonly Float32Array[]>();
    for (const [position, { vector, vectorSpace }] of targets.entries()) {
      const index = searched[position]?.index;
      if (vector === null || vectorSpace === null || index === undefined || found.has(vectorSpace)) continue;
      const vectors = await this.#deps.queryEmbedding.background(index, signal);
      if (vectors !== null) found.set(vectorSpace, vectors);
    }
    return found;
  }
}

const isEnglish = ({ target: { vectorSpace } }: PreparedTarget): boolean =>
  vectorSpace !== null && isEnglishModel(vectorSpace);

/** Returns the mode that can be served; a search whose vectors are missing falls back to terms, with a warning. */
function servedMode(
  requested: Mode,
  targets: readonly RetrievalTarget[],
  problems: readonly string[],
): { mode: Mode; warnings: SearchWarning[] } {
  if (requested === 'sparse' || targets.every((target) => target.vector !== null)) {
    return { mode: requested, warnings: [] };
  }
  const message =
    problems.length === 0
      ? 'Not all of these collections have dense embeddings: answered by terms (sparse) where they are missing'
      : `Answered by terms (sparse) where the embedder failed: ${[...new Set(problems)].join('; ')}`;
  return {
    mode: targets.some((target) => target.vector !== null) ? 'hybrid' : 'sparse',
    warnings: [{ type: 'dense_unavailable', message }],
  };
}

/** Returns the fusion with the lowest dense weight, so that a weak embedder does not degrade the other collections. */
function weakestFusion(prepared: readonly PreparedTarget[]): FusionOptions {
  const defaults = prepared.flatMap(({ fusion }) => fusion ?? []);
  return defaults.toSorted((a, b) => a.denseWeight - b.denseWeight)[0] ?? TERMS_ONLY;
}

function definedOnly(fusion: Partial<FusionOptions> | undefined): Partial<FusionOptions> {
  return Object.fromEntries(Object.entries(fusion ?? {}).filter(([, value]) => value !== undefined));
}
