import { expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { waitForRecord, type RecordWait } from './wait-for-record.ts';

/** Announcements that the test makes, of any topic. */
class Announcements {
  readonly listeners = new Set<() => void>();

  readonly publish = (): Promise<void> => Promise.resolve(this.announce());
  readonly close = (): Promise<void> => Promise.resolve();

  subscribe(_topic: string, listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  announce(): void {
    for (const listener of this.listeners) listener();
  }
}

const wait = (notifications: Announcements, changes: Pick<RecordWait<string>, 'read' | 'first'>): Promise<string> =>
  waitForRecord({ notifications, topic: 'run:1', isDone: (state) => state === 'done', waitMs: 3_600_000, ...changes });

/** Returns the states one after the other, and announces a change during each read. */
const changing = (notifications: Announcements, states: (string | undefined)[]) => () => {
  notifications.announce();
  return Promise.resolve(states.shift());
};

test('a change that is announced during a read is not missed', async () => {
  const notifications = new Announcements();
  expect(await wait(notifications, { read: changing(notifications, ['queued', 'running', 'done']) })).toBe('done');
  expect(notifications.listeners.size).toBe(0);
});

test('a change is not missed while the first record is created', async () => {
  const notifications = new Announcements();
  const first = changing(notifications, ['queued']);
  expect(await wait(notifications, { first, read: () => Promise.resolve('done') })).toBe('done');
});

test('a record that is gone is 404, and nothing stays subscribed', async () => {
  const notifications = new Announcements();
  const read = changing(notifications, ['queued', undefined]);
  await expect(wait(notifications, { read })).rejects.toThrow(ApiError);
  expect(notifications.listeners.size).toBe(0);
});
