/** Computes the relevance of hits from the evidence of both legs; see `@quire/search/relevance`. */
import { QueryMatcher } from '@quire/search/highlight';
import { backgroundOf, relevanceOf, type Background } from '@quire/search/relevance';
import type { RetrievalTarget } from '@quire/search/retrieval-plan';
import type { RetrievedHit } from '@quire/search/retrieve';
import { termsOf } from '@quire/text/language/analyse-query';
import type { SearchedChunk } from './live-chunks.ts';

type Matches = ReturnType<QueryMatcher['matchesIn']>;
type Candidate = Pick<RetrievedHit<SearchedChunk>, 'chunk' | 'target' | 'cosine'>;

export interface Judgement {
  relevance: number;
  /** Words of the chunk's text that match the query. */
  matches: Matches;
  /** Finds the words of other texts that match the query. */
  matcher: QueryMatcher;
}

/** The query of one target. */
interface TargetQuery {
  matcher: QueryMatcher;
  /** Terms of each distinct word of the query; a repeated word counts once. */
  words: readonly (readonly string[])[];
}

export class HitRelevance {
  readonly #backgrounds: ReadonlyMap<string, readonly Float32Array[]>;
  readonly #byTable = new Map<string, Background | null>();
  readonly #byTarget = new Map<RetrievalTarget, TargetQuery>();
  readonly #judged = new Map<SearchedChunk, Judgement>();

  /** `backgrounds`: vectors of the background texts by embedding model. */
  constructor(backgrounds: ReadonlyMap<string, readonly Float32Array[]>) {
    this.#backgrounds = backgrounds;
  }

  judge(hit: Candidate): Judgement {
    const known = this.#judged.get(hit.chunk);
    if (known !== undefined) return known;
    const { chunk, target, cosine } = hit;
    const { matcher, words } = this.#queryOf(target);
    const matches = matcher.matchesIn(chunk.text, chunk.language);
    const names = [...chunk.headings, chunk.documentName, chunk.documentTitle ?? ''].join('\n');
    const found = new Set([...matches, ...matcher.matchesIn(names, chunk.language)].map(({ term }) => term));
    const matchedCount = words.filter((terms) => terms.some((each) => found.has(each))).length;
    const background = this.#backgroundOf(target);
    const deviation = cosine === null || background === null ? null : (cosine - background.mean) / background.deviation;
    const relevance = relevanceOf({ deviation, termCount: words.length, matchedCount });
    const judgement = { relevance: Math.round(relevance * 1e4) / 1e4, matches, matcher };
    this.#judged.set(chunk, judgement);
    return judgement;
  }

  #queryOf(target: RetrievalTarget): TargetQuery {
    const known = this.#byTarget.get(target);
    if (known !== undefined) return known;
    const words = new Map(target.terms.map((term) => [termsOf([term]).join(' '), termsOf([term])]));
    const query = { matcher: new QueryMatcher(termsOf(target.terms)), words: [...words.values()] };
    this.#byTarget.set(target, query);
    return query;
  }

  #backgroundOf({ table, vector, vectorSpace }: RetrievalTarget): Background | null {
    const known = this.#byTable.get(table.name);
    if (known !== undefined) return known;
    const texts = vectorSpace === null ? undefined : this.#backgrounds.get(vectorSpace);
    const background = vector === null || texts === undefined ? null : backgroundOf(vector, texts);
    this.#byTable.set(table.name, background);
    return background;
  }
}
