/**
 * Listing of a bucket, page by page. A page is continued by the token of the server. `start-after` continues only a
 * listing in the order of the UTF-8 bytes of its keys, which the S3 API demands and some servers do not have: in the
 * order of folders, the keys below `b/` do not come after `b`.
 */
import { ListingFailed, SourceUnavailable } from '../../connector-error.ts';
import { MAX_RESUME_TOKEN_BYTES, type ListingWarning } from '../../connector.ts';
import { compareUtf8 } from '../../utf8-order.ts';
import type { ListedObject, ListedPage } from './listing-xml.ts';

/** Number of times that a listing starts again because the server refuses to continue it. */
const MAX_RESTARTS = 3;
/** Number of pages in a row without a key. */
const MAX_EMPTY_PAGES = 1000;
/** Begins a resume token; those of earlier releases are a key. */
const PREFIX = 'page:';
const MAX_SHOWN_CHARACTERS = 200;

/** Where the listing continues. */
interface Position {
  /** Last key of the latest page; null at the beginning. */
  key: string | null;
  /** Parameters with which the server continues the listing in its own order; null if they are not known. */
  query: Query | null;
  /** Whether all keys so far were in the order that `start-after` relies on. */
  isOrdered: boolean;
  restarts: number;
}

export interface BucketPage {
  objects: readonly ListedObject[];
  resumeToken: string | null;
  warnings: readonly ListingWarning[];
}

/** Reads one page. Returns null if the server refuses the parameters; throws all other failures. */
export type ReadPage = (query: Query) => Promise<ListedPage | null>;

type Query = Readonly<Record<string, string>>;

const START: Position = { key: null, query: null, isOrdered: true, restarts: 0 };

const shown = (key: string): string => JSON.stringify(key.slice(0, MAX_SHOWN_CHARACTERS));

export class BucketListing {
  readonly #read: ReadPage;
  readonly #maxKeys: number;
  #position = START;
  #warnings: ListingWarning[] = [];
  /** First key of the latest page with keys. */
  #firstKey: string | null = null;
  /** Last keys after which a full last page was continued. */
  readonly #probed = new Set<string>();

  constructor(read: ReadPage, maxKeys: number) {
    this.#read = read;
    this.#maxKeys = maxKeys;
  }

  async *pages(resumeToken: string | null): AsyncGenerator<BucketPage> {
    this.#position = resumeToken === null ? START : positionOf(resumeToken);
    let emptyPages = 0;
    let page: ListedPage | null = await this.#open();
    while (page !== null) {
      emptyPages = page.objects.length === 0 ? emptyPages + 1 : 0;
      if (emptyPages > MAX_EMPTY_PAGES) throw new SourceUnavailable('the source returned empty pages only');
      this.#checkOrder(page.objects);
      const next = await this.#after(page);
      const isLast = next === null;
      yield { objects: page.objects, resumeToken: isLast ? null : tokenOf(this.#position), warnings: this.#warnings };
      this.#warnings = [];
      page = next === null || typeof next === 'object' ? next : await this.#open();
    }
  }

  /**
   * Moves the position behind the page. Returns null at the end of the listing, and the next page if the end shows only
   * by reading it.
   */
  async #after(page: ListedPage): Promise<ListedPage | 'unread' | null> {
    const { objects, isTruncated, continuationToken, nextMarker } = page;
    const last = objects.at(-1)?.key ?? this.#position.key;
    if (isTruncated === true) {
      const query = queryAfter(continuationToken, nextMarker ?? last ?? '');
      if (objects.length === 0 && isSameQuery(query, this.#position.query ?? queryAfter(null, ''))) {
        throw new SourceUnavailable('the source returned an empty page of more pages');
      }
      this.#position = { ...this.#position, key: last, query };
      return 'unread';
    }
    if (last === null || objects.length === 0) return null;
    return isTruncated === null ? this.#unannounced(last) : this.#belowLast(last, objects.length);
  }

  /** Reads the page after one that does not say whether there is another: only an empty one is the last. */
  async #unannounced(last: string): Promise<ListedPage | null> {
    const query = queryAfter(null, last);
    const page = await this.#read(query);
    if (page === null || page.objects.length === 0 || page.objects[0]?.key === this.#firstKey) return null;
    this.#position = { ...this.#position, key: last, query };
    return page;
  }

  /**
   * A server that lists folders ends a full page with the object `b`, and does not announce the keys below `b/` if
   * nothing else follows. In the order of UTF-8 nothing can follow here.
   */
  async #belowLast(last: string, count: number): Promise<ListedPage | null> {
    if (count < this.#maxKeys || this.#probed.has(last)) return null;
    this.#probed.add(last);
    const query = queryAfter(null, `${last}/`);
    const page = await this.#read(query);
    const first = page?.objects[0]?.key;
    if (page === null || first === undefined || first === this.#firstKey) return null;
    // The server ignored the parameters and sent its first page.
    if (this.#position.isOrdered && compareUtf8(first, last) <= 0) return null;
    this.#warn('incomplete_listing', `The listing ended before the keys below ${shown(`${last}/`)}, which were found`);
    this.#position = { ...this.#position, key: `${last}/`, query };
    return page;
  }

  /** Reads the page at the position: by the parameters of the server, else by the key, else from the beginning. */
  async #open(): Promise<ListedPage> {
    const { query, key, isOrdered, restarts } = this.#position;
    if (query !== null) {
      const page = await this.#read(query);
      if (page !== null) return this.#checkProgress(page);
    }
    if (key === null || isOrdered) {
      const page = await this.#read(key === null ? {} : { 'start-after': key });
      if (page === null) throw new ListingFailed('', 'the source refuses the parameters of the listing');
      return this.#checkProgress(page);
    }
    if (restarts >= MAX_RESTARTS) {
      throw new ListingFailed('', 'the source refuses to continue its listing, which is not in the order of its keys');
    }
    this.#warn('listing_restarted', 'The source refused to continue its listing, which started again');
    this.#position = { ...START, restarts: restarts + 1 };
    this.#firstKey = null;
    return this.#open();
  }

  /** Throws if the server answers with the page that it sent before. */
  #checkProgress(page: ListedPage): ListedPage {
    const first = page.objects[0]?.key;
    if (first !== undefined && first === this.#firstKey) {
      throw new ListingFailed('', 'the source repeats a page of its listing in place of the next one');
    }
    return page;
  }

  #checkOrder(objects: readonly ListedObject[]): void {
    let before = this.#position.key;
    for (const { key } of objects) {
      if (before !== null && this.#position.isOrdered && compareUtf8(before, key) >= 0) {
        this.#position = { ...this.#position, isOrdered: false };
        const order = `${shown(key)} follows ${shown(before)}`;
        const text = `The listing is not in the order of its keys (${order}). After a stop, it continues by a token`;
        this.#warn('unordered_listing', `${text} of the source, or starts again`);
      }
      before = key;
    }
    this.#firstKey = objects[0]?.key ?? this.#firstKey;
  }

  #warn(type: ListingWarning['type'], message: string): void {
    this.#warnings.push({ type, message });
  }
}

/** Servers without tokens have the first version of the listing, which supports `marker` only. */
function queryAfter(token: string | null, key: string): Query {
  if (token !== null) return { 'continuation-token': token };
  return { 'start-after': key, marker: key };
}

const isSameQuery = (one: Query, other: Query | null): boolean => JSON.stringify(one) === JSON.stringify(other);

function tokenOf(position: Position): string {
  const text = `${PREFIX}${JSON.stringify(position)}`;
  if (Buffer.byteLength(text) <= MAX_RESUME_TOKEN_BYTES) return text;
  return `${PREFIX}${JSON.stringify({ ...position, query: null })}`;
}

function positionOf(resumeToken: string): Position {
  if (!resumeToken.startsWith(PREFIX)) return { ...START, key: resumeToken };
  return JSON.parse(resumeToken.slice(PREFIX.length)) as Position;
}
