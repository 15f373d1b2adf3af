/** `quire webhooks listen` and `quire deliveries` with deliveries of the service. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnWithParent } from '../../../../scripts/child-process/spawn-with-parent.mjs';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { runCommand, type Ran } from './run-command.ts';

const program = fileURLToPath(new URL('../../../cli/bin/quire.mjs', import.meta.url));
const SECRET = 'a-secret-of-16-characters';

let service: TestService;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quire-webhooks-'));
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  await writeFile(path.join(folder, 'cert.pem'), cert);
  await writeFile(path.join(folder, 'key.pem'), key);
  service = await startTestService({
    QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    QUIRE_EXTRA_CA_FILE: path.join(folder, 'cert.pem'),
  });
  const { admin } = await createWorkspace(service);
  env = { QUIRE_CONFIG: path.join(folder, 'none.json'), QUIRE_URL: service.address, QUIRE_KEY: admin };
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const quire = (args: readonly string[]): Promise<Ran> => runCommand(args, { piped: true, env });
const fileOf = (name: string): string => path.join(folder, name);

/** Starts `quire webhooks listen` and returns its address and what it writes. */
async function listen(args: readonly string[]) {
  const all = [program, 'webhooks', 'listen', '--port', '0', '--secret', SECRET, ...args];
  const child = spawnWithParent(process.execPath, all, { env: { ...process.env, ...env } });
  const written = { out: '', err: '' };
  child.stdout.on('data', (piece: Buffer) => (written.out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (written.err += piece.toString()));
  await expect.poll(() => written.err, { timeout: 60_000 }).toMatch(/Listening on http/);
  const stop = async (): Promise<unknown> => {
    child.kill('SIGINT');
    return once(child, 'exit');
  };
  return { url: /http\S+/.exec(written.err)?.[0] ?? '', written, stop };
}

test('deliveries of the service are verified and printed, those of another secret refused and sent again', async () => {
  const { url, written, stop } = await listen(['--tls-cert', fileOf('cert.pem'), '--tls-key', fileOf('key.pem')]);
  const create = (name: string, secret: string): Promise<Ran> =>
    quire(['webhooks', 'create', name, '--url', `${url}/`, '--event', 'document.ready', '--secret', secret]);
  const [own] = (await create('Own', SECRET)).json();
  const tested = await quire(['webhooks', 'test', String(own?.['id'])]);
  expect([tested.code, tested.json()]).toMatchObject([0, [{ status: 'delivered', statusCode: 204 }]]);
  expect(JSON.parse(written.out)).toMatchObject({ type: 'webhook.test', data: { name: 'Own' } });

  const [other] = (await create('Other', 'another-secret-of-the-test')).json();
  const refused = await quire(['webhooks', 'test', String(other?.['id'])]);
  expect([refused.code, refused.json()]).toMatchObject([1, [{ status: 'failed', statusCode: 400 }]]);
  expect(written.err).toContain('Refused a delivery: no signature of the delivery matches the secret\n');

  await writeFile(fileOf('heron.txt'), 'The heron waits.');
  const [added] = (await quire(['add', fileOf('heron.txt'), '-c', 'Birds'])).json();
  const ready = { type: 'document.ready', data: { name: 'heron.txt', documentId: added?.['documentId'] } };
  const events = (): unknown[] =>
    written.out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
  await expect.poll(events, { timeout: 60_000 }).toMatchObject([{}, ready]);
  const delivered = async (): Promise<unknown[]> =>
    (await quire(['deliveries', '--status', 'delivered']))
      .json()
      .flatMap(({ event, id }) => (event === 'document.ready' ? [id] : []));
  // The answer is recorded after it was sent.
  await expect.poll(delivered, { timeout: 60_000 }).toHaveLength(1);
  const [delivery] = await delivered();
  expect(await quire(['deliveries', 'redeliver', String(delivery)])).toMatchObject({ code: 0 });
  await expect.poll(events, { timeout: 60_000 }).toMatchObject([{}, ready, ready]);
  // Failed tests are not sent again.
  expect((await quire(['deliveries', 'redeliver', '--failed'])).json()).toEqual([{ redelivered: 0 }]);
  expect(await stop()).toEqual([0, null]);
});

test('a body without a signature is refused, a port in use is named', async () => {
  const { url, written, stop } = await listen([]);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  expect(written.err).toContain('Refused a delivery: the delivery has no signature\n');
  expect(written.out).toBe('');
  const { port } = new URL(url);
  expect(await quire(['webhooks', 'listen', '--port', port])).toMatchObject({
    code: 1,
    err: `quire: cannot listen on 127.0.0.1:${port}: the port is in use\n  Choose another one with --port, or a free one with --port 0.\n`,
  });
  expect(await stop()).toEqual([0, null]);
  const half = await quire(['webhooks', 'listen', '--port', '0', '--tls-cert', fileOf('cert.pem')]);
  expect([half.code, half.err]).toEqual([
    2,
    'quire: a certificate needs its key\n  Pass both --tls-cert FILE and --tls-key FILE.\n',
  ]);
});
