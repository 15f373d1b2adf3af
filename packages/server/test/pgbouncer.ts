/** A PgBouncer in front of the tests' PostgreSQL. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnWithParent } from '../../../scripts/child-process/spawn-with-parent.mjs';
import { DatabaseProxy } from './database-proxy.ts';

export interface PgBouncer {
  /** Connection string through it. */
  connectionString: string;
  stop(): Promise<void>;
}

export const hasPgBouncer = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0;

/** Starts it in front of the database of the connection string; `settings` are lines of its section `[pgbouncer]`. */
export async function startPgBouncer(connectionString: string, settings: Record<string, string>): Promise<PgBouncer> {
  // It runs as an account that may not enter the folder of PostgreSQL's socket.
  const proxy = await DatabaseProxy.start(connectionString);
  const target = new URL(proxy.through(connectionString));
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const account = `user=${target.username} password=${decodeURIComponent(target.password)}`;
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    max_client_conn: '200',
    default_pool_size: '100',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=127.0.0.1 port=${target.port} ${account}`;
  const file = path.join(folder, 'pgbouncer.ini');
  writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'), { mode: 0o644 });
  const asRoot = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawnWithParent('pgbouncer', ['-q', ...asRoot, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr?.on('data', (piece: Buffer) => (complaint += piece.toString()));
  const ended = once(child, 'exit');
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer did not start: ${complaint}`);
    await delay(20);
  }
  target.port = String(port);
  target.username = 'quire';
  target.password = '';
  return {
    connectionString: target.href,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await proxy.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
