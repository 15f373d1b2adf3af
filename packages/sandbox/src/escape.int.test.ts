// root: switches to another account
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { compiledFile } from '@quire/shared/compiled-file';
import { SandboxPool, type PoolOptions } from './pool.ts';

/** Actions of code that has taken over a child; they bypass the preload, which only stops honest code. */
interface Attacks {
  [name: string]: { input: unknown; output: unknown };
  /** Runs a shell command and returns its output and exit code. */
  shell: { input: string; output: string };
  read: { input: string; output: string };
  write: { input: string; output: string };
  /** Connects by the internal binding, which the preload does not replace. */
  connect: { input: number; output: number };
  status: { input: null; output: Record<string, string> };
  copy: { input: { from: string; directory: string }; output: string };
  link: { input: { target: string; directory: string }; output: null };
}

const attacks = `
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { serveTasks } from ${JSON.stringify(pathToFileURL(compiledFile(import.meta.url, 'serve.js')).href)};
const attempt = (run) => { try { return run(); } catch (error) { return error.code; } };
serveTasks({
  shell: async (command) => { const { stdout, status } = spawnSync('sh', ['-c', command], { encoding: 'utf8' }); return stdout + status; },
  read: async (file) => attempt(() => fs.readFileSync(file, 'utf8')),
  write: async (file) => attempt(() => { fs.writeFileSync(file, 'x'); return 'written'; }),
  connect: async (port) => {
    const { TCP, TCPConnectWrap, constants } = process.binding('tcp_wrap');
    const request = new TCPConnectWrap();
    const completed = new Promise((resolve) => { request.oncomplete = (status) => resolve(status); });
    const refused = new TCP(constants.SOCKET).connect(request, '127.0.0.1', port);
    return refused === 0 ? completed : refused;
  },
  status: async () => Object.fromEntries(fs.readFileSync('/proc/self/status', 'utf8').trim().split('\\n').map((line) => line.split(':\\t'))),
  copy: async ({ from, directory }) => { const to = path.join(directory, 'copy'); fs.copyFileSync(from, to); return to; },
  link: async ({ target, directory }) => { fs.symlinkSync(target, path.join(directory, 'link')); return null; },
});
`;

let directory: string;
let entry: string;
let server: Server;
let port: number;
const pools: SandboxPool<Attacks>[] = [];
const run = { timeoutMs: 100_000 };

async function pool(options: Partial<PoolOptions> = {}): Promise<SandboxPool<Attacks>> {
  const made = await SandboxPool.open<Attacks>({ size: 1, entry, directory, ...options });
  pools.push(made);
  return made;
}

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-escape-test-'));
  chmodSync(directory, 0o755);
  const code = path.join(directory, 'code');
  mkdirSync(code);
  entry = path.join(code, 'child.mjs');
  writeFileSync(entry, attacks);
  mkdirSync(path.join(directory, 'data'), { mode: 0o700 });
  writeFileSync(path.join(directory, 'data', 'secret.key'), 'the secret');
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterEach(async () => {
  for (const made of pools.splice(0)) await made.close();
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

interface Descendant {
  pid: number;
  name: string;
  /** Name of the parent. */
  parent: string;
}

/** Returns the processes that a process has started, and those that these have started. */
function descendantsOf(pid: number): Descendant[] {
  const nameOf = (of: number): string => readFileSync(`/proc/${of}/comm`, 'utf8').trim();
  const started = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return started.flatMap((child) => [
    { pid: child, name: nameOf(child), parent: nameOf(pid) },
    ...descendantsOf(child),
  ]);
}

const secretFile = (): string => path.join(directory, 'data', 'secret.key');

describe('a child in namespaces of its own', () => {
  /** Returns a pool, or undefined with a message where namespaces are not permitted, as in most containers. */
  async function walledPool(options: Partial<PoolOptions> = {}): Promise<SandboxPool<Attacks> | undefined> {
    const made = await pool(options);
    if (made.isolation.level === 'namespaces') return made;
    console.warn(`skipped: this machine permits only the isolation level '${made.isolation.level}'`);
    return undefined;
  }

  it('sees no file of the service, of its user or of other programs', async () => {
    const sandbox = await walledPool();
    if (sandbox === undefined) return;
    for (const file of [secretFile(), '/etc/shadow', '/etc/hostname', '/root', '/home', '/var/lib', '/run']) {
      expect([file, await sandbox.run('read', file, run)]).toEqual([file, 'ENOENT']);
    }
  });

  it('does not see a data directory within the code directory', async () => {
    const dataDir = path.join(directory, 'code', 'data');
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, 'secret.key'), 'the secret');
    const sandbox = await walledPool({ hidden: [dataDir] });
    if (sandbox === undefined) return;
    expect(await sandbox.run('read', path.join(dataDir, 'secret.key'), run)).toBe('ENOENT');
    expect(await sandbox.run('read', entry, run)).toBe(attacks);
  });

  it('writes nowhere but to its own directory', async () => {
    const sandbox = await walledPool();
    if (sandbox === undefined) return;
    for (const place of [path.dirname(entry), '/usr', '/etc', '/dev', '/']) {
      expect([place, await sandbox.run('write', path.join(place, 'new'), run)]).toEqual([place, 'EROFS']);
    }
  });

  it('sees no process and no environment of the service', async () => {
    const sandbox = await walledPool();
    if (sandbox === undefined) return;
    expect(await sandbox.run('read', `/proc/${process.pid}/environ`, run)).toBe('ENOENT');
    const names = (await sandbox.run('shell', 'for p in /proc/[0-9]*; do cat $p/comm; done', run)).split('\n');
    const allowed = new Set(['bwrap', 'sh', 'node', 'node-MainThread', 'MainThread', 'cat', '0']);
    expect(names.filter((name) => !allowed.has(name))).toEqual([]);
    // Ends every process that it may signal: none but its own.
    await sandbox.run('shell', 'kill -9 -1', run).catch(() => undefined);
    expect(server.listening).toBe(true);
  });

  it('runs a task once more when the first process of its namespace was killed from outside', async () => {
    const sandbox = await walledPool();
    if (sandbox?.isolation.program !== 'unshare') return;
    const outcome = sandbox.run('shell', 'sleep 1; echo done', run);
    const first = await vi.waitFor(() => {
      const started = descendantsOf(process.pid);
      expect(started.map(({ name }) => name)).toContain('sleep');
      return started.find(({ name, parent }) => name === 'sh' && parent === 'unshare')!;
    }, 50_000);
    process.kill(first.pid, 'SIGKILL');
    expect(await outcome).toBe('done\n0');
  });

  it('reaches no address, not even by raw sockets', async () => {
    const sandbox = await walledPool();
    if (sandbox === undefined) return;
    expect(await sandbox.run('connect', port, run)).toBeLessThan(0);
    const devices = await sandbox.run('read', '/proc/net/dev', run);
    expect(devices.split('\n').flatMap((line) => /^\s*(\w+):/.exec(line)?.[1] ?? [])).toEqual(['lo']);
  });

  it('needs no folder of system programs on PATH, which ordinary users often lack', async () => {
    if ((await walledPool()) === undefined) return;
    const before = process.env['PATH'] ?? '';
    const folders = before.split(path.delimiter).filter((folder) => !folder.endsWith('sbin'));
    process.env['PATH'] = folders.join(path.delimiter);
    try {
      // Walls are tried once for each list of hidden directories.
      expect((await pool({ hidden: [path.join(directory, 'data')] })).isolation.level).toBe('namespaces');
    } finally {
      process.env['PATH'] = before;
    }
  });

  it('has no privileges and gains none', async () => {
    const sandbox = await walledPool();
    if (sandbox === undefined) return;
    const status = await sandbox.run('status', null, run);
    expect([status['NoNewPrivs'], status['CapEff'], status['CapPrm'], status['CapBnd']]).toEqual([
      '1',
      '0000000000000000',
      '0000000000000000',
      '0000000000000000',
    ]);
    expect(await sandbox.run('shell', 'mount -t tmpfs x /tmp 2>/dev/null', run)).not.toBe('0');
    expect(
      await sandbox.run('shell', 'unshare --user --map-root-user mount -t tmpfs x /tmp 2>/dev/null', run),
    ).not.toBe('0');
  });

  it('cannot change an input, which is a link to the original', async () => {
    const original = path.join(directory, 'original.txt');
    writeFileSync(original, 'the original');
    const filesOf = (): { inputs: string[]; outputDirectory: null } => ({ inputs: [original], outputDirectory: null });
    const sandbox = await walledPool({ filesOf });
    if (sandbox === undefined) return;
    expect(await sandbox.run('read', original, run)).toBe('the original');
    expect(await sandbox.run('write', original, run)).toBe('EROFS');
    expect(readFileSync(original, 'utf8')).toBe('the original');
  });
});

describe.each(['namespaces', 'user', 'process'] as const)(
  'with the isolation level %s at most',
  (strongestIsolation) => {
    it('hands inputs to the child and moves its outputs to the directory of the caller', async () => {
      const from = path.join(directory, `input-${strongestIsolation}.txt`);
      writeFileSync(from, 'content', { mode: 0o600 });
      const outputDirectory = mkdtempSync(path.join(directory, 'outputs-'));
      const filesOf = (): { inputs: string[]; outputDirectory: string } => ({ inputs: [from], outputDirectory });
      const sandbox = await pool({ strongestIsolation, filesOf });
      const copy = await sandbox.run('copy', { from, directory: outputDirectory }, run);
      expect(copy).toBe(path.join(outputDirectory, 'copy'));
      expect(readFileSync(copy, 'utf8')).toBe('content');
    });

    it.runIf(process.platform === 'linux')(
      'is ended by the kernel before the service when memory is short',
      async () => {
        const sandbox = await pool({ strongestIsolation });
        expect(await sandbox.run('read', '/proc/self/oom_score_adj', run)).toBe('900\n');
        // Programs such as an office suite inherit it.
        expect(await sandbox.run('shell', 'cat /proc/self/oom_score_adj', run)).toBe('900\n0');
      },
    );

    it('does not take a link for an output', async () => {
      const outputDirectory = mkdtempSync(path.join(directory, 'outputs-'));
      const filesOf = (): { inputs: string[]; outputDirectory: string } => ({ inputs: [], outputDirectory });
      const sandbox = await pool({ strongestIsolation, filesOf });
      const task = sandbox.run('link', { target: secretFile(), directory: outputDirectory }, run);
      await expect(task).rejects.toThrow('A sandboxed task left something other than a file');
      expect(readdirSync(outputDirectory)).toEqual([]);
    });
  },
);

/** Writes a message where a child cannot have another account. */
function canSwitchAccount(): boolean {
  const code = compiledFile(import.meta.url, 'serve.js');
  const isRoot = process.getuid?.() === 0;
  // The clone may be in a folder that others cannot enter.
  const isOpen = isRoot && spawnSync('cat', [code], { uid: 65_534, gid: 65_534 }).status === 0;
  if (!isOpen) console.warn('skipped: only root can switch to another account, and the code must be open to it');
  return isOpen;
}

it('switches to another account when it is started as root and namespaces are not permitted', async () => {
  if (!canSwitchAccount()) return;
  const sandbox = await pool({ strongestIsolation: 'user' });
  expect(sandbox.isolation).toMatchObject({ level: 'user', program: 'setpriv' });
  const status = await sandbox.run('status', null, run);
  expect(Number(status['Uid']?.split('\t')[0])).toBeGreaterThan(60_000);
  expect([status['NoNewPrivs'], status['CapEff'], status['CapBnd']]).toEqual([
    '1',
    '0000000000000000',
    '0000000000000000',
  ]);
  expect(await sandbox.run('read', `/proc/${process.pid}/environ`, run)).toBe('EACCES');
  expect(await sandbox.run('shell', `kill -9 ${process.pid} 2>/dev/null`, run)).toBe('1');
});

it('gives the other account directories that it can enter, if all of the service are private', async () => {
  if (!canSwitchAccount()) return;
  const secluded = mkdtempSync(path.join(directory, 'private-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = secluded;
  const mask = process.umask(0o077);
  try {
    const original = path.join(secluded, 'original.txt');
    writeFileSync(original, 'the original');
    const filesOf = (): { inputs: string[]; outputDirectory: null } => ({ inputs: [original], outputDirectory: null });
    const sandbox = await pool({ strongestIsolation: 'user', directory: secluded, filesOf });
    expect(sandbox.isolation).toMatchObject({ level: 'user' });
    expect(await sandbox.run('read', original, run)).toBe('the original');
    expect(Number((await sandbox.run('status', null, run))['Uid']?.split('\t')[0])).toBeGreaterThan(60_000);
  } finally {
    process.umask(mask);
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

it('gives an ordinary user namespaces where devices are read-only, as under PrivateDevices of systemd', () => {
  if (process.getuid?.() !== 0) {
    console.warn('skipped: only root can make devices read-only');
    return;
  }
  const parent = path.join(directory, 'parent.mjs');
  const poolModule = pathToFileURL(compiledFile(import.meta.url, 'pool.js')).href;
  writeFileSync(
    parent,
    `import { SandboxPool } from ${JSON.stringify(poolModule)};
     const pool = await SandboxPool.open({ size: 1, entry: ${JSON.stringify(entry)} });
     console.log(pool.isolation.level);
     await pool.close();`,
  );
  const levelAfter = (preparation: string): string => {
    const asNobody = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups';
    const script = `${preparation} ${asNobody} ${process.execPath} ${parent}`;
    const isolated = ['--mount', '--propagation', 'private', 'sh', '-euc', script];
    return spawnSync('unshare', isolated, { encoding: 'utf8', cwd: '/' }).stdout.trim();
  };
  if (levelAfter('') !== 'namespaces') {
    console.warn('skipped: an ordinary user has no namespaces here');
    return;
  }
  expect(levelAfter('mount -o ro,nosuid,noexec --bind /dev/null /dev/null;')).toBe('namespaces');
});

it('removes the directory of a pool whose process has ended, and no other', async () => {
  const place = mkdtempSync(path.join(directory, 'place-'));
  const ended = spawnSync('true').pid;
  const [first = ''] = readdirSync(place);
  expect(first).toBe('');
  const sandbox = await pool({ directory: place, strongestIsolation: 'process' });
  const [own = ''] = readdirSync(place);
  mkdirSync(path.join(place, own.replace(`-${process.pid}-`, `-${ended}-`)));
  symlinkSync(secretFile(), path.join(place, 'other'));
  await pool({ directory: place, strongestIsolation: 'process' });
  const names = readdirSync(place);
  expect(names).toHaveLength(3);
  expect(names).toContain(own);
  expect(names).toContain('other');
  expect(sandbox.unavailable).toBeUndefined();
});
