/** What was retrieved for one answer, numbered as the model sees it: a passage keeps its number over all searches. */
import type { TokenCounter } from '@quire/text/chunk/token-counter';
import type { SearchHit } from '../../search/types.ts';
import { defuse, defuseLine } from './fence.ts';

export interface Source {
  /** From 1. */
  number: number;
  hit: SearchHit;
  /** Place in the search that found it first, from 0. */
  rank: number;
}

export class SourceList {
  readonly #sources: Source[] = [];

  /** The hits as sources, in their order. */
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

  /** In the order of their numbers. */
  get all(): readonly Source[] {
    return this.#sources;
  }

  /**
   * The sources that fit into so many tokens, whole: the best of each search first, of equal rank the later found ones.
   * One that does not fit is left out, and so are all that are worse.
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

/** The empty line between two sources. */
const SEPARATOR_TOKENS = 2;

/** A source as the model reads it, within a fence. */
export function renderSource({ number, hit }: Source): string {
  const place = [hit.documentName, ...hit.headings].map(defuseLine).join(' › ');
  return `[${number}] ${place}\n${defuse(hit.text)}`;
}
