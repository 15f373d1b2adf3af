/** Starts an image like a container, uses the service as a client, and stops it. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';
import { ingestAndSearch, untilReady } from '../installations/ingest-and-search.ts';
import { freePort } from '../installations/try-service.ts';
import { jsonForm } from './dockerfile.ts';
import { MAKE_DEVICES, type Image } from './image.ts';

export interface ContainerOptions {
  folder: string;
  uid: number;
  memoryBytes: number;
  say: (text: string) => void;
}

const START_MS = 180_000;
const STOP_MS = 15_000;
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Mounts the image read-only with `/data`, `/tmp` and a few devices, and changes into it. */
const ENTER = `
set -e
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
${MAKE_DEVICES}
mount -t tmpfs tmpfs "$0/tmp"
mount --bind "$DATA" "$0/data"
mount -o remount,bind,ro "$0"
exec chroot "$0" "$@"
`;

interface MemoryGroup {
  join: string;
  peak: () => number;
  remove: () => void;
}

/** A memory limit as a control group of version 1 or 2; null where none can be made. */
function memoryGroup(bytes: number): MemoryGroup | null {
  const name = `quire-container-${process.pid}`;
  for (const [parent, limit, peak] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes', 'memory.max_usage_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max', 'memory.peak'],
  ] as const) {
    const group = path.join(parent, name);
    try {
      mkdirSync(group);
      writeFileSync(path.join(group, limit), String(bytes));
      return {
        join: path.join(group, 'cgroup.procs'),
        peak: () => Number(readFileSync(path.join(group, peak), 'utf8')),
        remove: () => rmdirSync(group),
      };
    } catch {
      if (existsSync(group)) rmdirSync(group);
    }
  }
  return null;
}

export async function checkContainer(image: Image, { folder, uid, memoryBytes, say }: ContainerOptions): Promise<void> {
  const data = mkdtempSync(path.join(folder, 'data-'));
  chownSync(data, uid, 0);
  const group = memoryGroup(memoryBytes);
  if (group === null) say('no control group for memory can be made here: memory is not limited');
  const port = await freePort();
  const environment = {
    ...image.environment,
    QUIRE_PORT: String(port),
    QUIRE_HOST: '127.0.0.1',
    QUIRE_MODEL_DOWNLOAD: 'false',
  };
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const program = [...jsonForm(image.entrypoint), ...jsonForm(image.command)];
  const join = group === null ? '' : `echo $$ >${group.join}`;
  const inside = [
    'env',
    '-i',
    `PATH=${SEARCH_PATH}`,
    ...variables,
    'sh',
    '-c',
    `cd ${image.workdir} && exec "$@"`,
    'sh',
    ...program,
  ];
  // Capabilities are dropped after chroot, which needs one.
  const privileges = [
    'setpriv',
    `--reuid=${uid}`,
    '--regid=0',
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--no-new-privs',
  ];
  const script = `${join}\n${ENTER}`;
  const startedAt = performance.now();
  const child = spawnWithParent(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, image.root, ...privileges, ...inside],
    {
      env: { PATH: process.env['PATH'], DATA: data },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'exit');
  const address = `http://127.0.0.1:${port}`;
  try {
    await untilReady(address, START_MS, () => (child.exitCode === null ? undefined : log.slice(-3_000)));
    say(`ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s as uid ${uid}`);
    await use(address, path.join(data, 'first-keys.txt'), say);
    const serving = firstInside(child.pid ?? 0);
    healthCheck(image, serving, privileges, variables);
    say('the health check succeeds');
    const stoppingAt = performance.now();
    process.kill(serving, 'SIGTERM');
    const [code] = (await Promise.race([ended, delay(STOP_MS).then(() => ['still running'])])) as [unknown];
    if (code !== 0) throw new Error(`SIGTERM ended the service with ${String(code)}:\n${log.slice(-3_000)}`);
    say(`SIGTERM: exit code 0 after ${((performance.now() - stoppingAt) / 1000).toFixed(1)} s`);
    const left = readdirSync(path.join(data, 'spool'));
    if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
    if (group !== null)
      say(
        `peak of memory ${Math.round(group.peak() / 1024 ** 2)} MB of ${memoryBytes / 1024 ** 2}, with the page cache`,
      );
  } finally {
    // The end of the first process ends all others of its namespace.
    const first = child.exitCode === null ? firstInside(child.pid ?? 0) : 0;
    if (first > 0) process.kill(first, 'SIGKILL');
    await ended;
    await removeGroup(group);
    rmSync(data, { recursive: true, force: true });
  }
}

/** Ingests a document with the root key of the first start and searches it. */
async function use(address: string, keys: string, say: (text: string) => void): Promise<void> {
  const key = /qk_root_\S+|\broot\b\D*?(\S{20,})/i.exec(readFileSync(keys, 'utf8'));
  const token = key?.[1] ?? key?.[0] ?? '';
  await ingestAndSearch(address, token);
  const answer = (await (await fetch(`${address}/readyz`)).json()) as {
    data: { dependencies: { sandbox: { detail: string } } };
  };
  say(`a document was ingested and found; isolation of parsers: ${answer.data.dependencies.sandbox.detail}`);
}

/** Runs the health check as a container engine does: inside, with the user and the variables of the service. */
function healthCheck(image: Image, pid: number, privileges: readonly string[], variables: readonly string[]): void {
  const inside = ['env', '-i', `PATH=${SEARCH_PATH}`, ...variables, ...jsonForm(image.healthCheck)];
  const enter = [`--target=${pid}`, '--mount', '--pid', '--root', `--wd=/proc/${pid}/root/`];
  execFileSync('nsenter', [...enter, ...privileges, ...inside], { stdio: 'inherit' });
}

/** Returns the first process in the new process namespace; 0 if there is none. */
function firstInside(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(children[0]);
}

/** A group can be removed once the kernel has removed its last process. */
async function removeGroup(group: MemoryGroup | null): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return group?.remove();
    } catch (error) {
      if (attempt === 50) throw error;
      await delay(100);
    }
  }
}
