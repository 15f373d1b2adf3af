import { pause } from '@quire/shared/pause';
import type { Notifications } from '../../database/notifications.ts';
import { notFound } from '../../errors.ts';

export interface RecordWait<Row> {
  notifications: Notifications;
  /** Topic of the record's changes. */
  topic: string;
  /** Reads the record; undefined if there is none. */
  read: () => Promise<Row | undefined>;
  /** Returns the record at the beginning, for example by creating it. Default `read`. */
  first?: () => Promise<Row | undefined>;
  isDone: (record: Row) => boolean;
  waitMs: number;
  signal?: AbortSignal | undefined;
}

/** Interval at which a waiting request reads the record without a notification, in ms. */
const RECHECK_MS = 2_000;

/** Returns the record when it is done, after `waitMs`, or when the signal is aborted. Throws 404 if there is none. */
export async function waitForRecord<Row>(wait: RecordWait<Row>): Promise<Row> {
  const { notifications, topic, read, first = read, isDone, waitMs, signal } = wait;
  const until = performance.now() + waitMs;
  let changed = new AbortController();
  const unsubscribe = notifications.subscribe(topic, () => changed.abort());
  try {
    for (let record = await first(); ; record = await read()) {
      if (record === undefined) throw notFound();
      const restMs = until - performance.now();
      if (isDone(record) || restMs <= 0 || signal?.aborted === true) return record;
      await pause(Math.min(RECHECK_MS, restMs), [changed.signal, ...(signal ? [signal] : [])]);
      // Replaced before the read, so that no change during it is missed.
      changed = new AbortController();
    }
  } finally {
    unsubscribe();
  }
}
