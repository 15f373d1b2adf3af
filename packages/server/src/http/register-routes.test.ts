import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { CollectionRecord } from '../database/tables.ts';
import type { Principal } from '../domain/keys/types.ts';
import { conflict } from '../errors.ts';
import { createLogger } from '../logger.ts';
import { Metrics } from '../metrics.ts';
import type { AccessDeps } from './access.ts';
import { RateLimiter } from './plugins/rate-limit.ts';
import { registerRoutes } from './register-routes.ts';
import { healthRoutes } from './routes/health/routes.ts';
import { created, ok, route } from './route.ts';
import { createServer } from './server.ts';
import { Traffic } from './traffic/traffic.ts';
import { choice, optional, queryFlag, queryInteger, text } from '../validation/fields.ts';
import { metadataObject } from '../validation/json-object.ts';

const WS = '0192f0c4-0000-7000-8000-000000000001';
const OTHER_WS = '0192f0c4-0000-7000-8000-000000000002';
const COL = '0192f0c4-0000-7000-8000-00000000000a';
const COL_2 = '0192f0c4-0000-7000-8000-00000000000b';
const FOREIGN_COL = '0192f0c4-0000-7000-8000-00000000000c';
const UNKNOWN_ID = '0192f0c4-0000-7000-8000-00000000ffff';

const principal = (permission: Principal['permission'], collectionIds: string[] | null = null): Principal => ({
  keyId: permission,
  permission,
  workspaceId: permission === 'root' ? null : WS,
  collectionIds,
});
const KEYS: Record<string, Principal> = {
  root: principal('root'),
  admin: principal('admin'),
  write: principal('write'),
  read: principal('read'),
  limited: principal('admin', [COL]),
};
const COLLECTIONS: Record<string, string> = { [COL]: WS, [COL_2]: WS, [FOREIGN_COL]: OTHER_WS };

const access: AccessDeps = {
  authenticate: async (key) => KEYS[key],
  workspaceExists: async (id) => id === WS || id === OTHER_WS,
  loaders: {
    col: async (id, { ws }) =>
      COLLECTIONS[id] === ws ? ({ id, name: `collection ${id}` } as CollectionRecord) : undefined,
    doc_id: async () => undefined,
    key_id: async () => undefined,
    model_id: async () => undefined,
    embedder_id: async () => undefined,
    parser_id: async () => undefined,
    chat_id: async () => undefined,
    message_id: async () => undefined,
    run_id: async () => undefined,
    webhook_id: async () => undefined,
    delivery_id: async () => undefined,
    connector_id: async () => undefined,
    sync_id: async () => undefined,
  },
  isInScope: async () => true,
  recallCollection: async () => undefined,
  verifyLink: () => false,
  limiter: new RateLimiter(0),
  traffic: new Traffic({ memoryBytes: 64 * 1024 ** 2, maxRequests: 1_000, maxConnections: 1_000 }),
};

const ROWS = Array.from({ length: 5 }, (_, index) => `row ${index}`);
const rowShape = z.object({ id: z.string() });
const routes = [
  ...healthRoutes({ database: async () => undefined }, new Metrics()),
  route({
    method: 'GET',
    path: '/v1/w/{ws}/col/{col}',
    operationId: 'read',
    summary: '',
    tag: '',
    permission: 'read',
    response: z.object({ name: z.string() }),
    handler: async ({ records }) => ok({ name: records.col.name }),
  }),
  route({
    method: 'POST',
    path: '/v1/w/{ws}/col/{col}',
    operationId: 'change',
    summary: '',
    tag: '',
    permission: 'write',
    query: z.object({ wait: optional(queryInteger({ ge: 0, le: 60 })) }),
    body: z.strictObject({ name: text({ min: 1 }), apiKey: optional(text()), metadata: optional(metadataObject()) }),
    response: z.object({ name: z.string() }),
    statuses: [201],
    handler: async ({ body }) => {
      if (body.name === 'taken') throw conflict('The name is taken', { name: body.name });
      if (body.name === 'broken') throw new Error('secret detail of the failure');
      if (body.name === 'offline') throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
      return created({ name: body.name });
    },
  }),
  ...[false, true].map((brief) =>
    route({
      method: 'GET',
      path: brief ? '/v1/w/{ws}/brief' : '/v1/w/{ws}/long',
      operationId: brief ? 'brief' : 'long',
      summary: '',
      tag: '',
      permission: 'admin',
      brief,
      response: z.object({}),
      handler: async () => {
        await Promise.resolve();
        logger.warn('on the way');
        throw new Error('at the end');
      },
    }),
  ),
  route({
    method: 'DELETE',
    path: '/v1/w/{ws}/col/{col}',
    operationId: 'remove',
    summary: '',
    tag: '',
    permission: 'write',
    adminQuery: 'purge',
    query: z.object({ purge: optional(queryFlag()) }),
    response: z.object({ purged: z.boolean() }),
    handler: async ({ query }) => ok({ purged: query.purge === true }),
  }),
  route({
    method: 'PATCH',
    path: '/v1/w/{ws}/settings',
    operationId: 'settings',
    summary: '',
    tag: '',
    permission: 'admin',
    body: z.strictObject({ name: text() }),
    response: z.object({}),
    handler: async () => ok({}),
  }),
  route({
    method: 'GET',
    path: '/v1/w/{ws}/rows',
    operationId: 'rows',
    summary: '',
    tag: '',
    permission: 'read',
    limitedKeys: true,
    query: z.object({ kind: optional(text()), order: optional(choice('asc', 'desc')) }),
    response: rowShape,
    list: true,
    handler: async ({ page }) => {
      const from = page.after === undefined ? 0 : ROWS.indexOf(page.after) + 1;
      const items = ROWS.slice(from, from + page.limit).map((id) => ({ id }));
      return ok({
        items,
        next: from + page.limit < ROWS.length ? (items.at(-1)?.id ?? null) : null,
        total: ROWS.length,
      });
    },
  }),
];

const logged: string[] = [];
const logger = createLogger({ level: 'info', destination: { write: (line) => void logged.push(line) } });
let app: FastifyInstance;

beforeAll(async () => {
  app = await createServer({
    logger,
    metrics: new Metrics(),
    corsOrigins: ['https://app.example'],
    access,
  });
  const uploads = { directory: '/nonexistent', maxFileBytes: 1 };
  const audit = { write: async () => undefined, refuse: () => undefined };
  registerRoutes(app, routes, {
    access,
    audit,
    uploads,
    maxJsonBytes: 1000,
    maxFiles: 1,
    cursorKey: Buffer.alloc(32, 1),
  });
  await app.ready();
});
afterAll(() => app.close());

interface Call {
  key?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

async function call(method: string, url: string, { key = 'admin', body, headers = {} }: Call = {}) {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  const json = (): { data?: unknown; detail?: { type: string; loc: unknown[]; msg: string; ctx?: object }[] } =>
    response.json();
  return { status: response.statusCode, headers: response.headers, text: response.body, json };
}

const types = (answer: { json: () => { detail?: { type: string }[] } }): (string | undefined)[] | undefined =>
  answer.json().detail?.map((detail) => detail.type);

describe('the order of checks', () => {
  const bad = { body: '{' };

  test('401 comes before everything, with WWW-Authenticate', async () => {
    for (const key of ['', 'unknown']) {
      const answer = await call('POST', '/v1/w/x/col/y?wait=z', { ...bad, key });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(types(answer)).toEqual(['unauthorized']);
    }
  });

  test('then path parameters, all of them', async () => {
    const answer = await call('POST', '/v1/w/x/col/y?wait=z', { ...bad, key: 'read' });
    expect(answer.status).toBe(422);
    expect(answer.json().detail?.map((detail) => detail.loc)).toEqual([
      ['path', 'ws'],
      ['path', 'col'],
    ]);
  });

  test('also of a workspace that is not the key’s', async () => {
    const answer = await call('POST', `/v1/w/${OTHER_WS}/col/y`, { ...bad, key: 'read' });
    expect([answer.status, answer.json().detail?.map((detail) => detail.loc)]).toEqual([422, [['path', 'col']]]);
  });

  test('then 404, then 403, then query and body together, then 409', async () => {
    const steps = [
      await call('POST', `/v1/w/${OTHER_WS}/col/${UNKNOWN_ID}?wait=z`, { ...bad, key: 'read' }),
      await call('POST', `/v1/w/${WS}/col/${COL}?wait=z`, { ...bad, key: 'read' }),
      await call('POST', `/v1/w/${WS}/col/${COL}?wait=z`, { ...bad, key: 'write' }),
      await call('POST', `/v1/w/${WS}/col/${COL}?wait=z`, { body: '{"x":1}', key: 'write' }),
      await call('POST', `/v1/w/${WS}/col/${COL}`, { body: '{"name":"taken"}', key: 'write' }),
      await call('POST', `/v1/w/${WS}/col/${COL}`, { body: '{"name":"free"}', key: 'write' }),
    ];
    expect(steps.map((answer) => [answer.status, types(answer)])).toEqual([
      [404, ['not_found']],
      [403, ['forbidden']],
      [422, ['int_parsing', 'json_invalid']],
      [422, ['int_parsing', 'missing', 'extra_forbidden']],
      [409, ['conflict']],
      [201, undefined],
    ]);
    expect(steps.at(-1)?.text).toBe('{"data":{"name":"free"},"status":"ok"}');
  });
});

describe('what a key reaches', () => {
  test('foreign, unknown and out-of-reach ids get the very same answer', async () => {
    const answers = await Promise.all([
      call('GET', `/v1/w/${OTHER_WS}/col/${FOREIGN_COL}`),
      call('GET', `/v1/w/${UNKNOWN_ID}/col/${COL}`),
      call('GET', `/v1/w/${WS}/col/${FOREIGN_COL}`),
      call('GET', `/v1/w/${WS}/col/${UNKNOWN_ID}`),
      call('GET', `/v1/w/${WS}/col/${COL_2}`, { key: 'limited' }),
      call('GET', `/v1/w/${UNKNOWN_ID}/col/${COL}`, { key: 'root' }),
      call('GET', `/v1/w/${WS}/col/${FOREIGN_COL}`, { key: 'root' }),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe('{"detail":[{"loc":[],"msg":"Not found","type":"not_found"}]}');
    }
  });

  test('ids in any form of a UUID are the same id', async () => {
    expect((await call('GET', `/v1/w/${WS.toUpperCase()}/col/${COL.replaceAll('-', '')}`)).text).toBe(
      `{"data":{"name":"collection ${COL}"},"status":"ok"}`,
    );
  });

  test('a limited key reaches its collections and routes made for it, nothing of the whole workspace', async () => {
    expect((await call('GET', `/v1/w/${WS}/col/${COL}`, { key: 'limited' })).status).toBe(200);
    expect((await call('GET', `/v1/w/${WS}/rows`, { key: 'limited' })).status).toBe(200);
    expect((await call('PATCH', `/v1/w/${WS}/settings`, { key: 'limited', body: '{"name":"x"}' })).status).toBe(403);
    expect((await call('PATCH', `/v1/w/${WS}/settings`, { key: 'admin', body: '{"name":"x"}' })).status).toBe(200);
  });

  test('a query flag can raise the permission that is needed', async () => {
    const url = `/v1/w/${WS}/col/${COL}`;
    expect((await call('DELETE', url, { key: 'write' })).text).toContain('"purged":false');
    expect((await call('DELETE', `${url}?purge=true`, { key: 'write' })).status).toBe(403);
    expect((await call('DELETE', `${url}?purge=yes`, { key: 'admin' })).text).toContain('"purged":true');
  });

  test('the root key reaches every workspace', async () => {
    expect((await call('GET', `/v1/w/${OTHER_WS}/col/${FOREIGN_COL}`, { key: 'root' })).status).toBe(200);
  });
});

describe('bodies', () => {
  const url = `/v1/w/${WS}/col/${COL}`;

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'garbage', 'a/b; c'])(
    'are parsed as JSON regardless of the content type: %s',
    async (type) => {
      const answer = await call('POST', url, { body: '{"name":"x"}', headers: { 'content-type': type } });
      expect(answer.status).toBe(201);
    },
  );

  test.each<[string, string | Buffer, number, object]>([
    ['nothing', '', 422, { loc: ['body'], msg: 'Field required', type: 'missing' }],
    [
      'broken JSON',
      '{"name": x}',
      422,
      { loc: ['body', 9], msg: 'JSON decode error', type: 'json_invalid', ctx: { error: 'Expecting value' } },
    ],
    [
      'an array',
      '[]',
      422,
      {
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
        type: 'model_attributes_type',
      },
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x22, 0xff, 0x22]),
      400,
      { loc: [], msg: 'The body is not valid UTF-8', type: 'bad_request' },
    ],
    [
      'a secret of a wrong type',
      '{"name":"x","apiKey":17}',
      422,
      { loc: ['body', 'apiKey'], msg: 'Input should be a valid string', type: 'string_type' },
    ],
    [
      'too much',
      `{"name":"${'x'.repeat(1000)}"}`,
      413,
      { loc: ['body'], msg: 'The body is larger than 1000 bytes', type: 'body_too_large', ctx: { limit: 1000 } },
    ],
  ])('that are wrong: %s', async (_what, body, status, detail) => {
    const answer = await call('POST', url, { body });
    expect([answer.status, answer.json()]).toEqual([status, { detail: [detail] }]);
  });
});

describe('failures', () => {
  const url = `/v1/w/${WS}/col/${COL}`;

  test('log lines have the id of their request; for brief routes only the lines at its end have it', async () => {
    logged.length = 0;
    for (const [position, name] of ['long', 'brief'].entries()) {
      await call('GET', `/v1/w/${WS}/${name}`, { headers: { 'x-request-id': name } });
      await expect.poll(() => logged.length).toBe((position + 1) * 3);
    }
    const lines = logged.map((line) => JSON.parse(line) as { msg: string; requestId?: string });
    expect(lines.map(({ msg, requestId }) => [msg, requestId])).toEqual([
      ['on the way', 'long'],
      ['request failed', 'long'],
      ['request', 'long'],
      ['on the way', undefined],
      ['request failed', 'brief'],
      ['request', 'brief'],
    ]);
  });

  test('ours are a 500 with the request id and nothing else of them', async () => {
    const answer = await call('POST', url, { body: '{"name":"broken"}', headers: { 'x-request-id': 'my-id' } });
    expect(answer.status).toBe(500);
    expect(answer.json()).toEqual({
      detail: [{ loc: [], msg: 'Internal server error', type: 'internal', ctx: { requestId: 'my-id' } }],
    });
    expect(
      logged.some((line) => line.includes('secret detail of the failure') && line.includes('"requestId":"my-id"')),
    ).toBe(true);
  });

  test('of what we depend on are a 503 to be tried again', async () => {
    const answer = await call('POST', url, { body: '{"name":"offline"}' });
    expect([answer.status, types(answer), answer.headers['retry-after']]).toEqual([503, ['unavailable'], '2']);
  });

  test('unknown routes are 404 and unknown methods 405 with Allow, under /v1 to known keys only', async () => {
    const answers = [
      await call('GET', '/v1/nope'),
      await call('GET', '/v1/nope', { key: '' }),
      await call('GET', '/nope', { key: '' }),
      await call('PUT', url),
      await call('PUT', url, { key: '' }),
      await call('POST', '/healthz', { key: '' }),
      await call('TRACE', url),
      await call('PROPFIND', url),
      await call('PROPFIND', `${url}/?a=b`, { body: '<propfind/>', headers: { 'content-type': 'nonsense' } }),
      await call('PROPFIND', '/v1/nope'),
      await call('PROPFIND', url, { key: '' }),
      await call('GET', '/v1/w/%zz/col/x'),
      await call('GET', '/v1/w/%zz/col/x', { key: '' }),
    ];
    expect(answers.map((answer) => [answer.status, types(answer)?.[0], answer.headers['allow']])).toEqual([
      [404, 'not_found', undefined],
      [401, 'unauthorized', undefined],
      [404, 'not_found', undefined],
      [405, 'method_not_allowed', 'GET, HEAD, POST, DELETE'],
      [401, 'unauthorized', undefined],
      [405, 'method_not_allowed', 'GET, HEAD'],
      [405, 'method_not_allowed', 'GET, HEAD, POST, DELETE'],
      [405, 'method_not_allowed', 'GET, HEAD, POST, DELETE'],
      [405, 'method_not_allowed', 'GET, HEAD, POST, DELETE'],
      [404, 'not_found', undefined],
      [401, 'unauthorized', undefined],
      [404, 'not_found', undefined],
      [401, 'unauthorized', undefined],
    ]);
  });
});

describe('request ids and logs', () => {
  test('an id is taken over when it is one, else minted, and always sent back', async () => {
    const ids = await Promise.all(
      ['abc-123', 'x'.repeat(128), 'x'.repeat(129), 'a b'].map(
        async (id) => (await call('GET', '/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id'],
      ),
    );
    expect(ids.slice(0, 2)).toEqual(['abc-123', 'x'.repeat(128)]);
    for (const id of ids.slice(2)) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a log line names the route, the workspace and the key, never the key itself or the query', async () => {
    await call('GET', `/v1/w/${WS}/rows?kind=hunter2`, { headers: { 'x-request-id': 'the-line' } });
    const line = logged
      .map((each) => JSON.parse(each) as Record<string, unknown>)
      .find((each) => each['requestId'] === 'the-line');
    expect(line).toMatchObject({
      route: '/v1/w/{ws}/rows',
      path: `/v1/w/${WS}/rows`,
      status: 200,
      workspaceId: WS,
      keyId: 'admin',
      method: 'GET',
    });
    expect(logged.join('')).not.toMatch(/hunter2|Bearer/);
  });
});

describe('lists', () => {
  const url = `/v1/w/${WS}/rows`;
  interface Page {
    data: { items: { id: string }[]; cursor: string | null; limit: number; total: number };
  }
  const page = async (search: string): Promise<Page['data']> =>
    (JSON.parse((await call('GET', `${url}?${search}`)).text) as Page).data;

  test('cursors lead from the empty one through all pages once, and the last page has none', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const found: Page['data'] = await page(`limit=2&cursor=${cursor}`);
      expect([found.limit, found.total]).toEqual([2, 5]);
      seen.push(...found.items.map((row) => row.id));
      cursor = found.cursor;
    }
    expect(seen).toEqual(ROWS);
    expect((await page('')).limit).toBe(50);
  });

  test('a cursor of other filters, of another workspace or without our signature is a value_error at query.cursor', async () => {
    const { cursor } = await page('limit=2&kind=a');
    expect((await call('GET', `${url}?limit=3&kind=a&order=desc&cursor=${cursor}`)).status).toBe(200);
    const foreign = [
      await call('GET', `${url}?kind=b&cursor=${cursor}`),
      await call('GET', `${url}?kind=a&order=asc&cursor=${cursor}`),
      await call('GET', `/v1/w/${OTHER_WS}/rows?kind=a&cursor=${cursor}`, { key: 'root' }),
    ];
    for (const answer of foreign) {
      expect(answer.status).toBe(422);
      expect(answer.json().detail?.map(({ type, loc, msg }) => ({ type, loc, msg }))).toEqual([
        { type: 'value_error', loc: ['query', 'cursor'], msg: 'Value error, the cursor is not one of this list' },
      ]);
    }
    const both = await call('GET', `${url}?limit=0&cursor=nonsense`);
    expect(both.json().detail?.map((detail) => detail.loc)).toEqual([
      ['query', 'limit'],
      ['query', 'cursor'],
    ]);
  });
});

describe('cross-origin calls', () => {
  test('origins that the settings name are answered, others are not', async () => {
    const known = await call('GET', '/healthz', { headers: { origin: 'https://app.example' } });
    expect(known.headers['access-control-allow-origin']).toBe('https://app.example');
    expect(known.headers['access-control-expose-headers']).toContain('ETag');
    expect((await call('GET', '/healthz', { headers: { origin: 'https://evil.example' } })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  test('a preflight needs no key', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    };
    const answer = await call('OPTIONS', `/v1/w/${WS}/settings`, { key: '', headers });
    expect([answer.status, answer.headers['access-control-allow-headers']]).toEqual([204, 'authorization']);
    expect(answer.headers['access-control-allow-methods']).toContain('PATCH');
  });
});

describe('operations', () => {
  test('health is open, metrics are for the root key', async () => {
    expect((await call('GET', '/healthz', { key: '' })).json()).toEqual({
      data: { alive: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      status: 'ok',
    });
    expect((await call('GET', '/readyz', { key: '' })).json()).toMatchObject({
      data: { dependencies: { database: { ok: true } } },
    });
    expect((await call('GET', '/metrics', { key: '' })).status).toBe(401);
    expect((await call('GET', '/metrics', { key: 'admin' })).status).toBe(403);
    expect((await call('GET', '/metrics', { key: 'root' })).text).toContain('quire_http_request_duration_seconds');
  });
});
