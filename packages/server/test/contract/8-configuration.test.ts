/** CONTRACT section 8: configurations of models, embedders and parsers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { providersOf } from '@quire/models/providers/registry';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCollection, createDocument, createWorkspace, type AnyRecord, type TestWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

const UUID = /^[0-9a-f-]{36}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NEVER_SET = '0192f0c4-0000-7000-8000-00000000ffff';

type Kind = 'models' | 'embedders' | 'parsers';
interface Configuration extends AnyRecord {
  config: Record<string, unknown>;
  isDefault: boolean;
  deletedAt: string | null;
}

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1' });
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

const send = (method: string, path: string, json?: unknown) =>
  service.call<Configuration>(method, `${workspace.url}/config/${path}`, {
    key: workspace.admin,
    ...(json === undefined ? {} : { json }),
  });

async function create(kind: Kind, config: unknown, fields: object = {}): Promise<Configuration> {
  const answer = await send('POST', kind, { name: 'One', config, ...fields });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.data;
}

const list = (kind: Kind, query = '') =>
  service.call<{ items: Configuration[]; total: number }>('GET', `${workspace.url}/config/${kind}${query}`);

test('a configuration is answered with its key masked, and nothing of the fields that are not set', async () => {
  const config = { provider: 'provider_a', model: 'gpt', apiKey: 'sk-0123456789wxyz', temperature: 0.5 };
  const made = await send('POST', 'models', { name: 'Mine', config });
  expect(made.status).toBe(201);
  expect(made.data).toEqual({
    id: expect.stringMatching(UUID),
    workspaceId: workspace.id,
    name: 'Mine',
    config: { provider: 'provider_a', model: 'gpt', apiKey: '••••wxyz', temperature: 0.5 },
    isDefault: false,
    createdAt: expect.stringMatching(TIMESTAMP),
    modifiedAt: expect.stringMatching(TIMESTAMP),
    deletedAt: null,
  });
  expect((await send('GET', `models/${made.data.id}`)).data).toEqual(made.data);
  const short = await create('models', { provider: 'provider_a', model: 'gpt', apiKey: 'short-key-1' });
  expect(short.config['apiKey']).toBe('••••');
});

test('every setting of a model is answered as it was given', async () => {
  const settings = { model: 'gpt', baseUrl: 'https://a.example/v1', temperature: 0.5, maxOutputTokens: 900 };
  const limits = { contextTokens: 32_000, maxConcurrency: 3, requestsPerMinute: 60 };
  const config = { provider: 'provider_a', ...settings, ...limits };
  expect((await create('models', { ...config, apiKey: 'sk-0123456789wxyz' })).config).toEqual({
    ...config,
    apiKey: '••••wxyz',
  });
});

test('an unknown provider is an enum error that names the kind’s providers in their order', async () => {
  for (const kind of ['models', 'embedders', 'parsers'] as const) {
    const names = providersOf(kind).map((name) => `'${name}'`);
    const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
    const answer = await send('POST', kind, { name: 'x', config: { provider: 'nope' } });
    expect([answer.status, answer.text]).toEqual([
      422,
      `{"detail":[{"loc":["body","config","provider"],"msg":"Input should be ${expected}","type":"enum","input":"nope","ctx":{"expected":"${expected}"}}]}`,
    ]);
    const { id } = (await list(kind)).data.items[0]!;
    const patched = await send('PATCH', `${kind}/${id}`, { config: { provider: 'nope' } });
    expect([patched.status, patched.text]).toEqual([answer.status, answer.text]);
  }
});

test('what is missing is said by name, for the body, the provider and each provider’s own fields', async () => {
  const missing = (...locs: string[][]) =>
    `{"detail":[${locs.map((loc) => `{"loc":${JSON.stringify(['body', ...loc])},"msg":"Field required","type":"missing"}`).join(',')}]}`;
  const cases: [Kind, unknown, string][] = [
    ['models', {}, missing(['name'], ['config'])],
    ['models', { name: 'x', config: {} }, missing(['config', 'provider'])],
    ['models', { name: 'x', config: { provider: 'local' } }, missing(['config', 'model'])],
    ['models', { name: 'x', config: { provider: 'provider_a' } }, missing(['config', 'model'], ['config', 'apiKey'])],
    [
      'models',
      { name: 'x', config: { provider: 'provider_a', baseUrl: 'https://a.example' } },
      missing(['config', 'model']),
    ],
    [
      'embedders',
      { name: 'x', config: { provider: 'provider_b' } },
      missing(['config', 'model'], ['config', 'apiKey']),
    ],
    ['embedders', { name: 'x', config: { provider: 'provider_b', model: 'm' } }, missing(['config', 'apiKey'])],
    ['parsers', { name: 'x', config: { provider: 'provider_c' } }, missing(['config', 'apiKey'])],
  ];
  for (const [kind, json, text] of cases) {
    const answer = await send('POST', kind, json);
    expect([answer.status, answer.text]).toEqual([422, text]);
  }
});

test('each provider takes its own fields only', async () => {
  const refused = async (kind: Kind, config: Record<string, unknown>) =>
    (await send('POST', kind, { name: 'x', config })).detail.map(({ type, loc }) => [type, loc.at(-1)]);
  expect(await refused('embedders', { provider: 'bm25', language: 'de', dimensions: 3, baseUrl: 'x' })).toEqual([
    ['extra_forbidden', 'dimensions'],
    ['extra_forbidden', 'baseUrl'],
  ]);
  expect(await refused('models', { provider: 'provider_b', model: 'm', apiKey: 'k', jpegQuality: 80 })).toEqual([
    ['extra_forbidden', 'jpegQuality'],
  ]);
  expect(await refused('parsers', { provider: 'provider_b', model: 'm', apiKey: 'k', jpegQuality: 101 })).toEqual([
    ['less_than_equal', 'jpegQuality'],
  ]);
  expect(await refused('parsers', { provider: 'service', ocr: 'perhaps', languages: ['../x'] })).toEqual([
    ['enum', 'ocr'],
    ['string_pattern_mismatch', 0],
  ]);
  expect(
    (await create('parsers', { provider: 'provider_b', model: 'm', apiKey: 'k', jpegQuality: 80 })).config,
  ).toEqual({
    provider: 'provider_b',
    model: 'm',
    apiKey: '••••',
    jpegQuality: 80,
  });
});

test('a base URL is http or https and carries no credentials, which no error repeats', async () => {
  const refused = async (baseUrl: string) => {
    const config = { provider: 'provider_a', model: 'm', baseUrl };
    const answer = await send('POST', 'models', { name: 'x', config });
    expect(answer.text).not.toContain('hunter2');
    return [answer.status, answer.detail[0]?.type, answer.detail[0]?.loc.at(-1)];
  };
  expect(await refused('file:///etc/passwd')).toEqual([422, 'url_scheme', 'baseUrl']);
  expect(await refused('https://me:hunter2@llm.example/v1')).toEqual([422, 'value_error', 'baseUrl']);
  expect(await refused('https://llm.example/v1?x=1')).toEqual([422, 'value_error', 'baseUrl']);
});

test('PATCH merges field by field; null removes an optional field and is missing for a required one', async () => {
  const { id } = await create('models', {
    provider: 'provider_a',
    model: 'gpt',
    apiKey: 'sk-0123456789wxyz',
    temperature: 1,
    maxConcurrency: 4,
  });
  const merged = await send('PATCH', `models/${id}`, { config: { temperature: null, maxOutputTokens: 10 } });
  expect([merged.status, merged.data.name, merged.data.config]).toEqual([
    200,
    'One',
    { provider: 'provider_a', model: 'gpt', apiKey: '••••wxyz', maxOutputTokens: 10, maxConcurrency: 4 },
  ]);
  const renamed = await send('PATCH', `models/${id}`, { name: 'Two', config: { ...merged.data.config } });
  expect([renamed.data.name, renamed.data.config]).toEqual(['Two', merged.data.config]);
  const broken = await send('PATCH', `models/${id}`, { config: { model: null, language: 'de' } });
  expect(broken.detail.map(({ type, loc }) => [type, loc.at(-1)])).toEqual([['extra_forbidden', 'language']]);
  const missing = await send('PATCH', `models/${id}`, { config: { model: null } });
  expect(missing.text).toBe('{"detail":[{"loc":["body","config","model"],"msg":"Field required","type":"missing"}]}');
});

test('a mask that is not the stored key’s is refused', async () => {
  const answer = await send('POST', 'models', {
    name: 'x',
    config: { provider: 'provider_a', model: 'gpt', apiKey: '••••wxyz' },
  });
  expect([answer.status, answer.detail[0]?.type, answer.detail[0]?.loc]).toEqual([
    422,
    'value_error',
    ['body', 'config', 'apiKey'],
  ]);
  const { id } = await create('models', { provider: 'provider_a', model: 'gpt', apiKey: 'sk-0123456789wxyz' });
  expect((await send('PATCH', `models/${id}`, { config: { apiKey: '••••abcd' } })).status).toBe(422);
  expect((await send('PATCH', `models/${id}`, { config: { apiKey: '••••wxyz' } })).status).toBe(200);
});

test('another host, port, scheme or provider needs the key again; another path does not', async () => {
  const config = { provider: 'provider_a', model: 'gpt', apiKey: 'sk-0123456789wxyz', baseUrl: 'https://a.example/v1' };
  const { id } = await create('models', config);
  const patch = (changes: object) => send('PATCH', `models/${id}`, { config: changes });
  const leaks = [
    { baseUrl: 'https://b.example/v1' },
    { baseUrl: 'https://a.example:444/v1' },
    { baseUrl: 'http://a.example/v1', apiKey: '••••wxyz' },
    { baseUrl: null },
    { provider: 'provider_b', baseUrl: null },
  ];
  for (const changes of leaks) {
    const answer = await patch(changes);
    expect([answer.status, answer.detail[0]?.loc, answer.detail[0]?.input]).toEqual([
      422,
      ['body', 'config', 'apiKey'],
      undefined,
    ]);
  }
  expect((await patch({ baseUrl: 'https://a.example/v2' })).data.config['baseUrl']).toBe('https://a.example/v2');
  const moved = await patch({ baseUrl: 'https://b.example/v1', apiKey: 'sk-for-b-0123456789' });
  expect([moved.status, moved.data.config['apiKey']]).toEqual([200, '••••6789']);
  expect((await patch({ apiKey: null, baseUrl: 'https://c.example/' })).data.config).toEqual({
    provider: 'provider_a',
    model: 'gpt',
    baseUrl: 'https://c.example/',
  });
});

test('there is one default of each role; a new one takes its place', async () => {
  const first = await create('parsers', { provider: 'service' }, { isDefault: true });
  const second = await create('parsers', { provider: 'service', ocr: 'never' });
  expect((await send('PATCH', `parsers/${second.id}`, { isDefault: true })).data.isDefault).toBe(true);
  const defaults = (await list('parsers')).data.items.filter((each) => each.isDefault);
  expect(defaults.map((each) => each.id)).toEqual([second.id]);
  expect((await createCollection(service, workspace))['parserId']).toBe(second.id);
  const unset = await send('PATCH', `parsers/${second.id}`, { isDefault: false });
  expect([unset.status, unset.detail[0]?.type]).toEqual([409, 'conflict']);
  expect((await send('PATCH', `parsers/${first.id}`, { isDefault: false })).status).toBe(200);
  const embedders = (await list('embedders')).data.items.filter((each) => each.isDefault);
  expect(embedders.map((each) => each.config['provider']).toSorted()).toEqual(['bm25', 'local']);
});

test('eight that become the default at once leave one', async () => {
  const made = await Promise.all(
    Array.from({ length: 8 }, () => create('models', { provider: 'local', model: 'extractive' }, { isDefault: true })),
  );
  const defaults = (await list('models', '?limit=100')).data.items.filter((each) => each.isDefault);
  expect([made.length, defaults.length]).toEqual([8, 1]);
});

test('deleting is soft: out of lists, readable, closed to changes, restored by undelete', async () => {
  const { id } = await create('parsers', { provider: 'service' });
  const first = await send('DELETE', `parsers/${id}`);
  const again = await send('DELETE', `parsers/${id}`);
  expect([first.status, first.data.deletedAt, again.data]).toEqual([200, expect.stringMatching(TIMESTAMP), first.data]);
  const ids = async (query: string) => (await list('parsers', query)).data.items.map((each) => each.id);
  expect([(await ids('')).includes(id), (await ids('?includeDeleted=true')).includes(id)]).toEqual([false, true]);
  expect((await send('GET', `parsers/${id}`)).data).toEqual(first.data);
  const changed = await send('PATCH', `parsers/${id}`, { name: 'x' });
  expect([changed.status, changed.detail[0]?.type]).toEqual([409, 'deleted']);
  const chosen = await service.call('POST', `${workspace.url}/col`, { json: { name: 'x', parserId: id } });
  expect(chosen.status).toBe(422);
  expect((await send('PUT', `parsers/${id}/undelete`)).data.deletedAt).toBeNull();
  expect((await send('PATCH', `parsers/${id}`, { name: 'x' })).status).toBe(200);
  expect((await send('DELETE', `parsers/${id}?purge=true`)).status).toBe(200);
  expect((await send('GET', `parsers/${id}`)).status).toBe(404);
});

test('one in use is refused with its users, or hands them to the default; the default itself stays', async () => {
  const { id } = await create('embedders', { provider: 'bm25', language: 'de' });
  const collection = await createCollection(service, workspace, { sparseEmbedderId: id });
  const refused = await send('DELETE', `embedders/${id}`);
  expect([refused.status, refused.detail]).toEqual([
    409,
    [
      {
        loc: [],
        msg: 'It is in use; with force=true its users move to the default',
        type: 'in_use',
        ctx: { isDefault: false, collectionIds: [collection.id] },
      },
    ],
  ]);
  expect((await send('DELETE', `embedders/${id}?force=true`)).status).toBe(200);
  const embedders = (await list('embedders')).data.items;
  const fallback = embedders.find((each) => each.isDefault && each.config['provider'] === 'bm25')!;
  const moved = await service.call('GET', collection.url);
  expect([moved.data['sparseEmbedderId'], moved.data['reindex']]).toEqual([fallback.id, expect.anything()]);
  const kept = await send('DELETE', `embedders/${fallback.id}?force=true`);
  expect([kept.status, kept.detail[0]?.type, kept.detail[0]?.ctx?.['isDefault']]).toEqual([409, 'in_use', true]);
});

test('an embedder whose vectors change starts a re-index of its users; another name or limit does not', async () => {
  const { id } = await create('embedders', { provider: 'bm25' });
  const { url } = await createCollection(service, workspace, { sparseEmbedderId: id });
  await send('PATCH', `embedders/${id}`, { name: 'Renamed', config: { provider: 'bm25' } });
  expect((await service.call('GET', url)).data['reindex']).toBeNull();
  await send('PATCH', `embedders/${id}`, { config: { language: 'de' } });
  expect((await service.call('GET', url)).data['reindex']).not.toBeNull();
  const other = await send('PATCH', `embedders/${id}`, {
    config: { provider: 'local', language: null, model: 'default' },
  });
  expect([other.status, other.detail[0]?.loc]).toEqual([422, ['body', 'config', 'provider']]);
});

test('a local model that is not available is refused before it is used', async () => {
  const { id } = await create('embedders', { provider: 'local', model: 'no-such-model' });
  const { status, detail } = await service.call('POST', `${workspace.url}/col`, {
    json: { name: 'x', embedderId: id },
  });
  expect([status, detail[0]?.msg]).toEqual([
    422,
    "Value error, the embedding model 'no-such-model' is not available on this server",
  ]);
});

test('an id of another kind is not found', async () => {
  const { id } = await create('models', { provider: 'local', model: 'extractive' });
  for (const path of [`parsers/${id}`, `embedders/${id}`, `models/${NEVER_SET}`]) {
    expect((await send('GET', path)).status).toBe(404);
  }
});

interface Outcome {
  ok: boolean;
  latencyMs: number;
  message: string;
}

const tryOut = (path: string) =>
  service.call<Outcome>('POST', `${workspace.url}/config/${path}/test`, { key: workspace.admin });

test('what is built in is tried with one tiny call', async () => {
  const parser = await create('parsers', { provider: 'service' });
  const sparse = await create('embedders', { provider: 'bm25' });
  const dense = await create('embedders', { provider: 'local', model: 'default' });
  const ids = [`parsers/${parser.id}`, `embedders/${sparse.id}`, `embedders/${dense.id}`];
  const answers = await Promise.all(ids.map(tryOut));
  expect(answers.map(({ status, data }) => [status, data.ok, data.message])).toEqual([
    [200, true, '1 passage'],
    [200, true, '3 terms'],
    [
      200,
      true,
      expect.stringMatching(/^A vector of [1-9]\d+ dimensions by quire-static\/\S+, shipped with the service$/),
    ],
  ]);
  expect(answers.map(({ data }) => Number.isInteger(data.latencyMs))).toEqual([true, true, true]);
});

test('an outside embedder is called with its key; its failure is an answer', async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization]);
    if (request.headers.authorization === 'Bearer the-right-key-1') {
      response.end(JSON.stringify({ data: [{ index: 0, embedding: [1, 2, 3] }] }));
    } else {
      response.writeHead(401).end('{"error":{"message":"wrong: the-wrong-key-1"}}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const config = { provider: 'provider_a', model: 'm', baseUrl };
  const { id } = await create('embedders', { ...config, apiKey: 'the-right-key-1' });
  expect((await tryOut(`embedders/${id}`)).data).toEqual({
    ok: true,
    latencyMs: expect.any(Number),
    message: 'A vector of 3 dimensions',
  });
  await send('PATCH', `embedders/${id}`, { config: { apiKey: 'the-wrong-key-1' } });
  const failed = await tryOut(`embedders/${id}`);
  expect([failed.status, failed.data.ok, failed.data.message]).toEqual([
    200,
    false,
    'The provider answered 401: it does not accept the key',
  ]);
  expect(seen).toEqual([
    ['POST', '/v1/embeddings', 'Bearer the-right-key-1'],
    ['POST', '/v1/embeddings', 'Bearer the-wrong-key-1'],
  ]);
  const inside = await create('embedders', { ...config, baseUrl: 'http://169.254.169.254/v1' });
  expect((await tryOut(`embedders/${inside.id}`)).data).toMatchObject({
    ok: false,
    message: expect.stringMatching(/169\.254\.169\.254 is not at a public address/),
  });
});

test('testing a language model sends a tiny question, and its failure is a successful answer', async () => {
  const server = createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer the-right-key-1') {
      response.writeHead(401).end('{"error":{"message":"wrong: the-wrong-key-1"}}');
      return;
    }
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'May' }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 19, completion_tokens: 2, total_tokens: 21 };
    const chunk = JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices, usage });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${chunk}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const config = { provider: 'provider_a', model: 'm', baseUrl, apiKey: 'the-right-key-1' };
  const { id } = await create('models', config);
  expect((await tryOut(`models/${id}`)).data).toEqual({
    ok: true,
    latencyMs: expect.any(Number),
    message:
      'provider_a/m answered: 19 tokens in, 2 out. Its context window is unknown and assumed to be 8192 tokens: set contextTokens',
  });
  await send('PATCH', `models/${id}`, { config: { apiKey: 'the-wrong-key-1' } });
  expect((await tryOut(`models/${id}`)).data).toMatchObject({
    ok: false,
    message: 'The provider answered 401: it does not accept the key',
  });
});

test('test of a model reports no assumed context length if the server lists one', async () => {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'm', max_model_len: 32_768 }] }));
      return;
    }
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'May' }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 19, completion_tokens: 2, total_tokens: 21 };
    const chunk = JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices, usage });
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${chunk}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { id } = await create('models', { provider: 'provider_a', model: 'm', baseUrl });
  expect((await tryOut(`models/${id}`)).data).toMatchObject({
    ok: true,
    message: 'provider_a/m answered: 19 tokens in, 2 out',
  });
});

test('a provider that fails is called once, for each kind', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url);
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const config = { model: 'm', baseUrl, apiKey: 'a-key-that-is-right' };
  const model = await create('models', { provider: 'provider_a', ...config });
  const embedder = await create('embedders', { provider: 'provider_a', ...config });
  const parser = await create('parsers', { provider: 'provider_c', ...config });
  const outcomes: unknown[] = [];
  for (const path of [`models/${model.id}`, `embedders/${embedder.id}`, `parsers/${parser.id}`]) {
    const { data } = await tryOut(path);
    outcomes.push([data.ok, data.message]);
  }
  const refused = [false, expect.stringMatching(/^The provider answered 503/)];
  expect(outcomes).toEqual([refused, refused, refused]);
  expect(seen).toEqual(['/v1/models', '/v1/chat/completions', '/v1/embeddings', '/v1/ocr']);
});

test('a key that was sealed with another secret key is reported as such', async () => {
  const { id } = await create('models', { provider: 'provider_a', model: 'm', apiKey: 'a-key-of-another-day' });
  const client = new pg.Client({ connectionString: service.connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`update configurations set secrets = '{"apiKey": "v1.another.bm9uY2U.c2VhbGVk"}' where id = $1`, [
    id,
  ]);
  const answer = await tryOut(`models/${id}`);
  expect([answer.status, answer.data.ok, answer.data.message]).toEqual([
    200,
    false,
    'The stored API key cannot be decrypted with this secret key: set it again',
  ]);
});

test('the test of a configuration with a missing local model fails with the reason', async () => {
  const config = { provider: 'local', model: 'no-such-model' };
  const model = await create('models', config);
  const embedder = await create('embedders', config);
  const answers = [await tryOut(`models/${model.id}`), await tryOut(`embedders/${embedder.id}`)];
  expect(answers.map(({ status, data }) => [status, data.ok, data.message])).toEqual([
    [200, false, "the language model 'no-such-model' is not available on this server"],
    [200, false, "the embedding model 'no-such-model' is not available on this server"],
  ]);
});

test('the extractive model needs no call, and a deleted one is not tried', async () => {
  const model = await create('models', { provider: 'local', model: 'extractive' });
  expect((await tryOut(`models/${model.id}`)).data).toMatchObject({
    ok: true,
    message: 'Answers are quoted from the documents found',
  });
  await send('DELETE', `models/${model.id}`);
  const gone = await tryOut(`models/${model.id}`);
  expect([gone.status, gone.detail[0]?.type]).toEqual([409, 'deleted']);
});

test('boilerplate of web pages goes when the parser says so, and stays when it says nothing', async () => {
  const page =
    '<html><body><nav>Home | About</nav><main><p>The lease ends in May.</p></main><footer>Imprint</footer></body></html>';
  const markdown = async (config: Record<string, unknown>): Promise<string> => {
    const parser = await create('parsers', config);
    expect(parser.config).toEqual(config);
    const collection = await createCollection(service, workspace, { parserId: parser.id });
    const fields = { name: 'page.html', content: page, contentType: 'text/html' };
    const { url } = await createDocument(service, collection, fields);
    return (await service.call('GET', `${url}/markdown`)).text;
  };
  expect(await markdown({ provider: 'service' })).toBe('Home | About\n\nThe lease ends in May.\n\nImprint\n');
  expect(await markdown({ provider: 'service', removeBoilerplate: true })).toBe('The lease ends in May.\n');

  const wrong = await send('POST', 'parsers', {
    name: 'x',
    config: { provider: 'service', removeBoilerplate: 'maybe' },
  });
  expect([wrong.status, wrong.detail[0]?.type]).toEqual([422, 'bool_type']);
  const patched = await create('parsers', { provider: 'service', removeBoilerplate: true });
  const { data } = await send('PATCH', `parsers/${patched.id}`, { config: { removeBoilerplate: null } });
  expect(data.config).toEqual({ provider: 'service' });
});
