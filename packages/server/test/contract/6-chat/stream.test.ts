/** CONTRACT section 6: history and stream. Every stream is folded and compared with the history. */
import type { Line } from '@quire/diffcp';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/domain/chats/conversation.ts';
import { ask } from '../../factories.ts';
import { ROOT_KEY } from '../../server.ts';
import { service, newChat, history, readAll, fold, stream, useLibrary } from './library.ts';

useLibrary();

describe('history', () => {
  test('goes both ways, page by page', async () => {
    const chat = await newChat();
    for (const query of ['one fee', 'two fees', 'three fees']) await stream(chat, query);
    const all = await history(chat);
    expect(all.map((message) => message.role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
    expect(await history(chat, '?order=desc')).toEqual(all.toReversed());
    const seen: Message[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { data: { items: Message[]; cursor: string | null; total: number } } = await service.call(
        'GET',
        `${chat.url}/history?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(page.data.total).toBe(6);
      seen.push(...page.data.items);
      ({ cursor } = page.data);
    }
    expect(seen).toEqual(all);
  });
});

describe('the stream', () => {
  test('line 0 is the whole state, seq has no gaps, the last line sets the status', async () => {
    const { lines, headers } = await stream(await newChat(), 'How much does a late book cost a day?');
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(lines.map((line) => line.seq)).toEqual(lines.map((_, index) => index));
    expect(lines[0]?.ops).toEqual([{ op: 'replace', path: '', value: expect.any(Object) }]);
    expect(fold(lines.slice(0, 1)).messages[1]).toMatchObject({ status: 'streaming', parts: [], citations: [] });
    const setsStatus = (line: Line): boolean => line.ops.some((operation) => operation.path === '/messages/1/status');
    expect(lines.map(setsStatus)).toEqual(lines.map((_, index) => index === lines.length - 1));
  });

  test('it is resumed at every line, and leads to the same state', async () => {
    const chat = await newChat();
    const { lines, state } = await stream(chat, 'What is the price of a card for companies in 2019?');
    for (let after = -1; after < lines.length; after += 1) {
      const url = `${chat.url}/message/${state.messages[1].id}/stream?after=${after}`;
      const { status, text } = await service.call('GET', url);
      const rest = readAll(text);
      // After the end there is one line with the whole state; at the end there is no line.
      expect([status, after, rest.map((line) => line.seq)]).toEqual([
        200,
        after,
        after === lines.length ? [after + 1] : lines.slice(after + 1).map((line) => line.seq),
      ]);
      if (after < lines.length) expect(fold([...lines.slice(0, after + 1), ...rest])).toEqual(state);
    }
  });

  test('a client that goes away gets its answer all the same', async () => {
    const chat = await newChat();
    const leaving = new AbortController();
    const response = await fetch(`${service.address}${chat.url}/message`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ROOT_KEY}` },
      body: JSON.stringify({ query: 'How much does a late book cost a day?' }),
      signal: leaving.signal,
    });
    const first = await response.body!.getReader().read();
    leaving.abort();
    const { messages } = fold(readAll(new TextDecoder().decode(first.value)));
    const resumed = await service.call('GET', `${chat.url}/message/${messages[1].id}/stream`);
    const state = fold(readAll(resumed.text));
    expect(state.messages[1].status).toBe('done');
    expect(state.messages).toEqual(await history(chat));
  });

  test('without a stream the state is the same as history', async () => {
    const chat = await newChat();
    const state = await ask(service, chat, 'How much does a late book cost a day?');
    expect(state).toEqual({ chat: (await service.call('GET', chat.url)).data, messages: await history(chat) });
  });

  test('to stop an answer that has ended changes nothing; a question has no stream', async () => {
    const chat = await newChat();
    const { state } = await stream(chat, 'How much does a late book cost a day?');
    const [user, assistant] = state.messages;
    expect((await service.call('POST', `${chat.url}/message/${assistant.id}/stop`)).data).toEqual(assistant);
    expect((await service.call('POST', `${chat.url}/message/${user.id}/stop`)).status).toBe(404);
    expect((await service.call('GET', `${chat.url}/message/${user.id}/stream`)).status).toBe(404);
  });
});

test('answers are counted', async () => {
  await ask(service, await newChat(), 'How much does a late book cost a day?');
  const { text } = await service.call('GET', '/metrics');
  expect(text).toMatch(/quire_chat_answers_total\{status="done"\} [1-9]/);
  expect(text).toMatch(/quire_chat_retrievals_total [1-9]/);
  expect(text).toMatch(/quire_chat_first_line_seconds_count [1-9]/);
});
