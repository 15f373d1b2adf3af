/** Finds and starts the real servers of the tests. Only imported by tests. */
import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';

const CACHE = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
/** `npm run connector-servers` installs programs here. */
export const PROGRAMS_FOLDER = path.join(CACHE, 'quire', 'test-servers');
const FOLDERS = ['', 'python/bin', 'vsftpd/usr/sbin'].map((folder) => path.join(PROGRAMS_FOLDER, folder));

/** Whether the tests run on every server that is installed, also on those of which one of its kind is enough. */
export const testsAllServers = process.env['QUIRE_TEST_ALL_SERVERS'] === '1';

/** Returns the path of a program in the cache, on PATH or in the folders of system programs; null if it is missing. */
export function findProgram(name: string): string | null {
  const folders = [...FOLDERS, ...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => path.join(folder, name)).find(isProgram) ?? null;
}

/** A folder on an inherited PATH may be closed for this account. */
function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface RunningProgram {
  process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts a server and waits until it accepts connections on the port. Rejects with its output if it ends before.
 * `start` replaces `spawn`.
 */
export async function startProgram(
  file: string,
  args: readonly string[],
  port: number,
  env: NodeJS.ProcessEnv = {},
  start: typeof spawn = spawn,
): Promise<RunningProgram> {
  const child = start(file, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      hasEnded = true;
      resolve();
    });
    child.once('error', (error) => {
      hasEnded = true;
      output += error.message;
      resolve();
    });
  });
  while (!(await accepts(port))) {
    if (hasEnded) throw new Error(`${file} ended before it accepted connections: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    process: child,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
