/**
 * Finds out what a search's filter matches. If it matches few documents, their keys are listed and pushed down into the
 * index; otherwise only the matching share is estimated, and hits are over-fetched and post-filtered. Both are cached
 * by filter and collections. Each search updates a cached list with the documents changed since, so that the list is
 * exact; a share is an estimate.
 */
import type { Kysely } from 'kysely';
import { inShareOf } from '../../database/connection-shares.ts';
import { withFilterLimit } from '../../database/filter-limit.ts';
import type { Database } from '../../database/tables.ts';
import type { DocumentCondition } from '../documents/repository.ts';
import {
  readMatches,
  sampledShare,
  updatedMatches,
  type MatchList,
  type SearchedDocuments,
} from './matching-documents.ts';

export type Matches =
  /** The keys of all matching documents. */
  | { keys: BigInt64Array }
  /** The estimated share of matching documents, when there are too many to list. */
  | { share: number };

/** Share above which over-fetching is faster than listing the documents. */
const BROAD_SHARE = 1 / 10;
/** Lower bound of an estimated share, for a filter that matches none of the sample. */
const MIN_SHARE = 1 / 50;
const MAX_LISTED = 20_000;
/** Maximum list length of the first attempt for a filter with an indexed equality condition. */
const FIRST_LIST_LENGTH = 1_000;
/** Maximum number of changed documents that are tested to update a list, instead of reading it again. */
const MAX_CHANGES = 5_000;
/** Weight of a new observation in the moving average (EWMA) of a filter's share. */
const SELECTIVITY_ALPHA = 1 / 4;
const SHARE_KEPT_MS = 60_000;
const MAX_SHARES = 1_000;
/** Maximum number of keys in all cached lists, 8 bytes each. */
const MAX_KEPT_KEYS = 1_000_000;

export class FilterMatches {
  readonly #database: Kysely<Database>;
  readonly #now: () => number;
  /** Cached lists, least recently used first. */
  readonly #lists = new Map<string, MatchList>();
  readonly #reading = new Map<string, Promise<MatchList | null>>();
  readonly #shares = new Map<string, { share: number; until: number }>();
  #keptKeys = 0;

  constructor(deps: { database: Kysely<Database>; now: () => number }) {
    this.#database = deps.database;
    this.#now = deps.now;
  }

  async of(among: SearchedDocuments, filter: DocumentCondition): Promise<Matches> {
    const name = nameOf(among, filter);
    let keys: BigInt64Array | null = null;
    let share = this.#shareOf(name);
    if (this.#lists.has(name) || (filter.hasEquality === true && share === undefined)) {
      keys = await this.list(among, filter, FIRST_LIST_LENGTH);
      if (keys !== null) return { keys };
    }
    if (share !== undefined) return { share };
    share = await this.#shared(among, () => withFilterLimit(filter, () => sampledShare(this.#database, among, filter)));
    if (share < BROAD_SHARE) keys = await this.list(among, filter);
    if (keys !== null) return { keys };
    this.learn(among, filter, share);
    return { share: Math.max(share, MIN_SHARE) };
  }

  /** Returns the keys of all matching documents, or null when more than `limit` match. */
  async list(among: SearchedDocuments, filter: DocumentCondition, limit = MAX_LISTED): Promise<BigInt64Array | null> {
    const name = nameOf(among, filter);
    // Another search's list may be older than this search, as a cached one is: both are updated.
    const running = this.#lists.has(name) ? undefined : this.#reading.get(`${limit} ${name}`);
    const read = await running?.catch(() => undefined);
    if (read === null) return null;
    const kept = this.#lists.get(name) ?? read;
    const updated =
      kept && (await this.#shared(among, () => updatedMatches(this.#database, among, filter, kept, MAX_CHANGES)));
    if (kept !== undefined && updated === undefined && this.#lists.get(name) === kept) this.#forget(name);
    const list = updated ?? (await this.#read(name, among, filter, limit));
    if (list === null || list.keys.length > MAX_LISTED) {
      this.#forget(name);
      return null;
    }
    this.#keep(name, list);
    return list.keys;
  }

  /** Updates the estimated share with the share of hits that matched in a search of all documents. */
  learn(among: SearchedDocuments, filter: DocumentCondition, seen: number): void {
    const name = nameOf(among, filter);
    const share = Math.max(MIN_SHARE, seen);
    const before = this.#shareOf(name) ?? share;
    if (this.#shares.size >= MAX_SHARES) this.#shares.clear();
    const learnt = before + (share - before) * SELECTIVITY_ALPHA;
    this.#shares.set(name, { share: learnt, until: this.#now() + SHARE_KEPT_MS });
  }

  #shareOf(name: string): number | undefined {
    const known = this.#shares.get(name);
    return known !== undefined && known.until > this.#now() ? known.share : undefined;
  }

  async #read(
    name: string,
    among: SearchedDocuments,
    filter: DocumentCondition,
    limit: number,
  ): Promise<MatchList | null> {
    const key = `${limit} ${name}`;
    const reading = this.#shared(among, () =>
      withFilterLimit(filter, () => readMatches(this.#database, among, filter, limit)),
    );
    this.#reading.set(key, reading);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    }
  }

  /** Runs a statement, which may take long, on a connection of the workspace's share. */
  #shared<T>({ workspaceId }: SearchedDocuments, run: () => Promise<T>): Promise<T> {
    return inShareOf(this.#database, workspaceId, run);
  }

  #keep(name: string, list: MatchList): void {
    const kept = this.#lists.get(name);
    if (kept !== undefined && kept.horizon > list.horizon) return;
    this.#forget(name);
    this.#lists.set(name, list);
    this.#keptKeys += list.keys.length;
    for (const oldest of this.#lists.keys()) {
      if (this.#keptKeys <= MAX_KEPT_KEYS && this.#lists.size <= MAX_SHARES) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#keptKeys -= this.#lists.get(name)?.keys.length ?? 0;
    this.#lists.delete(name);
  }
}

const nameOf = ({ workspaceId, collectionIds }: SearchedDocuments, filter: DocumentCondition): string =>
  [workspaceId, ...collectionIds.toSorted(), filter.identity].join(' ');
