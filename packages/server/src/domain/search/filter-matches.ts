/**
 * What filters of searches match: for few documents their list, which is pushed into the index, for many only about how many,
 * and the records' join drops what does not match. Both are remembered by filter and collections. A list is brought up to
 * date for each search, from the documents that were changed since, so it is as exact as one that is read; a share need not be.
 */
import type { Kysely } from 'kysely';
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
  /** All that match. */
  | { keys: BigInt64Array }
  /** More than are listed: about this part of all. */
  | { share: number };

/** From here on to look at more hits takes less time than to list documents. */
const BROAD_SHARE = 1 / 10;
/** Of a filter that matches too many to be listed, but none of the sample. */
const LEAST_SHARE = 1 / 50;
const MAX_LISTED = 20_000;
/** Where an index on equality tells: found as soon as it is estimated how many there are. */
const FEW = 1_000;
/** To test this many documents takes less time than to read all of a collection that has more. */
const MAX_CHANGES = 5_000;
/** Of what a search shows, for the next one may ask for something else. */
const LEARNT_AT_ONCE = 1 / 4;
const SHARE_KEPT_MS = 60_000;
const MAX_SHARES = 1_000;
/** In all lists, 8 bytes each. */
const MAX_KEPT_KEYS = 1_000_000;

export class FilterMatches {
  readonly #database: Kysely<Database>;
  readonly #now: () => number;
  /** The one used last comes last. */
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
      keys = await this.list(among, filter, FEW);
      if (keys !== null) return { keys };
    }
    if (share !== undefined) return { share };
    share = await sampledShare(this.#database, among, filter);
    if (share < BROAD_SHARE) keys = await this.list(among, filter);
    if (keys !== null) return { keys };
    this.learn(among, filter, share);
    return { share: Math.max(share, LEAST_SHARE) };
  }

  /** Null when more match. */
  async list(among: SearchedDocuments, filter: DocumentCondition, limit = MAX_LISTED): Promise<BigInt64Array | null> {
    const name = nameOf(among, filter);
    // What another search is reading may have begun before this one did, as what is kept: both are brought up to date.
    const running = this.#lists.has(name) ? undefined : this.#reading.get(`${limit} ${name}`);
    const read = await running?.catch(() => undefined);
    if (read === null) return null;
    const kept = this.#lists.get(name) ?? read;
    const updated = kept && (await updatedMatches(this.#database, among, filter, kept, MAX_CHANGES));
    if (kept !== undefined && updated === undefined && this.#lists.get(name) === kept) this.#forget(name);
    const list = updated ?? (await this.#read(name, among, filter, limit));
    if (list === null || list.keys.length > MAX_LISTED) {
      this.#forget(name);
      return null;
    }
    this.#keep(name, list);
    return list.keys;
  }

  /** What part of the hits turned out to match in a search of all documents. */
  learn(among: SearchedDocuments, filter: DocumentCondition, seen: number): void {
    const name = nameOf(among, filter);
    const share = Math.max(LEAST_SHARE, seen);
    const before = this.#shareOf(name) ?? share;
    if (this.#shares.size >= MAX_SHARES) this.#shares.clear();
    const learnt = before + (share - before) * LEARNT_AT_ONCE;
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
    const reading = readMatches(this.#database, among, filter, limit);
    this.#reading.set(key, reading);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    }
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
