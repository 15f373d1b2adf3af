/** The recipes for proxies and monitoring in `deploy/`, tried with the real programs where they are installed. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, freePort } from '@quire/connectors/testing/programs';
import { generate } from 'selfsigned';
import { afterAll, describe, expect, test } from 'vitest';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const recipe = (file: string): string => readFileSync(path.join(root, 'deploy', file), 'utf8');
const folder = mkdtempSync(path.join(tmpdir(), 'quire-proxies-'));
const [certificate, key] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')];

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Represents Quire: its second line follows when the first one has arrived. */
class Upstream {
  readonly requests: { url: string; headers: IncomingMessage['headers'] }[] = [];
  readonly #server: Server;
  firstArrived: () => void = () => undefined;

  constructor() {
    const arrived = new Promise<void>((resolve) => (this.firstArrived = resolve));
    this.#server = createServer((received, response) => {
      this.requests.push({ url: received.url ?? '', headers: received.headers });
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"line":1}\n');
      void arrived.then(() => response.end('{"line":2}\n'));
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function makeCertificate(): Promise<void> {
  const { cert, private: privateKey } = await generate([{ name: 'commonName', value: 'docs.example.com' }]);
  writeFileSync(certificate, cert);
  writeFileSync(key, privateKey, { mode: 0o600 });
}

const PROXIES = {
  nginx: (port: number, upstream: number): string[] => {
    const own = recipe('nginx.conf')
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`)
      .replace('/etc/ssl/quire/fullchain.pem', certificate)
      .replace('/etc/ssl/quire/key.pem', key);
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${path.join(folder, name)};`,
    );
    const file = path.join(folder, 'nginx.conf');
    const main = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}`;
    writeFileSync(file, `${main}\nhttp { access_log off; ${folders.join(' ')}\n${own}\n}\n`);
    return ['-c', file, '-p', folder];
  },
  caddy: (port: number, upstream: number): string[] => {
    const own = recipe('Caddyfile')
      .replace(
        'docs.example.com {',
        `https://docs.example.com:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
      )
      .replace('127.0.0.1:8080', `127.0.0.1:${upstream}`);
    const file = path.join(folder, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${own}`);
    return ['run', '--adapter', 'caddyfile', '--config', file];
  },
};

async function untilListening(port: number, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    if (hasEnded()) throw new Error('the proxy has ended');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.each(['nginx', 'caddy'] as const)('%s', (name) => {
  const program = findProgram(name);

  test.skipIf(program === null)('passes on the path, the client and each line of a stream at once', async () => {
    await makeCertificate();
    const upstream = new Upstream();
    const port = await freePort();
    const args = PROXIES[name](port, await upstream.listen());
    const proxy = spawnWithParent(program ?? '', args, {
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
      stdio: 'ignore',
    });
    const ended = once(proxy, 'exit');
    try {
      await untilListening(port, () => proxy.exitCode !== null);
      const sent = request({
        host: '127.0.0.1',
        port,
        path: '/quire/v1/whoami?a=%2Fb',
        headers: { host: 'docs.example.com' },
        servername: 'docs.example.com',
        rejectUnauthorized: false,
      }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      let text = '';
      for await (const piece of response.setEncoding('utf8')) {
        text += String(piece);
        if (text.includes('{"line":1}\n')) upstream.firstArrived();
      }
      expect([response.statusCode, text]).toEqual([200, '{"line":1}\n{"line":2}\n']);
      const [seen] = upstream.requests;
      expect(seen?.url).toBe('/quire/v1/whoami?a=%2Fb');
      expect(seen?.headers['x-forwarded-for']).toBe('127.0.0.1');
      expect(seen?.headers['x-forwarded-proto']).toBe('https');
    } finally {
      proxy.kill('SIGTERM');
      await ended;
      upstream.close();
    }
  });
});

const promtool = findProgram('promtool');
const systemdAnalyze = findProgram('systemd-analyze');

test.skipIf(promtool === null)('promtool accepts the alert rules', () => {
  const printed = execFileSync(promtool ?? '', ['check', 'rules', path.join(root, 'deploy/prometheus-alerts.yaml')], {
    encoding: 'utf8',
  });
  expect(printed).toMatch(/SUCCESS: \d+ rules found/);
});

test.skipIf(systemdAnalyze === null)('systemd accepts the unit, and its exposure is at most 3.0', () => {
  // `verify` needs the program to exist.
  const unit = path.join(folder, 'quire.service');
  writeFileSync(unit, recipe('quire.service').replace('/usr/bin/node', process.execPath));
  const check = (...args: string[]): string =>
    execFileSync(systemdAnalyze ?? '', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  check('verify', '--man=no', unit);
  expect(check('security', '--offline=true', '--threshold=30', '--no-pager', unit)).toContain('Overall exposure level');
});
