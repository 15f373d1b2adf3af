import { expect, test } from 'vitest';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QuireError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from './errors.ts';
import { Quire, type QuireOptions } from './quire.ts';
import type { CallOptions } from './transport.ts';

const WORKSPACE = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';

type Reply = Response | Error;

/** A client whose requests get the replies in order, the last one for all further requests. */
function scripted(
  replies: (() => Reply)[],
  options: QuireOptions = {},
): { quire: Quire; sent: { method: string; path: string; init: RequestInit }[] } {
  const sent: { method: string; path: string; init: RequestInit }[] = [];
  const quire = new Quire({
    url: 'http://quire.test',
    key: 'key',
    ...options,
    fetch: (url, init) => {
      if (url.endsWith('/whoami')) return Promise.resolve(ok({ workspaceId: WORKSPACE }));
      const reply = (replies[sent.length] ?? replies.at(-1))?.() ?? ok(null);
      sent.push({ method: init.method ?? 'GET', path: new URL(url).pathname, init });
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    },
  });
  return { quire, sent };
}

const ok = (data: unknown): Response => Response.json({ data, status: 'ok' });
const busy = (): Response => Response.json({ detail: [] }, { status: 429, headers: { 'retry-after': '0' } });
const unavailable = (): Response =>
  Response.json({ detail: [{ loc: [], msg: 'later', type: 'unavailable' }] }, { status: 503 });
const cut = (): Error => new TypeError('fetch failed', { cause: new Error('ECONNRESET') });

test('each status has its error family, with type, detail and request id', async () => {
  const families: [number, typeof QuireError][] = [
    [400, InvalidRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [405, NotFoundError],
    [409, ConflictError],
    [413, InvalidRequestError],
    [415, InvalidRequestError],
    [422, InvalidRequestError],
    [429, RateLimitError],
    [500, ServerError],
    [503, ServerError],
  ];
  for (const [status, family] of families) {
    const detail = [{ loc: ['body', 'name'], msg: 'Field required', type: 'missing' }];
    const headers = { 'x-request-id': 'r-1', 'retry-after': '7' };
    const { quire } = scripted([() => Response.json({ detail }, { status, headers })], { retries: 0 });
    const error: unknown = await quire.collections
      .list()
      .page()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(family);
    expect(error).toMatchObject({ status, type: 'missing', detail, requestId: 'r-1', retryAfter: 7 });
    expect((error as Error).message).toBe(`GET /v1/w/{ws}/col: ${status} body.name: Field required (request r-1)`);
  }
});

test('an answer that is not of the service is an error with the status as its type', async () => {
  const { quire } = scripted([() => new Response('<html>', { status: 502, statusText: 'Bad Gateway' })], {
    retries: 0,
  });
  const call = quire.collections.get('x');
  await expect(call).rejects.toMatchObject({ status: 502, type: 'http_502', detail: [] });
});

test('what can be repeated without harm is sent again after network failures, 429, 502, 503 and 504', async () => {
  const replies = [cut, busy, unavailable, () => ok({ id: 'c' })];
  const { quire, sent } = scripted(replies);
  expect(await quire.collections.get('c')).toEqual({ id: 'c' });
  expect(sent).toHaveLength(4);
});

test('searches, and runs with their own idempotency key, are sent again', async () => {
  const search = scripted([cut, () => ok({ hits: [] })]);
  await search.quire.search('query');
  expect(search.sent).toHaveLength(2);
  const run = scripted([unavailable, () => ok({ id: 'r' })]);
  await run.quire.runs.create([{ name: 'a.txt', content: 'a' }]);
  const keys = run.sent.map(({ init }) => (init.headers as Record<string, string>)['idempotency-key']);
  expect(keys[0]).toMatch(/^[\da-f]{32}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
});

test('what might be done twice is sent once, unless the service refused it as too many requests', async () => {
  const create = { name: 'c' };
  for (const reply of [cut, unavailable]) {
    const { quire, sent } = scripted([reply]);
    await expect(quire.collections.create(create)).rejects.toThrow(QuireError);
    expect(sent).toHaveLength(1);
  }
  const { quire, sent } = scripted([busy, () => ok({ id: 'c' })]);
  await quire.collections.create(create);
  expect(sent).toHaveLength(2);
});

test('an upload is sent again only if the service skips duplicates, and never if its stream is used up', async () => {
  const outcomes = async (duplicates: 'allow' | 'skip', content: string | AsyncIterable<Uint8Array>) => {
    const { quire, sent } = scripted([cut, () => ok({ id: 'd' })]);
    await quire
      .collection('c')
      .documents.upload({ name: 'a.txt', content }, { duplicates })
      .catch(() => undefined);
    return sent.length;
  };
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('text');
  };
  expect(await outcomes('allow', 'text')).toBe(1);
  expect(await outcomes('skip', 'text')).toBe(2);
  expect(await outcomes('skip', stream())).toBe(1);
});

test('the last failure is thrown after the retries, with the reason of the network', async () => {
  const { quire, sent } = scripted([cut], { retries: 1 });
  const call = quire.collections.get('c');
  await expect(call).rejects.toThrow(ConnectionError);
  await expect(call).rejects.toMatchObject({
    type: 'connection',
    message: 'cannot reach http://quire.test: ECONNRESET',
  });
  expect(sent).toHaveLength(2);
});

test('a call ends at its time limit or with the reason of its signal', async () => {
  const never = (_url: string, init: RequestInit): Promise<Response> =>
    new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)));
  const quire = new Quire({ url: 'http://quire.test', key: 'key', fetch: never });
  await expect(quire.whoami({ timeoutMs: 5 })).rejects.toThrow(TimeoutError);
  const controller = new AbortController();
  const reason = new Error('no longer needed');
  const { signal } = controller;
  const calls = [quire.whoami({ signal }), quire.search('q', { signal })].map((call) =>
    expect(call).rejects.toBe(reason),
  );
  controller.abort(reason);
  await Promise.all(calls);
  await expect(quire.whoami({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('the address may have a path, a slash at its end, or the version', async () => {
  for (const url of ['http://quire.test/base', 'http://quire.test/base/', 'http://quire.test/base/v1']) {
    const { quire, sent } = scripted([() => ok({})], { url });
    await quire.collections.get('a/b');
    expect(sent[0]?.path).toBe(`/base/v1/w/${WORKSPACE}/col/a%2Fb`);
  }
});

test('every kind of call ends at its time limit and with the reason of its signal', async () => {
  const sent: AbortSignal[] = [];
  const quire = new Quire({
    url: 'http://quire.test',
    key: 'key',
    fetch: (url, init) => {
      if (url.endsWith('/whoami')) return Promise.resolve(ok({ workspaceId: WORKSPACE }));
      sent.push(init.signal as AbortSignal);
      return new Promise((_, reject) =>
        init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error), { once: true }),
      );
    },
  });
  const file = { name: 'a.txt', content: 'a' };
  const { documents } = quire.collection('c');
  const calls: Record<string, (options: CallOptions) => PromiseLike<unknown>> = {
    get: (options) => quire.collections.get('c', options),
    list: (options) => quire.collections.list(options).page(),
    all: (options) => quire.collections.list(options).all(),
    create: (options) => quire.collections.create({ name: 'c' }, options),
    search: (options) => quire.search('q', options),
    upload: (options) => documents.upload(file, options),
    uploadMany: (options) => documents.uploadMany([file], options).all(),
    ready: (options) => documents.ready('d', options),
    text: (options) => documents.markdown('d', options),
    original: (options) => documents.original('d', options),
    picture: (options) => quire.document({ id: 'd', collectionId: 'c' }).page(1, options),
    ask: (options) => quire.chat('c').ask('q', options).final,
    follow: (options) => quire.chat('c').follow('m', options).final,
    process: (options) => quire.process({ files: [file] }, options),
    staged: (options) =>
      quire.process({ files: [file], idempotencyKey: 'k' }, { ...options, onRefused: () => undefined }),
    raw: (options) => quire.raw({ path: '/v1/w/{ws}/col', ...options }),
    events: ({ signal }) => quire.events({ signal }).next(),
  };
  const reason = new Error('no longer needed');
  for (const [name, call] of Object.entries(calls)) {
    const before = sent.length;
    const controller = new AbortController();
    const ended = Promise.resolve(call({ signal: controller.signal })).catch((error: unknown) => error);
    while (sent.length === before) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    expect([name, await ended]).toEqual([name, reason]);
    expect([name, sent.at(-1)?.aborted]).toEqual([name, true]);
    if (name === 'events') continue;
    const late: unknown = await Promise.resolve(call({ timeoutMs: 1 })).catch((error: unknown) => error);
    const [outcome] = Array.isArray(late) ? (late as { error: unknown }[]) : [{ error: late }];
    expect([name, outcome?.error]).toEqual([name, expect.any(TimeoutError)]);
  }
});

test('an address without a scheme is refused before any request', () => {
  expect(() => new Quire({ url: 'localhost:8080', key: 'key' })).toThrow(
    'url or QUIRE_URL is no address: localhost:8080',
  );
});

test('the root key works in the only workspace, and needs a choice among several', async () => {
  const rooted = (ids: string[]): Quire =>
    new Quire({
      url: 'http://quire.test',
      key: 'root',
      fetch: (url) =>
        Promise.resolve(
          url.endsWith('/whoami')
            ? ok({ workspaceId: null })
            : url.endsWith('/workspaces')
              ? ok({ items: ids.map((id) => ({ id })), cursor: null, limit: 50, total: ids.length })
              : ok({ url }),
        ),
    });
  expect(await rooted(['one']).workspaceId()).toBe('one');
  await expect(rooted(['one', 'two']).collections.get('c')).rejects.toMatchObject({ type: 'workspace_required' });
  const chosen = rooted(['one', 'two']).workspace('two');
  expect(await chosen.collections.get('c')).toEqual({ url: 'http://quire.test/v1/w/two/col/c' });
});

test('an id of dots or with signs of addresses does not lead to another resource', async () => {
  const { quire, sent } = scripted([() => ok({})]);
  const documents = quire.collection('c').documents;
  await documents.delete('..');
  await documents.get('a/../b?x#y');
  await quire.runs.output('r', '../parse/./a b.md');
  expect(sent.map(({ path }) => path.slice(`/v1/w/${WORKSPACE}`.length))).toEqual([
    '/col/c/docs/%252E..',
    '/col/c/docs/a%2F..%2Fb%3Fx%23y',
    '/process/r/outputs/%252E../parse/%252E./a%20b.md',
  ]);
});

test('the status and the headers of a call can be read', async () => {
  const { quire } = scripted([
    () => Response.json({ data: 1, status: 'ok' }, { status: 202, headers: { etag: '"1"' } }),
  ]);
  const { status, headers, body } = await quire.raw({ path: '/v1/w/{ws}/col' });
  expect([status, headers.get('etag'), body]).toEqual([202, '"1"', { data: 1, status: 'ok' }]);
});

test('lists are read page by page, as far as they are needed', async () => {
  const pages = [
    () => ok({ items: [1, 2], cursor: 'next', limit: 2, total: 3 }),
    () => ok({ items: [3], cursor: null, limit: 2, total: 3 }),
  ];
  const all = scripted(pages);
  expect(await all.quire.collections.list({ limit: 2 }).all()).toEqual([1, 2, 3]);
  const first = scripted(pages);
  for await (const record of first.quire.collections.list({ limit: 2 })) if (Number(record) === 2) break;
  expect(first.sent).toHaveLength(1);
});
