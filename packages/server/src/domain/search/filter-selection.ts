/** How one search applies its filter: as documents that the index is limited to, or to what the index finds. */
import type { IndexFilter } from '@quire/search/search-index';
import type { RetrievalOptions } from '@quire/search/retrieve';
import type { DocumentCondition } from '../documents/repository.ts';
import type { FilterMatches, Matches } from './filter-matches.ts';
import type { SearchedDocuments } from './matching-documents.ts';

/** Fewer hits tell nothing of how many match. */
const TELLING_HITS = 100;

export class FilterSelection {
  readonly #filterMatches: FilterMatches;
  readonly #among: SearchedDocuments;
  readonly #filter: DocumentCondition;
  readonly #matches: Matches;
  #isNarrowed = false;

  constructor(filterMatches: FilterMatches, among: SearchedDocuments, filter: DocumentCondition, matches: Matches) {
    this.#filterMatches = filterMatches;
    this.#among = among;
    this.#filter = filter;
    this.#matches = matches;
  }

  get indexFilter(): IndexFilter {
    return 'keys' in this.#matches ? { includeDocuments: this.#matches.keys } : {};
  }

  /** What the records have to test; null when the index leaves nothing of it. */
  get condition(): DocumentCondition | null {
    return 'keys' in this.#matches ? null : this.#filter;
  }

  get retrieval(): Pick<RetrievalOptions, 'expectedShare' | 'narrow'> {
    if ('keys' in this.#matches) return {};
    return { expectedShare: this.#matches.share, narrow: () => this.#narrow() };
  }

  learn({ asked, alive }: { asked: number; alive: number }): void {
    if ('keys' in this.#matches || this.#isNarrowed || asked < TELLING_HITS) return;
    this.#filterMatches.learn(this.#among, this.#filter, alive / asked);
  }

  async #narrow(): Promise<IndexFilter | null> {
    const keys = await this.#filterMatches.list(this.#among, this.#filter);
    if (keys === null) return null;
    this.#isNarrowed = true;
    return { includeDocuments: keys };
  }
}
