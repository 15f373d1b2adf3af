/**
 * CONTRACT section 6: chats, answers, the stream. Every stream of this file is folded and compared with the history.
 */
import { Fold, LineReader, type Line } from '@quire/diffcp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import type { Conversation, Message } from '../../src/domain/chats/conversation.ts';
import {
  ask,
  createChat,
  createCollection,
  createDocument,
  createKey,
  createWorkspace,
  type AnyRecord,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

type Made = AnyRecord & { url: string };

let service: TestService;
let workspace: TestWorkspace;
let library: Made;

const HOURS = '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.';
const FEES = `# Fees

A late book costs ten cents a day.

| Card | Price in 2018 | Price in 2019 |
|---|---|---|
| Adults | 10 euros | 12 euros |
| Children | nothing | nothing |
| Companies | 80 euros | 95 euros |
`;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service);
  library = await createCollection(service, workspace, { name: 'Library' });
  await createDocument(service, library, { name: 'hours.md', content: HOURS, metadata: { audience: 'public' } });
  await createDocument(service, library, { name: 'fees.md', content: FEES, metadata: { audience: 'staff' } });
});
afterAll(() => service.stop());

const newChat = (fields: Record<string, unknown> = {}): Promise<Made> =>
  createChat(service, workspace, { collection_id: library.id, ...fields });

const history = async (chat: Made, query = ''): Promise<Message[]> =>
  (await service.call<{ items: Message[] }>('GET', `${chat.url}/history${query}`)).data.items;

function readAll(text: string): Line[] {
  const reader = new LineReader();
  return [...reader.push(new TextEncoder().encode(text)), ...reader.end()];
}

function fold(lines: readonly Line[]): Conversation {
  const folded = new Fold();
  for (const line of lines) folded.push(line);
  return folded.state as unknown as Conversation;
}

/** Returns the lines of an answer after checking that their folded state equals the stored message. */
async function stream(chat: Made, query: string): Promise<{ lines: Line[]; state: Conversation; headers: Headers }> {
  const answer = await service.call('POST', `${chat.url}/message`, { json: { query } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const lines = readAll(answer.text);
  const state = fold(lines);
  const last = (await history(chat, '?order=desc&limit=2')).toReversed();
  expect(state).toEqual({ chat: (await service.call('GET', chat.url)).data, messages: last });
  return { lines, state, headers: answer.headers };
}

const textOf = (message: Message): string =>
  message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

describe('chats', () => {
  test('a chat names its collection and model, and starts empty', async () => {
    const filter = { 'metadata.audience': 'public' };
    const answer = await service.call('POST', `${workspace.url}/chat`, {
      json: { title: 'Desk', collection_id: library.id, instructions: 'Be brief', filter, metadata: { user: 7 } },
    });
    expect([answer.status, answer.data]).toEqual([
      201,
      {
        id: expect.any(String),
        workspaceId: workspace.id,
        collection_id: library.id,
        title: 'Desk',
        modelId: expect.any(String),
        instructions: 'Be brief',
        filter,
        metadata: { user: 7 },
        messageCount: 0,
        createdAt: expect.any(String),
        modifiedAt: expect.any(String),
        deletedAt: null,
      },
    ]);
  });

  test('what does not fit is named at its place', async () => {
    const foreign = await createCollection(service, await createWorkspace(service));
    const problems = async (json: Record<string, unknown>) =>
      (await service.call('POST', `${workspace.url}/chat`, { json })).detail.map(({ type, loc }) => [type, ...loc]);
    expect(await problems({ title: '', modelId: 'x', more: 1 })).toEqual([
      ['string_too_short', 'body', 'title'],
      ['missing', 'body', 'collection_id'],
      ['uuid_parsing', 'body', 'modelId'],
      ['extra_forbidden', 'body', 'more'],
    ]);
    expect(await problems({ collection_id: foreign.id })).toEqual([['value_error', 'body', 'collection_id']]);
    expect(await problems({ collection_id: library.id, modelId: library['parserId'] })).toEqual([
      ['value_error', 'body', 'modelId'],
    ]);
    const wrong = await problems({ collection_id: library.id, filter: { nothing: 1 } });
    expect(wrong[0]?.slice(0, 4)).toEqual([expect.any(String), 'body', 'filter', 'nothing']);
  });

  test('PATCH changes what it names; null clears', async () => {
    const chat = await newChat({ instructions: 'Be brief', filter: { name: 'x' } });
    const json = { title: 'New', instructions: null, filter: null, metadata: { a: 1 } };
    const { data } = await service.call('PATCH', chat.url, { json });
    expect(data).toMatchObject(json);
    expect((await service.call('PATCH', chat.url, { json: { collection_id: library.id } })).status).toBe(422);
  });

  test('a deleted chat is out of lists, readable, unchangeable, and comes back', async () => {
    const collection = await createCollection(service, workspace);
    const chat = await createChat(service, workspace, { collection_id: collection.id });
    await ask(service, chat, 'Anything?');
    const ids = async (query: string) =>
      (
        await service.call<{ items: AnyRecord[] }>(
          'GET',
          `${workspace.url}/chat?collection_id=${collection.id}${query}`,
        )
      ).data.items.map((each) => each.id);
    const gone = await service.call('DELETE', chat.url);
    expect((await service.call('DELETE', chat.url)).data).toEqual(gone.data);
    expect([await ids(''), await ids('&includeDeleted=true')]).toEqual([[], [chat.id]]);
    expect(await history(chat)).toHaveLength(2);
    for (const [method, url, json] of [
      ['PATCH', chat.url, { title: 'x' }],
      ['POST', `${chat.url}/message`, { query: 'x' }],
    ] as const) {
      const refused = await service.call(method, url, { json });
      expect([refused.status, refused.detail[0]?.type]).toEqual([409, 'deleted']);
    }
    expect((await service.call('PUT', `${chat.url}/undelete`)).data['deletedAt']).toBeNull();
    expect(await ids('')).toEqual([chat.id]);
  });

  test('a chat over a deleted collection answers 409, and answers again when that is restored', async () => {
    const collection = await createCollection(service, workspace);
    const chat = await createChat(service, workspace, { collection_id: collection.id });
    await service.call('DELETE', collection.url);
    const refused = await service.call('POST', `${chat.url}/message`, { json: { query: 'x' } });
    expect([refused.status, refused.detail[0]?.type]).toEqual([409, 'deleted']);
    await service.call('PUT', `${collection.url}/undelete`);
    expect((await ask(service, chat, 'x')).messages[1].status).toBe('done');
  });

  test('a limited key sees the chats of its collections only', async () => {
    const other = await createCollection(service, workspace);
    const [mine, foreign] = [await newChat(), await createChat(service, workspace, { collection_id: other.id })];
    const key = await createKey(service, workspace, { permission: 'write', collectionIds: [other.id] });
    const listed = await service.call<{ items: AnyRecord[] }>('GET', `${workspace.url}/chat`, { key });
    expect(listed.data.items.map((each) => each.id)).toEqual([foreign.id]);
    for (const [method, url] of [
      ['GET', mine.url],
      ['GET', `${mine.url}/history`],
      ['DELETE', mine.url],
      ['POST', `${mine.url}/message`],
    ] as const) {
      expect((await service.call(method, url, { key })).status).toBe(404);
    }
    const refused = await service.call('POST', `${workspace.url}/chat`, { key, json: { collection_id: library.id } });
    expect(refused.detail[0]?.loc).toEqual(['body', 'collection_id']);
  });
});

describe('answers', () => {
  test('the sentence that answers is quoted and cited, verbatim, with its place in the text', async () => {
    const chat = await newChat();
    const { state } = await stream(chat, 'When does the library close on Thursdays?');
    const [user, assistant] = state.messages;
    expect(user).toMatchObject({ role: 'user', status: 'done', citations: [], usage: null });
    expect(textOf(user)).toBe('When does the library close on Thursdays?');
    expect(assistant.status).toBe('done');
    expect(assistant.parts.map((part) => part.type)).toEqual(['reasoning', 'tool', 'text']);
    expect(assistant.parts[1]).toEqual({
      type: 'tool',
      name: 'retrieve',
      input: { query: 'When does the library close on Thursdays?' },
      status: 'done',
      resultCount: expect.any(Number),
    });
    expect(assistant.citations.map((citation) => citation.snippet)).toContain('On Thursdays it closes at eight.');
    expect(assistant.usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      retrievals: 1,
      firstLineMs: expect.any(Number),
      firstTextMs: expect.any(Number),
      totalMs: expect.any(Number),
    });
    const { data } = await service.call<{ chunks: { id: string; text: string }[] }>(
      'GET',
      `${library.url}/docs/${assistant.citations[0]!.documentId}?include=chunks`,
    );
    for (const citation of assistant.citations) {
      const [span] = citation.spans;
      const part = assistant.parts[span!.part];
      expect(part?.type === 'text' ? part.text.slice(span!.start, span!.end) : '').toBe(citation.snippet);
      if (citation.documentName !== 'hours.md') continue;
      expect(data.chunks.find((chunk) => chunk.id === citation.chunkId)?.text).toContain(citation.snippet);
    }
    expect(state.chat.title).toBe('When does the library close on Thursdays?');
    expect(state.chat.messageCount).toBe(2);
  });

  test('a citation of a PDF has the boxes of the lines that hold the snippet', async () => {
    const collection = await createCollection(service, workspace);
    const lines = [
      'The harbour office answers letters within a week of their arrival.',
      'The northern lighthouse was built of granite in eighteen ninety four.',
      'Pilots are on duty from six in the morning until ten in the evening.',
    ];
    const { status } = await service.call('POST', `${collection.url}/docs/file-binary?wait=60`, {
      body: new Uint8Array(makePdf([new TestPage(500, 500).lines(50, 100, lines)])),
      headers: { 'content-disposition': 'attachment; filename=harbour.pdf' },
    });
    expect(status).toBe(202);
    const chat = await createChat(service, workspace, { collection_id: collection.id });
    const { state } = await stream(chat, 'When was the northern lighthouse built of granite?');
    const citation = state.messages[1].citations.find(({ snippet }) => snippet === lines[1]);
    expect(citation?.boxes).toEqual([
      { page: 1, bbox: [expect.closeTo(0.1, 2), expect.closeTo(0.2, 1), expect.any(Number), expect.closeTo(0.23, 1)] },
    ]);
    const [, top = 0, , bottom = 0] = citation?.boxes[0]?.bbox ?? [];
    // The baseline of the second line is 112 of 500 points below the top; lines are 12 points apart.
    expect([top > 101 / 500, top < 106 / 500, bottom > 112 / 500, bottom < 118 / 500]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test('a question about a table is answered by its row, under the header', async () => {
    const { messages } = await ask(service, await newChat(), 'What is the price of a card for companies in 2019?');
    expect(messages[1].citations[0]?.snippet).toBe('Companies | 80 euros | 95 euros');
    expect(textOf(messages[1])).toContain('Card | Price in 2018 | Price in 2019\nCompanies | 80 euros | 95 euros [1]');
  });

  test('an answer reports that the collection does not contain it', async () => {
    for (const query of ['Who painted the ceiling of the Sistine Chapel?', '的', '...']) {
      const { state } = await stream(await newChat(), query);
      expect(textOf(state.messages[1])).toBe(
        'The documents in this collection do not hold an answer to this question.',
      );
      expect([state.messages[1].citations, state.messages[1].status]).toEqual([[], 'done']);
    }
  });

  test('a question that points back is searched with the one before', async () => {
    const chat = await newChat();
    await stream(chat, 'When does the library close on Thursdays?');
    const { state } = await stream(chat, 'and on other days?');
    expect(state.messages[1].parts[1]).toMatchObject({
      input: { query: 'When does the library close on Thursdays? and on other days?' },
    });
    expect(textOf(state.messages[1])).toContain('The library is open from nine to five.');
  });

  test('thanks are not searched, and a complete question after them has no context', async () => {
    const chat = await newChat();
    await stream(chat, 'When does the library close on Thursdays?');
    const thanks = (await stream(chat, 'Thanks!')).state.messages[1];
    expect([textOf(thanks), thanks.citations, thanks.confidence]).toEqual([
      'Please ask a question about the documents in this collection.',
      [],
      null,
    ]);
    const { state } = await stream(chat, 'How much does a late book cost a day?');
    expect(state.messages[1].parts[1]).toMatchObject({ input: { query: 'How much does a late book cost a day?' } });
  });

  test('a lead names the value in bold, with a span of its own and a confidence', async () => {
    const { messages } = await ask(service, await newChat(), 'When does the library close on Thursdays?');
    const [, answer] = messages;
    const [citation] = answer.citations;
    expect(textOf(answer)).toMatch(/^\*\*eight\*\*\n\nOpening hours: On Thursdays it closes at eight\. \[1\]/u);
    expect(citation?.spans).toEqual([
      { part: 2, start: 26, end: 58 },
      { part: 2, start: 2, end: 7, value: 'date' },
    ]);
    expect(answer.confidence).toBeGreaterThan(0.5);
    expect(answer.confidence).toBeLessThanOrEqual(1);
  });

  test('a question about two things is searched once for each', async () => {
    const query = 'When does the library close on Thursdays and what does a card cost for Companies in 2019?';
    const { messages } = await ask(service, await newChat(), query);
    expect(messages[1].parts.flatMap((part) => (part.type === 'tool' ? [part.input] : []))).toEqual([
      { query },
      { query: 'When does the library close on Thursdays?' },
      { query: 'What does a card cost for Companies in 2019?' },
    ]);
    expect(messages[1].citations.map(({ snippet }) => snippet)).toEqual(
      expect.arrayContaining(['On Thursdays it closes at eight.', 'Companies | 80 euros | 95 euros']),
    );
  });

  test("the chat's filter narrows what is answered from", async () => {
    const chat = await newChat({ filter: { 'metadata.audience': 'public' } });
    const { state } = await stream(chat, 'How much does a late book cost a day?');
    expect(state.messages[1].citations.filter((citation) => citation.documentName === 'fees.md')).toEqual([]);
  });

  test('a model that cannot answer is a 409, and nothing is written down', async () => {
    const chat = await newChat();
    await service.call('PATCH', chat.url, { json: {} });
    const { Client } = await import('pg');
    const client = new Client({ connectionString: service.connectionString });
    await client.connect();
    await client.query(
      `with model as (
      insert into configurations (id, workspace_id, kind, role, name, config)
      values (gen_random_uuid(), $1, 'models', 'model', 'Other', '{"provider": "local", "model": "nowhere"}') returning id)
      update chats set model_id = (select id from model) where id = $2`,
      [workspace.id, chat.id],
    );
    await client.end();
    const refused = await service.call('POST', `${chat.url}/message`, { json: { query: 'x' } });
    expect([refused.status, refused.detail[0]?.type]).toEqual([409, 'conflict']);
    expect(refused.detail[0]?.ctx?.['reason']).toContain("'nowhere'");
    expect(await history(chat)).toEqual([]);
  });

  test('the body is checked like any other', async () => {
    const { url } = await newChat();
    const { status, detail } = await service.call('POST', `${url}/message`, { json: { stream: 'maybe', more: 1 } });
    expect([status, detail.map(({ type, loc }) => [type, ...loc])]).toEqual([
      422,
      [
        ['missing', 'body', 'query'],
        ['bool_type', 'body', 'stream'],
        ['extra_forbidden', 'body', 'more'],
      ],
    ]);
  });
});

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
      headers: { authorization: `Bearer ${workspace.admin}` },
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
