/** CONTRACT sections 1 and 11: base path, proxies, TLS, compression, the pages at the root. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM } from '../chromium.ts';
import {
  createChat,
  createCollection,
  createDocument,
  createWorkspace,
  shareChats,
  type TestWorkspace,
} from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';

/** Sends one request and returns the head and the body as they arrive, without any decoding. */
async function raw(
  address: string,
  url: string,
  headers: Record<string, string>,
): Promise<{ head: string; body: Buffer }> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ host: 'x', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  // In HTTP/1.0 no answer is chunked: the body is what follows the head.
  socket.write(`GET ${url} HTTP/1.0\r\n${lines.join('\r\n')}\r\n\r\n`);
  const bytes = await buffer(socket);
  const end = bytes.indexOf('\r\n\r\n');
  return { head: bytes.subarray(0, end).toString('latin1').toLowerCase(), body: bytes.subarray(end + 4) };
}

describe('under a base path, behind a proxy', () => {
  const logged: string[] = [];
  let service: TestService;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    const log = { write: (line: string) => void logged.push(line) };
    service = await startTestService({ QUIRE_BASE_PATH: '/quire', QUIRE_TRUST_PROXY: '127.0.0.0/8' }, log);
    workspace = await createWorkspace(service);
  });
  afterAll(() => service.stop());

  test('the printed address holds it, and addresses work with it and without it', async () => {
    expect(new URL(service.address).pathname).toBe('/quire');
    const origin = new URL(service.address).origin;
    const statuses = [
      '/quire/healthz',
      '/healthz',
      '/quire/v1/whoami',
      '/quire?x=1',
      '/quirehealthz',
      '/quire/quire/healthz',
    ];
    const answers = await Promise.all(
      statuses.map((url) =>
        fetch(`${origin}${url}`, { redirect: 'manual', headers: { authorization: `Bearer ${workspace.admin}` } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 404]);
    expect(await answers[3]?.text()).toContain('<base href="/quire/">');
  });

  test('the description, its page, signed links and the guide lead back under it', async () => {
    const origin = new URL(service.address).origin;
    const api = JSON.parse((await service.call('GET', '/openapi.json', { key: null })).text) as { servers: unknown };
    expect(api.servers).toEqual([{ url: '/quire' }]);
    const page = await service.call('GET', '/docs', { key: null });
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => new URL(url!, `${service.address}/docs`),
    );
    expect(assets.length).toBeGreaterThan(3);
    for (const asset of assets) {
      expect(asset.pathname).toMatch(/^\/quire\/docs\/static\//);
      expect((await fetch(asset)).status).toBe(200);
    }
    const collection = await createCollection(service, workspace);
    const document = await createDocument(service, collection, { content: 'A text.' });
    const links = await service.call<{ original: string }>('POST', `${collection.url}/docs/${document.id}/links`);
    expect(links.data.original).toMatch(/^\/quire\/v1\/w\//);
    expect(await (await fetch(`${origin}${links.data.original}`)).text()).toBe('A text.');
    expect((await service.call('GET', '/guide', { key: null })).text).toContain('href="/quire/guide/search"');
  });

  test('the log names the address of the client that the proxy forwards', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7, 10.0.0.1', 'x-request-id': 'behind-a-proxy' };
    await service.call('GET', '/healthz', { key: null, headers });
    await expect
      .poll(() =>
        logged
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .find((line) => line['requestId'] === 'behind-a-proxy'),
      )
      .toMatchObject({ address: '10.0.0.1', route: '/healthz' });
  });
});

describe('compression', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  let url: string;
  const text = 'Every employee has 28 days of holiday a year. '.repeat(200);
  beforeAll(async () => {
    service = await startTestService();
    workspace = await createWorkspace(service);
    const collection = await createCollection(service, workspace);
    url = `${collection.url}/docs/${(await createDocument(service, collection, { content: text })).id}`;
    await shareChats(service, workspace);
    const chat = await createChat(service, workspace, { collection_id: collection.id });
    await service.call('POST', `${chat.url}/message`, { json: { query: 'How many days?' } });
  });
  afterAll(() => service.stop());
  const get = (path: string, headers: Record<string, string> = {}) =>
    raw(service.address, path, { authorization: `Bearer ${workspace.admin}`, ...headers });

  test('an answer over 1 kB is compressed for a client that accepts it, a shorter one never', async () => {
    const plain = await get(`${url}?include=blocks`);
    const packed = await get(`${url}?include=blocks`, { 'accept-encoding': 'gzip' });
    expect(plain.head).not.toContain('content-encoding');
    expect(packed.head).toContain('content-encoding: gzip');
    expect(packed.head).toMatch(/vary: .*accept-encoding/);
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    expect(packed.body.length).toBeLessThan(plain.body.length / 3);
    expect((await get('/v1/whoami', { 'accept-encoding': 'gzip' })).head).not.toContain('content-encoding');
    expect((await get('/openapi.json', { 'accept-encoding': 'gzip, br' })).head).toContain('content-encoding: br');
  });

  test('a compressed artifact has a weak ETag that revalidates, and a range is sent as it is', async () => {
    const etag = (head: string): string => /^etag: (.*)$/m.exec(head)?.[1]?.trim() ?? '';
    const whole = await get(`${url}/markdown`);
    const packed = await get(`${url}/markdown`, { 'accept-encoding': 'gzip' });
    expect(etag(packed.head)).toBe(`w/${etag(whole.head)}`);
    expect(packed.head).not.toContain('accept-ranges');
    const again = await service.call('GET', `${url}/markdown`, {
      headers: { 'if-none-match': etag(packed.head).replace('w/', 'W/') },
    });
    expect(again.status).toBe(304);
    const range = await get(`${url}/markdown`, { 'accept-encoding': 'gzip', range: 'bytes=0-1999' });
    expect(range.head).toContain('206 partial content');
    expect(range.head).not.toContain('content-encoding');
    expect(range.body.length).toBe(2000);
  });

  test('lines of a chat are not compressed, so each arrives when it is written', async () => {
    const { data } = await service.call<{ items: { id: string; collection_id: string }[] }>(
      'GET',
      `${workspace.url}/chat`,
    );
    const history = await service.call<{ items: { id: string }[] }>(
      'GET',
      `${workspace.url}/chat/${data.items[0]!.id}/history`,
    );
    const answer = history.data.items.at(-1)!.id;
    const stream = await get(`${workspace.url}/chat/${data.items[0]!.id}/message/${answer}/stream`, {
      'accept-encoding': 'gzip',
    });
    expect(stream.head).toContain('application/x-ndjson');
    expect(stream.head).not.toContain('content-encoding');
  });
});

describe('TLS', () => {
  test('the certificate from the files is served', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'quire-tls-'));
    const files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
    const certificate = async (name: string): Promise<void> => {
      const made = await generate([{ name: 'commonName', value: name }]);
      await writeFile(files.cert, made.cert);
      await writeFile(files.key, made.private);
    };
    await certificate('first.example');
    const service = await startTestService({ QUIRE_TLS_CERT_FILE: files.cert, QUIRE_TLS_KEY_FILE: files.key });
    try {
      expect(service.address).toMatch(/^https:/);
      const { hostname, port } = new URL(service.address);
      const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      let name: unknown;
      socket.once('secureConnect', () => (name = socket.getPeerCertificate().subject.CN));
      const answer = (await buffer(socket)).toString();
      expect(answer).toContain('HTTP/1.1 200 OK');
      expect(name).toBe('first.example');
    } finally {
      await service.stop();
      await rm(folder, { recursive: true });
    }
  });
});

describe('pages at the root', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  test('the page of the API names no other host and does not force HTTPS', async () => {
    const policy = (await service.call('GET', '/docs', { key: null })).headers.get('content-security-policy');
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/upgrade-insecure-requests|https?:|\w+\.\w+/);
  });

  test('the guide is served with a policy that runs nothing; an unknown page is 404', async () => {
    const page = await service.call('GET', '/guide/search', { key: null });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.text).toContain('<h1 id="search">');
    expect((await service.call('GET', '/guide/nothing', { key: null })).status).toBe(404);
  });

  test.skipIf(CHROMIUM === undefined)(
    'a browser shows every operation, under a host name that is not this machine',
    async () => {
      const profile = await mkdtemp(path.join(tmpdir(), 'quire-browser-'));
      const { port } = new URL(service.address);
      const api = JSON.parse((await service.call('GET', '/openapi.json', { key: null })).text) as {
        paths: Record<string, object>;
      };
      const operations = Object.values(api.paths).flatMap((each) => Object.keys(each)).length;
      try {
        const { stdout } = await promisify(execFile)(
          CHROMIUM ?? '',
          [
            '--headless',
            '--no-sandbox',
            '--disable-gpu',
            '--disable-dev-shm-usage',
            `--user-data-dir=${profile}`,
            '--host-resolver-rules=MAP quire.test 127.0.0.1',
            '--virtual-time-budget=60000',
            '--dump-dom',
            `http://quire.test:${port}/docs`,
          ],
          { maxBuffer: 64 * 1024 * 1024 },
        );
        expect(stdout.match(/class="opblock opblock-/g)).toHaveLength(operations);
      } finally {
        await rm(profile, { recursive: true, force: true, maxRetries: 10 });
      }
    },
  );
});
