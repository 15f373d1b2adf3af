/**
 * The changes of one workspace, read once for all its readers in this process. The latest pages are kept, so that
 * readers share them; a reader that has fallen behind them reads the database at its own pace until it meets them.
 */
import { pause } from '@quire/shared/pause';
import { placeOf, type Position } from './position.ts';
import type { LoggedChange } from './change-log.ts';
import type { Change, ChangePage } from './types.ts';

export interface WorkspaceFeedDeps {
  snapshot: () => Promise<string>;
  /** Returns at most `PAGE_ROWS` changes after a position and up to a snapshot. */
  read: (position: Position, upto: string) => Promise<LoggedChange[]>;
  /** Returns a change for each logged one; null for a kind that is not reported. */
  withStates: (logged: readonly LoggedChange[]) => Promise<(Change | null)[]>;
  now: () => number;
}

export const PAGE_ROWS = 200;
const KEPT_PAGES = 16;
/** Minimum time between two reads of the database, in ms; changes in between are combined. */
const READ_INTERVAL_MS = 500;
/** Age after which the head moves on without changes, so that the position of an idle reader does not expire. */
const MAX_HEAD_AGE_MS = 60_000;

export class WorkspaceFeed {
  readonly #deps: WorkspaceFeedDeps;
  /** The latest pages by the place before them, oldest first. */
  readonly #pages = new Map<string, ChangePage>();
  readonly #waiting = new Set<() => void>();
  #head: Position | undefined;
  #advancing: Promise<void> | undefined;
  #readAt = -Infinity;
  /** Whether changes may have come since the last read began. */
  #isStale = true;

  constructor(deps: WorkspaceFeedDeps) {
    this.#deps = deps;
  }

  /** Marks that there may be changes, and wakes the readers that wait for some. */
  announce(): void {
    this.#isStale = true;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Returns the position before all later changes. */
  async head(): Promise<Position> {
    this.#head ??= { from: await this.#deps.snapshot(), window: null, takenMs: this.#deps.now() };
    return this.#head;
  }

  /** Returns the next changes after the position; an empty page if none came in `maxWaitMs`. */
  async next(position: Position, maxWaitMs: number, signal: AbortSignal): Promise<ChangePage> {
    const until = performance.now() + maxWaitMs;
    for (;;) {
      const head = await this.head();
      const shared = this.#pages.get(placeOf(position));
      if (shared !== undefined) return shared;
      if (placeOf(position) !== placeOf(head)) return this.#pageBefore(head, position);
      if (signal.aborted || performance.now() >= until) return { changes: [], end: head };
      if (this.#isStale || this.#deps.now() - head.takenMs > MAX_HEAD_AGE_MS) {
        const restMs = Math.min(this.#readAt + READ_INTERVAL_MS, until) - performance.now();
        if (restMs > 0) await pause(restMs, [signal]);
        else await this.#advance(false);
      } else {
        await this.#announced(until - performance.now(), signal);
      }
    }
  }

  /** Moves the head past every position that any process has handed out before this call. */
  async renew(): Promise<void> {
    await this.#advancing;
    await this.#advance(true);
  }

  /** Reads the changes since the head. Concurrent calls share one read. */
  async #advance(always: boolean): Promise<void> {
    this.#advancing ??= this.#readHead(always).finally(() => {
      this.#advancing = undefined;
      this.#wakeAll();
    });
    return this.#advancing;
  }

  /** Moves the head if there are changes, if it has become old, or `always`. */
  async #readHead(always: boolean): Promise<void> {
    this.#readAt = performance.now();
    this.#isStale = false;
    const takenMs = this.#deps.now();
    const upto = await this.#deps.snapshot();
    const head = await this.head();
    let position = head;
    do {
      const page = await this.#page(position, upto, takenMs);
      const isUnchanged = page.changes.length === 0 && page.end.window === null && position === head;
      if (isUnchanged && !always && takenMs - head.takenMs <= MAX_HEAD_AGE_MS) return;
      this.#keep(position, page);
      position = page.end;
    } while (position.window !== null);
    // Only now, so that the head is always a whole snapshot and no reader goes back from it.
    this.#head = position;
  }

  #keep(start: Position, page: ChangePage): void {
    if (placeOf(start) === placeOf(page.end)) return;
    this.#pages.set(placeOf(start), page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > KEPT_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }

  /** Reads one page for a reader that is behind the kept pages: the rest of its window, or changes up to the head. */
  #pageBefore(head: Position, position: Position): Promise<ChangePage> {
    const { window, takenMs } = position;
    return window === null ? this.#page(position, head.from, head.takenMs) : this.#page(position, window.upto, takenMs);
  }

  /** Reads one page; the last one up to the snapshot ends at it. */
  async #page(start: Position, upto: string, takenMs: number): Promise<ChangePage> {
    const logged = await this.#deps.read(start, upto);
    const latest = latestOfEach(logged);
    const changes = await this.#deps.withStates(latest);
    const { from } = start;
    const within = (after: string): Position => ({ from, window: { upto, after }, takenMs: start.takenMs });
    const last = logged.at(-1);
    const isComplete = logged.length < PAGE_ROWS || last === undefined;
    const end: Position = isComplete ? { from: upto, window: null, takenMs } : within(last.key);
    const placed = changes.map((change, index) => ({ change, position: within(latest[index]?.key ?? '0') }));
    return { changes: placed.flatMap(({ change, position }) => (change === null ? [] : { change, position })), end };
  }

  async #announced(waitMs: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    this.#waiting.add(wake);
    try {
      await pause(waitMs, [woken.signal, signal]);
    } finally {
      this.#waiting.delete(wake);
    }
  }
}

/** Drops all but the last change of each resource. */
function latestOfEach(logged: readonly LoggedChange[]): LoggedChange[] {
  const latest = new Map<string, LoggedChange>();
  for (const each of logged) {
    // Deleted first, so that the resource takes the place of its last change.
    latest.delete(`${each.kind} ${each.id}`);
    latest.set(`${each.kind} ${each.id}`, each);
  }
  return [...latest.values()];
}
