/** The built service in a process of its own, on a fresh data directory: for chaos tests and measuring. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnWithParent } from '../../../scripts/child-process/spawn-with-parent.mjs';

const PRESENT_PROGRAM = new URL('../dist/main.js', import.meta.url).href;
/** The script that `npm start` runs once everything is installed and built. */
const serve = (program: string): string => `import(${JSON.stringify(program)}).then(({ main }) => main('serve'));`;

const LAST_WORDS_MS = 200;
const UNFINISHED_STATUSES: ReadonlySet<string> = new Set(['indexing', 'queued', 'running']);

export interface ServiceProcess {
  address: string;
  rootKey: string;
  /** Time from the start of the process to the printed address. */
  startMs: number;
  dataDir: string;
  pid: number;
  request<T>(method: string, url: string, body?: unknown): Promise<T>;
  /** Returns the state of each dependency from `/readyz`, ready or not. */
  readiness(): Promise<{ dependencies: Record<string, { ok: boolean; detail?: string }> }>;
  /** Resolves when the process has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends SIGTERM and waits for the end of the process. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the whole process group and waits for its end. PostgreSQL has its own group and keeps running. */
  kill(): Promise<void>;
}

export interface ServiceOptions {
  /** A fresh one by default; the key of a directory that was used before must be given. */
  dataDir?: string;
  rootKey?: string;
  env?: Record<string, string>;
  nodeArgs?: string[];
  log?: string;
  /** URL of the built `main.js` of another release. */
  program?: string;
  /** Runs the service under these ids, without a home folder; only root can. */
  account?: { uid: number; gid: number };
}

/** Starts a service, which stops with its PostgreSQL when this process ends, in any way. */
export async function startService(options: ServiceOptions = {}): Promise<ServiceProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(tmpdir(), 'quire-service-'));
  const rootKey = options.rootKey ?? `root-key-of-tests-${process.pid}`;
  const startedAt = performance.now();
  // Omits `--input-type`, because threads inherit it and their entry points are files.
  const child = spawnWithParent(
    process.execPath,
    [...(options.nodeArgs ?? []), '-e', serve(options.program ?? PRESENT_PROGRAM)],
    {
      env: {
        ...process.env,
        QUIRE_DATA_DIR: dataDir,
        QUIRE_PORT: '0',
        QUIRE_SAMPLE: 'false',
        QUIRE_MODEL_DOWNLOAD: 'false',
        QUIRE_ROOT_KEY: rootKey,
        QUIRE_LOG_LEVEL: 'error',
        ...options.env,
        ...(options.account === undefined ? {} : { HOME: undefined }),
      },
      ...options.account,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  child.stderr?.on('data', (piece: Buffer) => process.stderr.write(piece));
  const address = await readAddress(child);
  if (options.log !== undefined) child.stdout?.pipe(createWriteStream(options.log, { flags: 'a' }));
  const startMs = performance.now() - startedAt;
  const request = async <T>(method: string, url: string, body?: unknown): Promise<T> => {
    const init: RequestInit = { method, headers: { authorization: `Bearer ${rootKey}` } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`${address}/v1${url}`, init);
    const answer = (await response.json()) as { data: T };
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const readiness: ServiceProcess['readiness'] = async () => {
    const answer = (await (await fetch(`${address}/readyz`)).json()) as {
      data?: Awaited<ReturnType<ServiceProcess['readiness']>>;
      detail?: { ctx: Awaited<ReturnType<ServiceProcess['readiness']>> }[];
    };
    return answer.data ?? answer.detail?.[0]?.ctx ?? { dependencies: {} };
  };
  const pid = child.pid ?? 0;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
    await ended;
  };
  return { address, rootKey, startMs, dataDir, pid, request, readiness, ended, stop, kill };
}

/** Polls a document or run until it is in a final state and returns it. */
export async function whenSettled<T extends { status: string }>(
  service: Pick<ServiceProcess, 'request'>,
  url: string,
  include?: string,
): Promise<T> {
  for (;;) {
    const query = include === undefined ? 'wait=60' : `wait=60&include=${include}`;
    const found = await service.request<T>('GET', `${url}?${query}`);
    if (!UNFINISHED_STATUSES.has(found.status)) return found;
  }
}

/** Leaves the stream open: an iterator that ends early would close the pipe, and the service's log with it. */
async function readAddress(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  if (stdout === null) throw new Error('the service has no output');
  let printed = '';
  const keepError = (piece: unknown): void => void (printed += String(piece));
  stderr?.on('data', keepError);
  const found = new Promise<string>((resolve, reject) => {
    const read = (piece: unknown): void => {
      printed += String(piece);
      const address = /Quire is ready at (\S+)/.exec(printed)?.[1];
      if (address === undefined) return;
      stdout.off('data', read);
      resolve(address);
    };
    stdout.on('data', read);
    // Its last words can arrive after its end, and a process that it started can keep the streams open.
    child.once('exit', () => {
      setTimeout(() => reject(new Error(`the service did not start: ${printed}`)), LAST_WORDS_MS);
    });
  });
  const address = await found;
  stderr?.off('data', keepError);
  stdout.resume();
  return address;
}

export const removeDirectory = (directory: string): void => rmSync(directory, { recursive: true, force: true });

/** Returns false for a process that has ended, also when its parent has not read its status. */
export function isRunning(pid: number): boolean {
  const [state] = statFields(pid);
  return state !== undefined && state !== '' && state !== 'Z';
}

/** Returns the process and all its descendants; empty on systems other than Linux. */
export function familyOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = statFields(Number(name))[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const belongs = (each: number): boolean => each === pid || (parents.has(each) && belongs(parents.get(each) ?? 0));
  return [...parents.keys()].filter(belongs);
}

/** Returns the proportional set size in MB of the process, and that of it with all its descendants. */
export function memoryMb(pid: number): { own: number; all: number } {
  const all = familyOf(pid).reduce((sum, each) => sum + pss(each), 0);
  return { own: Math.round(pss(pid)), all: Math.round(all) };
}

const TICKS_PER_SECOND = 100;

/** Returns the CPU time in ms of the process and its descendants, including ended ones. */
export function cpuMs(pid: number): { own: number; all: number } {
  const used = (each: number): number => {
    const fields = statFields(each);
    // utime, stime, and of ended children cutime, cstime (proc(5), fields 14 to 17).
    return ((fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) || 0) * 1000) / TICKS_PER_SECOND;
  };
  return { own: used(pid), all: familyOf(pid).reduce((sum, each) => sum + used(each), 0) };
}

/** Returns the fields of `/proc/<pid>/stat` from the third (the state) on. */
function statFields(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`) ?? '';
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function pss(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) / 1024;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended in the meantime.
    return undefined;
  }
}
