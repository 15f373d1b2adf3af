import { Fold, type Line } from '@quire/diffcp';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EMPTY_CONTENT, type Conversation, type Message } from '../conversation.ts';
import { LiveAnswer } from './live-answer.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const message = (role: Message['role'], status: Message['status']): Message =>
  structuredClone({ id: role, chatId: 'chat', role, status, createdAt: '', ...EMPTY_CONTENT });

const newState = (): Conversation => ({
  chat: { id: 'chat' } as Conversation['chat'],
  messages: [message('user', 'done'), message('assistant', 'streaming')],
});

/** Appends to one text part. */
const say = (live: LiveAnswer, text: string): Promise<void> =>
  live.write(({ parts }) => {
    const [part] = parts;
    if (part?.type === 'text') part.text += text;
    else parts.push({ type: 'text', text });
  });

test('writes are coalesced into one line in 20 ms, and lines are stored in batches', async () => {
  const batches: number[][] = [];
  const live = new LiveAnswer(newState(), async (lines) => {
    batches.push(lines.map((line) => line.seq));
    return true;
  });
  for (let step = 0; step < 60; step += 1) {
    await say(live, 'x');
    await vi.advanceTimersByTimeAsync(2);
  }
  const ending = live.end('done', { usage: null, error: null });
  await vi.advanceTimersByTimeAsync(20);
  await ending;
  const lines: Line[] = [];
  const fold = new Fold();
  for await (const line of live.read()) {
    lines.push(line);
    fold.push(line);
  }
  expect(lines.length).toBeLessThanOrEqual(8);
  expect(batches.flat()).toEqual(lines.slice(1).map((line) => line.seq));
  expect(batches.length).toBeLessThanOrEqual(4);
  expect(fold.state).toEqual(live.state);
  expect(live.state.messages[1]).toMatchObject({ status: 'done', parts: [{ type: 'text', text: 'x'.repeat(60) }] });
});

test('a reader that stalls slows the answer down, a reader that disconnects does not', async () => {
  const live = new LiveAnswer(newState(), async () => true);
  const reader = live.read();
  await reader.next();
  let written = 0;
  const writing = (async () => {
    for (; written < 100; written += 1) {
      await say(live, 'x');
      await vi.advanceTimersByTimeAsync(20);
    }
  })();
  for (let turn = 0; turn < 2_000; turn += 1) await Promise.resolve();
  const stalledAt = written;
  for (let turn = 0; turn < 2_000; turn += 1) await Promise.resolve();
  expect([written, stalledAt < 100]).toEqual([stalledAt, true]);
  await reader.return(undefined);
  await writing;
  expect(written).toBe(100);
});

test('an answer that another process ended is not ended again: its readers get no last line', async () => {
  const live = new LiveAnswer(newState(), async () => false);
  await say(live, 'x');
  await vi.advanceTimersByTimeAsync(80);
  expect(live.signal.reason).toBe('lost');
  await expect(say(live, 'y')).rejects.toBe('lost');
  const ending = live.end('failed', { usage: null, error: null });
  await vi.advanceTimersByTimeAsync(20);
  await ending;
  const seqs: number[] = [];
  for await (const line of live.read()) seqs.push(line.seq);
  expect(seqs).toEqual([0, 1]);
});

test('the whole message is stored once a second, and a second after its last line', async () => {
  const stored: [text: string, whole: boolean][] = [];
  const live = new LiveAnswer(newState(), async (_lines, { parts: [part] }, whole) => {
    stored.push([part?.type === 'text' ? part.text : '', whole]);
    return true;
  });
  for (const text of ['a', 'b']) {
    await say(live, text);
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect(stored).toEqual([
    ['a', false],
    ['ab', false],
    ['ab', true],
  ]);
});

test('a reader receives every line, also after earlier ones were stored and dropped', async () => {
  const live = new LiveAnswer(newState(), async () => true);
  const fold = new Fold();
  const reading = (async () => {
    for await (const line of live.read()) fold.push(line);
  })();
  for (let step = 0; step < 40; step += 1) {
    await say(live, 'x');
    await vi.advanceTimersByTimeAsync(30);
  }
  const ending = live.end('done', { usage: null, error: null });
  await vi.advanceTimersByTimeAsync(20);
  await Promise.all([ending, reading]);
  expect(fold.state).toEqual(live.state);
});
