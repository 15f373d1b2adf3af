/** Chooses how a search applies its filter: by pushdown of an allow-list into the index, or as a post-filter. */
import type { IndexFilter } from '@quire/search/search-index';
import type { LookupStats } from '@quire/search/record-lookups';
import type { PostFilter } from '@quire/search/retrieval-plan';
import type { DocumentCondition } from '../documents/repository.ts';
import type { FilterMatches, Matches } from './filter-matches.ts';
import type { SearchedDocuments } from './matching-documents.ts';

/** Minimum number of checked hits for an estimate of the matching share. */
const MIN_SAMPLE = 100;

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

  /** The condition that the records must test; null when the filter is pushed down whole. */
  get condition(): DocumentCondition | null {
    return 'keys' in this.#matches ? null : this.#filter;
  }

  /** Null when the filter is pushed down whole. */
  get postFilter(): PostFilter | null {
    if ('keys' in this.#matches) return null;
    return { expectedShare: this.#matches.share, allowList: () => this.#allowList() };
  }

  /** Updates the estimated share of matching documents from a search that was not narrowed by an allow-list. */
  learn({ checked, visible }: LookupStats): void {
    if ('keys' in this.#matches || this.#isNarrowed || checked < MIN_SAMPLE) return;
    this.#filterMatches.learn(this.#among, this.#filter, visible / checked);
  }

  async #allowList(): Promise<IndexFilter | null> {
    const keys = await this.#filterMatches.list(this.#among, this.#filter);
    if (keys === null) return null;
    this.#isNarrowed = true;
    return { includeDocuments: keys };
  }
}
