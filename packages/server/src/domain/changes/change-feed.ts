/** Follows the changes of workspaces, for any number of readers in this process. */
import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Notifications } from '../../database/notifications.ts';
import { ChangeLog, KEPT_MS } from './change-log.ts';
import type { Position } from './position.ts';
import { withStates } from './states.ts';
import type { ChangePage } from './types.ts';
import { PAGE_ROWS, WorkspaceFeed } from './workspace-feed.ts';

export interface ChangeFeedDeps {
  database: Kysely<Database>;
  notifications: Pick<Notifications, 'subscribe'>;
  /** Time in ms since the epoch. */
  now: () => number;
}

/** Interval at which changes are read without a notification, in ms: a broken connection loses some. */
const POLL_MS = 5_000;

interface Followed {
  feed: WorkspaceFeed;
  readers: number;
  stop: () => void;
}

export class ChangeFeed {
  readonly #deps: ChangeFeedDeps;
  readonly #log: ChangeLog;
  readonly #followed = new Map<string, Followed>();
  readonly #closing = new AbortController();

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps;
    this.#log = new ChangeLog(deps.database);
  }

  /** Number of workspaces with readers. */
  get size(): number {
    return this.#followed.size;
  }

  /**
   * Yields the pages of changes after a position, or from now on, and an empty page after each `silenceMs` without
   * changes. The first page is empty; its end is where the reading begins. Ends when `until` aborts.
   */
  async *follow(
    workspaceId: string,
    start: Position | undefined,
    silenceMs: number,
    until: AbortSignal,
  ): AsyncGenerator<ChangePage> {
    const signal = AbortSignal.any([until, this.#closing.signal]);
    const { feed, release } = this.#join(workspaceId);
    try {
      if (start !== undefined) await feed.renew();
      let position = start ?? (await feed.head());
      yield { changes: [], end: position };
      while (!signal.aborted) {
        const page = await feed.next(position, silenceMs, signal);
        position = page.end;
        if (!signal.aborted) yield page;
      }
    } finally {
      release();
    }
  }

  /** Returns whether all changes after the position are still there. */
  async isReadable(position: Position): Promise<boolean> {
    const ageMs = this.#deps.now() - position.takenMs;
    if (ageMs >= KEPT_MS || ageMs < 0) return false;
    const { from, window } = position;
    try {
      return await this.#log.hasReached(window?.upto ?? from);
    } catch (error) {
      if (isInvalidSnapshot(error)) return false;
      throw error;
    }
  }

  /** Ends all readings. */
  async close(): Promise<void> {
    this.#closing.abort();
  }

  removeOld(): Promise<number> {
    return this.#log.removeOld();
  }

  #join(workspaceId: string): { feed: WorkspaceFeed; release: () => void } {
    const followed = this.#followed.get(workspaceId) ?? this.#begin(workspaceId);
    followed.readers += 1;
    return {
      feed: followed.feed,
      release: () => {
        followed.readers -= 1;
        if (followed.readers > 0) return;
        followed.stop();
        this.#followed.delete(workspaceId);
      },
    };
  }

  #begin(workspaceId: string): Followed {
    const { database, notifications, now } = this.#deps;
    const feed = new WorkspaceFeed({
      snapshot: () => this.#log.snapshot(),
      read: (position, upto) => this.#log.read(workspaceId, position, upto, PAGE_ROWS),
      withStates: (logged) => withStates(database, workspaceId, logged),
      now,
    });
    const unsubscribe = notifications.subscribe(`changes:${workspaceId}`, () => feed.announce());
    const timer = setInterval(() => feed.announce(), POLL_MS);
    const stop = (): void => {
      unsubscribe();
      clearInterval(timer);
    };
    const followed = { feed, readers: 0, stop };
    this.#followed.set(workspaceId, followed);
    return followed;
  }
}

/** PostgreSQL's code for a text that it cannot read as a value of the type. */
const INVALID_TEXT = '22P02';

const isInvalidSnapshot = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === INVALID_TEXT;
