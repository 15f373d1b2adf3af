import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../logger.ts';
import { Metrics } from '../metrics.ts';
import { registerRoutes } from './register-routes.ts';
import { ok, route, type ReceivedUpload, type UploadKind } from './route.ts';
import { createServer } from './server.ts';
import { accessStub } from '../../test/access-stub.ts';
import { choice, optional } from '../validation/fields.ts';

const LIMIT = 200_000;
const MIB = 1024 * 1024;
const silent = createLogger({ level: 'silent' });

/** Input of a handler, with the bytes of the spool file. */
interface Seen extends ReceivedUpload {
  bytes: Buffer;
}
const seen: Seen[] = [];
let handlerFails = false;
let directory: string;
let app: FastifyInstance;
let port: number;

const uploadRoute = (kind: UploadKind) =>
  route({
    method: 'POST',
    path: `/v1/${kind}`,
    operationId: kind,
    summary: '',
    tag: '',
    permission: 'any',
    upload: kind,
    query: z.object({ duplicates: optional(choice('allow', 'skip')) }),
    response: z.object({}),
    handler: async ({ received }) => {
      seen.push({ ...received, bytes: await readFile(received.upload.path) });
      if (handlerFails) throw new Error('handler');
      return ok({});
    },
  });

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'quire-upload-'));
  const principal = { keyId: 'k', permission: 'admin', workspaceId: null, collectionIds: null } as const;
  const access = accessStub({ authenticate: async () => principal, workspaceExists: async () => true });
  app = await createServer({ logger: silent, metrics: new Metrics(), corsOrigins: [], access });
  registerRoutes(app, [uploadRoute('multipart'), uploadRoute('binary'), uploadRoute('raw')], {
    audit: { write: async () => undefined, refuse: () => undefined },
    access,
    uploads: { directory, maxFileBytes: LIMIT },
    maxJsonBytes: 10 * LIMIT,
    maxFiles: 1,
    cursorKey: Buffer.alloc(32),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as AddressInfo).port;
});
afterEach(async () => {
  seen.length = 0;
  handlerFails = false;
  // No test may leave a spool file. An aborted upload is detected a moment after its client disconnects.
  await expect.poll(() => readdir(directory)).toEqual([]);
});
afterAll(async () => {
  await app.close();
  await rm(directory, { recursive: true });
});

async function post(
  kind: string,
  body: NonNullable<ConstructorParameters<typeof Response>[0]>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/${kind}`, {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer k', ...headers },
  });
  return { status: response.status, json: (await response.json()) as { detail?: Record<string, unknown>[] } };
}

function form(...parts: [name: string, value: string | Blob, fileName?: string][]): FormData {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, fileName);
  }
  return data;
}

const noise = (size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  for (let index = 0; index < size; index += 1) bytes[index] = (index * 7919) % 251;
  return bytes;
};
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const pdf = (bytes: Buffer | string): Blob =>
  new Blob([new Uint8Array(Buffer.from(bytes))], { type: 'application/pdf' });

test('a multipart file arrives with its bytes, hash, name and content type; other parts before or after it', async () => {
  const bytes = noise(LIMIT);
  const before = form(['metadata', '{"a":{"b":1}}'], ['name', 'Given name'], ['file', pdf(bytes), 'dir/naïve.pdf']);
  const after = form(['file', pdf(bytes), 'x.pdf'], ['metadata', '{"a":2}']);
  expect([(await post('multipart', before)).status, (await post('multipart', after)).status]).toEqual([200, 200]);
  expect(seen.map(({ upload, name, metadata }) => ({ ...upload, path: '', given: name, metadata }))).toEqual([
    {
      path: '',
      name: 'naïve.pdf',
      contentType: 'application/pdf',
      sizeBytes: LIMIT,
      sha256: sha256(bytes),
      given: 'Given name',
      metadata: { a: { b: 1 } },
    },
    {
      path: '',
      name: 'x.pdf',
      contentType: 'application/pdf',
      sizeBytes: LIMIT,
      sha256: sha256(bytes),
      given: undefined,
      metadata: { a: 2 },
    },
  ]);
  expect(seen.every((each) => each.bytes.equals(bytes))).toBe(true);
});

test('a binary body arrives the same way, named by Content-Disposition', async () => {
  const bytes = noise(LIMIT);
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="x.csv"; filename*=UTF-8\'\'%E2%82%AC.csv',
  };
  expect((await post('binary', bytes, headers)).status).toBe(200);
  expect((await post('binary', '', { ...headers, 'content-type': 'application/octet-stream' })).status).toBe(200);
  expect(seen.map(({ upload }) => [upload.name, upload.contentType, upload.sizeBytes])).toEqual([
    ['€.csv', 'text/csv', LIMIT],
    ['€.csv', null, 0],
  ]);
  expect(seen[0]!.bytes.equals(bytes)).toBe(true);
});

test('content in JSON becomes the bytes of a file', async () => {
  const body = { name: 'note.md', content: '# é\0', contentType: 'text/markdown', metadata: { a: 1 } };
  expect((await post('raw', JSON.stringify(body))).status).toBe(200);
  expect(
    seen.map(({ upload, metadata, bytes }) => [
      upload.name,
      upload.contentType,
      upload.sha256,
      metadata,
      String(bytes),
    ]),
  ).toEqual([['note.md', 'text/markdown', sha256(Buffer.from('# é\0')), { a: 1 }, '# é\0']]);
  const wrong = await post('raw', JSON.stringify({ content: 1, contentType: 'text/plain', x: 1 }));
  expect(wrong.json.detail?.map(({ type, loc }) => [type, loc])).toEqual([
    ['missing', ['body', 'name']],
    ['string_type', ['body', 'content']],
    ['extra_forbidden', ['body', 'x']],
  ]);
});

test('one byte too many is a 413 that the client sees, and nothing is kept', async () => {
  const limit = [
    { loc: ['body'], msg: `The file is larger than ${LIMIT} bytes`, type: 'file_too_large', ctx: { limit: LIMIT } },
  ];
  const named = { 'content-disposition': 'attachment; filename=x.pdf' };
  const bytes = noise(LIMIT + 1);
  expect(await post('multipart', form(['file', pdf(bytes), 'x.pdf']))).toEqual({
    status: 413,
    json: { detail: limit },
  });
  expect(await post('binary', bytes, named)).toEqual({ status: 413, json: { detail: limit } });
  // Chunked: nothing is declared, so the size shows only on the way; and far more than the socket buffers hold.
  const stream = new Blob([noise(8_000_000)]).stream();
  const chunked = await fetch(`http://127.0.0.1:${port}/v1/binary`, {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { authorization: 'Bearer k', ...named },
  });
  expect([chunked.status, await chunked.json()]).toEqual([413, { detail: limit }]);
  expect(seen).toEqual([]);
});

test('all that is wrong with a form is said at once, in the order of its fields', async () => {
  const { status, json } = await post(
    'multipart',
    form(['other', 'x'], ['name', ''], ['metadata', '[]'], ['file', 'text']),
  );
  expect(status).toBe(422);
  expect(json.detail).toEqual([
    {
      loc: ['body', 'file'],
      msg: "Value error, Expected UploadFile, received: <class 'str'>",
      type: 'value_error',
      ctx: { error: "Expected UploadFile, received: <class 'str'>" },
    },
    { loc: ['body', 'metadata'], msg: 'Input should be a valid dictionary', type: 'dict_type', input: [] },
    {
      loc: ['body', 'name'],
      msg: 'String should have at least 1 character',
      type: 'string_too_short',
      input: '',
      ctx: { min_length: 1 },
    },
    { loc: ['body', 'other'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
  ]);
});

test('a form without a file, or that is none, misses the file', async () => {
  const missing = {
    status: 422,
    json: { detail: [{ loc: ['body', 'file'], msg: 'Field required', type: 'missing' }] },
  };
  expect(await post('multipart', form(['name', 'x']))).toEqual(missing);
  expect(await post('multipart', '{}', { 'content-type': 'application/json' })).toEqual(missing);
});

test.each<[what: string, type: string, body: string]>([
  ['no boundary', 'multipart/form-data', 'x'],
  [
    'no end',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nabc',
  ],
  ['no part', 'multipart/form-data; boundary=b', 'nothing of a form'],
])('a broken form is a bad request: %s', async (_what, type, body) => {
  const { status, json } = await post('multipart', body, { 'content-type': type });
  expect([status, json.detail?.[0]?.['type']]).toEqual([400, 'bad_request']);
});

test('a part that is not a file is refused over its own limit, which is below that of files', async () => {
  const { status, json } = await post(
    'multipart',
    form(['metadata', 'x'.repeat(MIB + 1)], ['file', pdf('a'), 'a.pdf']),
  );
  expect([status, json.detail]).toEqual([
    413,
    [
      {
        loc: ['body', 'metadata'],
        msg: `The part is larger than ${MIB} bytes`,
        type: 'body_too_large',
        ctx: { limit: MIB },
      },
    ],
  ]);
});

test('a form with too many parts is a bad request with that message', async () => {
  const parts = Array.from({ length: 200 }, (_, at): [string, string] => [`p${at}`, 'x']);
  const { status, json } = await post('multipart', form(...parts));
  expect([status, json.detail?.[0]?.['msg']]).toEqual([400, 'The form has too many parts']);
});

test('two files in one form are too many', async () => {
  const { status, json } = await post('multipart', form(['file', pdf('a'), 'a.pdf'], ['file', pdf('b'), 'b.pdf']));
  expect([status, json.detail]).toEqual([
    413,
    [{ loc: ['body', 'file'], msg: 'Only one file can be sent', type: 'too_many_files', ctx: { limit: 1 } }],
  ]);
});

test.each<[header: string | undefined, type: string]>([
  [undefined, 'missing'],
  ['attachment', 'value_error'],
  ['attachment; filename=".."', 'value_error'],
  ['attachment; filename="a\tb.pdf"', 'value_error'],
  ["attachment; filename*=UTF-8''a%0Ab.pdf", 'value_error'],
  ["attachment; filename*=UTF-8''fdp.%E2%80%AEexe", 'value_error'],
  [`attachment; filename="${'x'.repeat(256)}"`, 'string_too_long'],
])('a body named by %j is refused: %s', async (header, type) => {
  const { status, json } = await post('binary', 'x', header === undefined ? {} : { 'content-disposition': header });
  expect([status, json.detail?.[0]?.['type'], json.detail?.[0]?.['loc']]).toEqual([
    422,
    type,
    ['header', 'content-disposition'],
  ]);
});

test('a wrong query is reported before the file is read', async () => {
  const { status, json } = await post('multipart?duplicates=x', form(['file', pdf(noise(LIMIT)), 'x.pdf']));
  expect([status, json.detail?.[0]?.['type']]).toEqual([422, 'enum']);
});

test.each(['multipart', 'binary'])('an upload that its client breaks off leaves nothing: %s', async (kind) => {
  const request = http.request({
    port,
    host: '127.0.0.1',
    path: `/v1/${kind}`,
    method: 'POST',
    headers: {
      authorization: 'Bearer k',
      'content-length': '150000',
      'content-type': 'multipart/form-data; boundary=b',
      'content-disposition': 'attachment; filename=x',
    },
  });
  request.on('error', () => undefined);
  request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n');
  request.write(noise(100_000));
  await expect.poll(() => readdir(directory)).toHaveLength(1);
  request.destroy();
  await new Promise((resolve) => request.once('close', resolve));
  await expect.poll(() => readdir(directory)).toEqual([]);
  expect(seen).toEqual([]);
});

test('a handler that fails leaves no file either', async () => {
  handlerFails = true;
  expect((await post('binary', 'abc', { 'content-disposition': 'attachment; filename=x' })).status).toBe(500);
  expect(seen).toHaveLength(1);
});
