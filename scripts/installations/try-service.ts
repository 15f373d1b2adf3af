/** Starts an installed service in one way, uses it, and stops it. */
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';
import { ingestAndSearch, untilReady } from './ingest-and-search.ts';

export interface Way {
  name: string;
  /** Programs in front of the command, for example `nice -n 10`. */
  prefix?: string[];
  /** The user id of the data directory and of the process; only root can set it. */
  uid?: number;
  env?: Record<string, string>;
  /** Whether the temporary directory belongs to another account and every account may write to it, as to `/tmp`. */
  hasSharedTemporary?: boolean;
  node?: string;
  /** The host part of the address to which requests are sent. Default `127.0.0.1`. */
  host?: string;
  basePath?: string;
  /** Checks what is special about this way. Throws if it does not hold. */
  check?: (address: string) => Promise<void>;
}

export interface Seen {
  name: string;
  /** The reason if the way failed. */
  failure?: string;
  readyMs: number;
  stopMs: number;
  /** Isolation of the parser processes. */
  isolation: string;
}

const READY_MS = 300_000;
const STOP_MS = 15_000;
const ROOT_KEY = 'the-root-key-of-the-installations';

export async function tryWay(way: Way, install: string, folder: string): Promise<Seen> {
  const seen: Seen = { name: way.name, readyMs: 0, stopMs: 0, isolation: '' };
  const place = mkdtempSync(path.join(folder, 'way-'));
  const [data, temporary] = [path.join(place, 'data'), path.join(place, 'tmp')];
  for (const each of [place, data, temporary]) {
    mkdirSync(each, { recursive: true });
    if (way.uid !== undefined) chownSync(each, way.uid, way.uid);
  }
  chmodSync(place, 0o755);
  if (way.hasSharedTemporary === true) {
    chownSync(temporary, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    chmodSync(temporary, 0o1777);
  }
  const port = await freePort();
  const command = [
    ...(way.uid === undefined ? [] : ['setpriv', `--reuid=${way.uid}`, `--regid=${way.uid}`, '--clear-groups']),
    ...(way.prefix ?? []),
    way.node ?? process.execPath,
    path.join(install, 'node_modules/@quire/server/bin/quire-server.mjs'),
    'serve',
  ];
  const startedAt = performance.now();
  const child = spawnWithParent(command[0] ?? '', command.slice(1), {
    cwd: place,
    env: {
      PATH: process.env['PATH'],
      TMPDIR: temporary,
      QUIRE_PORT: String(port),
      QUIRE_DATA_DIR: data,
      QUIRE_ROOT_KEY: ROOT_KEY,
      QUIRE_MODEL_DOWNLOAD: 'false',
      QUIRE_LOG_LEVEL: 'warn',
      ...way.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text));
  const ended = once(child, 'exit');
  const address = `http://${way.host ?? '127.0.0.1'}:${port}${way.basePath ?? ''}`;
  try {
    await untilReady(address, READY_MS, () => (child.exitCode === null ? undefined : log.slice(-1_500)));
    seen.readyMs = performance.now() - startedAt;
    seen.isolation = await isolationOf(address);
    await ingestAndSearch(address, ROOT_KEY);
    await way.check?.(address);
    const stoppingAt = performance.now();
    child.kill('SIGTERM');
    const [code] = (await Promise.race([ended, delay(STOP_MS, ['still running'])])) as [unknown];
    if (code !== 0) throw new Error(`SIGTERM ended it with ${String(code)}`);
    seen.stopMs = performance.now() - stoppingAt;
    const left = readdirSync(temporary);
    if (left.length > 0) throw new Error(`left in the temporary directory: ${left.join(', ')}`);
  } catch (error) {
    seen.failure = error instanceof Error ? error.message : String(error);
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
  return seen;
}

async function isolationOf(address: string): Promise<string> {
  const { data } = (await (await fetch(`${address}/readyz`)).json()) as {
    data: { dependencies: { sandbox: { detail: string } } };
  };
  return data.dependencies.sandbox.detail.replace('isolation: ', '');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
