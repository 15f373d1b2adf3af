/** CONTRACT section 6: answers and their citations. */
import { describe, expect, test } from 'vitest';
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { ask, createChat, createCollection } from '../../factories.ts';
import { service, workspace, library, newChat, history, stream, textOf, useLibrary } from './library.ts';

useLibrary();

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
      'The northern lighthouse on the cliff was built of granite in 1894.',
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
    expect(textOf(messages[1])).toMatch(/^\*\*95 euros\*\* \(Companies, Price in 2019\)\n\n/u);
    expect(messages[1].citations[0]?.spans.at(1)).toEqual({ part: 2, start: 2, end: 10, value: 'money' });
  });

  test('a difference of two cells is computed, and each operand is cited by its row', async () => {
    const { messages } = await ask(
      service,
      await newChat(),
      'What is the difference between the price of a card for adults and for companies in 2019?',
    );
    const text = textOf(messages[1]);
    expect(text).toBe(
      '**83 euros** = 95 euros [2] − 12 euros [1]\n\n' +
        'Fees: Card | Price in 2018 | Price in 2019\nAdults | 10 euros | 12 euros [1]\n' +
        'Companies | 80 euros | 95 euros [2]',
    );
    expect(
      messages[1].citations.map(({ snippet, spans }) => [
        snippet,
        ...spans.map(({ start, end }) => text.slice(start, end)),
      ]),
    ).toEqual([
      ['Adults | 10 euros | 12 euros', 'Adults | 10 euros | 12 euros', '12 euros'],
      ['Companies | 80 euros | 95 euros', 'Companies | 80 euros | 95 euros', '95 euros'],
    ]);
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

  test('a missing answer is reported in the language of question and documents', async () => {
    const collection = await createCollection(service, workspace);
    await service.call('POST', `${collection.url}/docs/file-binary?wait=60`, {
      body: new TextEncoder().encode('La biblioteca abre a las nueve de la mañana. Los lunes cierra a las dos.'),
      headers: { 'content-disposition': 'attachment; filename=horario.txt' },
    });
    const chat = await createChat(service, workspace, { collection_id: collection.id });
    const { state } = await stream(chat, '¿Quién pintó el techo de la Capilla Sixtina?');
    expect(textOf(state.messages[1])).toBe(
      'Los documentos de esta colección no contienen ninguna respuesta a esta pregunta.',
    );
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
