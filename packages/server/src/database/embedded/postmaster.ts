/** The server process of a data directory: finding a live one, starting one, stopping it. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, readlink, realpath, rename, stat, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, USE_EXTERNAL } from './binaries.ts';
import { childEnvironment, isAlive } from './cluster.ts';

/** Address for clients: `host` is a folder (Unix socket) or 127.0.0.1. */
export interface Address {
  host: string;
  port: number;
}

export interface Postmaster {
  pid: number;
  address: Address;
}

interface PidFile extends Postmaster {
  ready: boolean;
}

const POLL_MS = 10;
/** Bytes of a socket's path that the operating systems take: 107 on Linux, 103 on macOS. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;
export const SOCKET_PORT = 5432;

/**
 * A Unix socket in the data directory, for its owner only; undefined where its path would be too long for the system.
 */
export function socketAddress(dataDir: string): Address | undefined {
  const file = path.join(dataDir, `.s.PGSQL.${SOCKET_PORT}`);
  return Buffer.byteLength(file) <= MAX_SOCKET_PATH_BYTES ? { host: dataDir, port: SOCKET_PORT } : undefined;
}

/** Lines of postmaster.pid: pid, directory, start time, port, socket folder, listen address, shared memory, status. */
async function readPidFile(dataDir: string): Promise<PidFile | undefined> {
  const text = await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const host = lines[4] === undefined || lines[4] === '' ? (lines[5] ?? '') : lines[4];
  return { pid, address: { host, port: Number(lines[3]) }, ready: lines[7]?.trim() === 'ready' };
}

/** Pids are used again, so being alive is not enough: the process must be a postgres that works in this directory. */
async function serves(pid: number, dataDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return folder === (await realpath(dataDir)) && path.basename(command.split('\0')[0] ?? '') === 'postgres';
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('postgres') && stdout.includes(dataDir);
}

/**
 * Replaces a pid in the lock files that now belongs to another program or to a zombie process, as it would keep
 * postgres from starting. The new pid is one that no system assigns. The rest of postmaster.pid still guards against
 * processes of the old server that hold its memory.
 */
async function disownLockFiles(dataDir: string): Promise<void> {
  for (const name of ['postmaster.pid', `.s.PGSQL.${SOCKET_PORT}.lock`]) {
    const file = path.join(dataDir, name);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) await writeFile(file, text.replace(/^\d+/, '2147483647'));
  }
}

/** The live server of the data directory, once it takes connections; undefined when there is none. */
export async function findPostmaster(dataDir: string, signal?: AbortSignal): Promise<Postmaster | undefined> {
  for (;;) {
    const found = await readPidFile(dataDir);
    if (found === undefined) return undefined;
    if (!(await serves(found.pid, dataDir))) {
      const again = await readPidFile(dataDir);
      if (again?.pid !== found.pid) continue;
      if (isAlive(found.pid)) await disownLockFiles(dataDir);
      return undefined;
    }
    if (found.ready) return { pid: found.pid, address: found.address };
    await delay(POLL_MS, undefined, { signal });
  }
}

/** One log file and the one before it; only startup, crashes and such are written, so it stays small. */
async function openLog(
  dataDir: string,
  account: Account,
): Promise<{ fd: number; file: string; close(): Promise<void> }> {
  const file = path.join(dataDir, 'server.log');
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > 1_000_000) await rename(file, `${file}.1`);
  const handle = await open(file, 'a', 0o600);
  // Crash recovery opens every file of the directory to sync it.
  if (account.owner !== undefined) await handle.chown(account.owner.uid, account.owner.gid);
  return { fd: handle.fd, file, close: () => handle.close() };
}

async function readSince(file: string, offset: number): Promise<string> {
  const bytes = await readFile(file);
  return bytes.subarray(offset).toString('utf8').trim();
}

interface Launch {
  postgres: string;
  dataDir: string;
  account: Account;
  address: Address;
  settings: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

function commandLine({ dataDir, address, settings }: Launch): string[] {
  const onSocket = address.host === dataDir;
  const all = {
    ...settings,
    port: String(address.port),
    listen_addresses: onSocket ? '' : address.host,
    unix_socket_directories: onSocket ? `"${dataDir.replaceAll('"', '""')}"` : '',
    unix_socket_permissions: '0700',
  };
  return ['-D', dataDir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * Starts the server in a session of its own, so that Ctrl-C in the terminal reaches this process and not the database.
 */
async function spawnPostgres(launch: Launch, logFd: number): Promise<ChildProcess> {
  const { program, args, ...ids } = launch.account.command(launch.postgres, commandLine(launch));
  const child = spawn(program, args, {
    ...ids,
    cwd: '/',
    env: childEnvironment(),
    detached: true,
    stdio: ['ignore', logFd, logFd],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new EmbeddedPostgresError(`Cannot run ${program}: ${error.message}. ${USE_EXTERNAL}`, { cause: error })),
    );
  });
  child.unref();
  return child;
}

export type LaunchResult = { postmaster: Postmaster } | { refused: 'taken' | 'memory' };

/**
 * Matches errors of an ended server that a retry resolves: another server was faster, or the last one is still ending.
 */
function passing(complaint: string): LaunchResult | undefined {
  if (complaint.includes('pre-existing shared memory block')) return { refused: 'memory' };
  if (complaint.includes('lock file "postmaster.pid"')) return { refused: 'taken' };
  return undefined;
}

/** PostgreSQL needs this many bytes for its lock file and log, and cannot write why it ended without them. */
const MIN_FREE_BYTES = 1_000_000;

/** Returns why the server did not start. */
export const startFault = (logFile: string, complaint: string, freeBytes: number): string =>
  freeBytes < MIN_FREE_BYTES
    ? `PostgreSQL did not start: the disk of ${path.dirname(logFile)} is full. Free some space, then start again`
    : `PostgreSQL did not start (${logFile}): ${complaint.slice(-2000)}`;

/** Starts the server and waits until it takes connections, however long crash recovery needs while it lives. */
export async function launchPostmaster(launch: Launch): Promise<LaunchResult> {
  const { dataDir, signal } = launch;
  const log = await openLog(dataDir, launch.account);
  const { size: offset } = await stat(log.file);
  let child: ChildProcess;
  try {
    child = await spawnPostgres(launch, log.fd);
  } finally {
    await log.close();
  }
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      const complaint = await readSince(log.file, offset);
      const refusal = passing(complaint);
      if (refusal !== undefined) return refusal;
      const { bavail, bsize } = await statfs(dataDir);
      throw new EmbeddedPostgresError(startFault(log.file, complaint, bavail * bsize));
    }
    const found = await readPidFile(dataDir);
    if (found?.ready === true && found.pid === child.pid) {
      return { postmaster: { pid: found.pid, address: launch.address } };
    }
    if (signal?.aborted === true) child.kill('SIGINT');
    signal?.throwIfAborted();
    await delay(POLL_MS);
  }
}

/**
 * Fast shutdown: transactions are rolled back, a checkpoint is written. After `patienceMs` the server is made to quit
 * at once, which the next start repairs from the write-ahead log.
 */
export async function stopPostmaster(pid: number, dataDir: string, patienceMs = 60_000): Promise<void> {
  const signals: [NodeJS.Signals, number][] = [
    ['SIGINT', patienceMs],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ];
  for (const [name, waitMs] of signals) {
    if (!(await serves(pid, dataDir))) return;
    process.kill(pid, name);
    const until = performance.now() + waitMs;
    while (performance.now() < until) {
      if (!(await serves(pid, dataDir))) return;
      await delay(POLL_MS);
    }
  }
}
