/**
 * The pages that a crawl has to visit and those it has seen. They are in the state of the connector, so that a crawl
 * continues after a restart; the resume token only names the crawl.
 */
import { randomUUID } from 'node:crypto';
import type { ConnectorState } from '../../connector.ts';

/** Number of pairs that are read from the state at once. */
const SCAN_LIMIT = 1000;
/** Number of different queries of one page that are visited. */
const MAX_QUERIES = 100;
const QUEUE = 'queue/';
const SEEN = 'seen/';

export interface Visit {
  url: string;
  path: string;
  depth: number;
  /** Number of redirects that led here in a row. */
  redirects?: number;
  /** Whether another page named this address as its canonical one. */
  isCanonical?: boolean;
  /** Whether the visit is repeated, after a failure of the host. */
  isRetry?: boolean;
}

/** Reads all pairs with a prefix. */
export async function* scanAll(state: ConnectorState, prefix: string): AsyncGenerator<readonly [string, string]> {
  let after = '';
  for (;;) {
    const pairs = await state.scan(prefix, after, SCAN_LIMIT);
    yield* pairs;
    const last = pairs.at(-1);
    if (last === undefined || pairs.length < SCAN_LIMIT) return;
    after = last[0];
  }
}

export class Frontier {
  readonly crawl: string;
  readonly #queue: { key: string; visit: Visit }[] = [];
  readonly #seen = new Set<string>();
  readonly #queries = new Map<string, number>();
  readonly #maxSeen: number;
  #changes: Record<string, string | null> = {};
  #next = 0;
  #head = 0;

  private constructor(crawl: string, maxPages: number) {
    this.crawl = crawl;
    this.#maxSeen = maxPages * 10;
  }

  /** Begins a crawl and removes what an earlier one left. */
  static async begin(state: ConnectorState, maxPages: number): Promise<Frontier> {
    const frontier = new Frontier(randomUUID().slice(0, 8), maxPages);
    for (const prefix of [QUEUE, SEEN]) {
      for await (const [key] of scanAll(state, prefix)) frontier.#changes[key] = null;
    }
    return frontier;
  }

  static async resume(state: ConnectorState, crawl: string, maxPages: number): Promise<Frontier> {
    const frontier = new Frontier(crawl, maxPages);
    for await (const [key, value] of scanAll(state, `${QUEUE}${crawl}/`)) {
      frontier.#queue.push({ key, visit: JSON.parse(value) as Visit });
      frontier.#next = Number(key.slice(key.lastIndexOf('/') + 1)) + 1;
    }
    for await (const [key] of scanAll(state, `${SEEN}${crawl}/`))
      frontier.#seen.add(key.slice(SEEN.length + crawl.length + 1));
    return frontier;
  }

  hasSeen(path: string): boolean {
    return this.#seen.has(path);
  }

  /** Adds a page unless it was seen in this crawl, or its address is one of very many variants. */
  add(visit: Visit): void {
    if (this.#seen.has(visit.path) || this.#seen.size >= this.#maxSeen || this.#hasTooManyQueries(visit.path)) return;
    this.#seen.add(visit.path);
    this.#changes[`${SEEN}${this.crawl}/${visit.path}`] = '';
    this.#push(visit);
  }

  addAgain(visit: Visit): void {
    this.#push({ ...visit, isRetry: true });
  }

  take(): Visit | null {
    const next = this.#queue[this.#head];
    if (next === undefined) return null;
    this.#head += 1;
    if (this.#head > 1000) this.#queue.splice(0, this.#head - (this.#head = 0));
    this.#changes[next.key] = null;
    return next.visit;
  }

  get isEmpty(): boolean {
    return this.#head >= this.#queue.length;
  }

  /** Returns the changes of the state since the last call. */
  takeChanges(): Record<string, string | null> {
    const changes = this.#changes;
    this.#changes = {};
    return changes;
  }

  /** Returns the changes that remove this crawl from the state. */
  async end(state: ConnectorState): Promise<Record<string, string | null>> {
    const changes = this.takeChanges();
    for (const key of Object.keys(changes)) changes[key] = null;
    for (const prefix of [QUEUE, SEEN]) {
      for await (const [key] of scanAll(state, `${prefix}${this.crawl}/`)) changes[key] = null;
    }
    return changes;
  }

  #push(visit: Visit): void {
    const key = `${QUEUE}${this.crawl}/${String(this.#next).padStart(9, '0')}`;
    this.#next += 1;
    this.#queue.push({ key, visit });
    this.#changes[key] = JSON.stringify(visit);
  }

  #hasTooManyQueries(path: string): boolean {
    const [page = '', query] = path.split('?', 2);
    if (query === undefined) return false;
    const count = (this.#queries.get(page) ?? 0) + 1;
    this.#queries.set(page, count);
    return count > MAX_QUERIES;
  }
}
