/** The chunks retrieved for one answer, numbered as the model sees them; a chunk keeps its number over all searches. */
import type { TokenCounter } from '@quire/text/chunk/token-counter';
import type { SearchHit } from '../../search/types.ts';
import { defuse, defuseLine } from './fence.ts';

export interface Source {
  /** Number of the source, from 1. */
  number: number;
  hit: SearchHit;
  /** Rank in the search that found it first, from 0. */
  rank: number;
}

export class SourceList {
  readonly #sources: Source[] = [];

  /** Returns the hits as sources, in order; hits that are already listed keep their source. */
  add(hits: readonly SearchHit[]): Source[] {
    return hits.map((hit, rank) => {
      const known = this.#sources.find((source) => source.hit.chunkId === hit.chunkId);
      if (known !== undefined) return known;
      const source = { number: this.#sources.length + 1, hit, rank };
      this.#sources.push(source);
      return source;
    });
  }

  get(number: number): Source | undefined {
    return this.#sources[number - 1];
  }

  /** All sources in the order of their numbers. */
  get all(): readonly Source[] {
    return this.#sources;
  }

  /**
   * Returns the sources that fit into a number of tokens: by rank, and of equal rank the later ones first. The first
   * source that does not fit is omitted with all that follow.
   */
  fitting(maxTokens: number, counter: TokenCounter): Set<Source> {
    const kept = new Set<Source>();
    let left = maxTokens;
    for (const source of this.#sources.toSorted((a, b) => a.rank - b.rank || b.number - a.number)) {
      left -= counter.count(renderSource(source)) + SEPARATOR_TOKENS;
      if (left < 0) break;
      kept.add(source);
    }
    return kept;
  }
}

/** Number of tokens of the empty line between two sources. */
const SEPARATOR_TOKENS = 2;

const placeOf = ({ documentName, headings }: SearchHit): string =>
  [documentName, ...headings].map(defuseLine).join(' › ');

/** Returns the text of a source as the model receives it, inside a fence. */
export const renderSource = ({ number, hit }: Source): string => `[${number}] ${placeOf(hit)}\n${defuse(hit.text)}`;

/**
 * The same for models without tools, which are small: sources that begin with a mark and a title make them answer with
 * lists of marks and titles.
 */
export const renderPassage = ({ number, hit }: Source): string =>
  `Passage ${number} (from ${placeOf(hit)}):\n${defuse(hit.text)}`;
