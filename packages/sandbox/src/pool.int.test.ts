// large: starts and kills child processes
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compiledFile } from '@quire/shared/compiled-file';
import { SandboxPool, type PoolOptions } from './pool.ts';
import { SandboxUnavailable } from './start-backoff.ts';

/** Tasks that misbehave in every way a parser can. */
interface BadTasks {
  [name: string]: { input: unknown; output: unknown };
  echo: { input: unknown; output: unknown };
  identity: { input: null; output: string };
  hang: { input: null; output: null };
  abort: { input: null; output: null };
  /** Counts its calls in a file, and ends by SIGKILL until there were `kills` of them; always ends for null. */
  killed: { input: { calls: string; kills: number } | null; output: string };
  buffers: { input: null; output: null };
  heap: { input: null; output: null };
  throwContent: { input: null; output: null };
  throwOther: { input: null; output: null };
  throwFull: { input: null; output: null };
  connect: { input: number; output: string[] };
  environment: { input: null; output: string[] };
  zeros: { input: number; output: Buffer };
  tempDir: { input: null; output: string };
  /** Hangs at its first call, which it records in a file. */
  slowOnce: { input: string; output: string };
  spawnSleep: { input: string; output: null };
  priority: { input: null; output: number };
}

const handlersSource = `
import net from 'node:net';
import http from 'node:http';
import dns from 'node:dns/promises';
import os from 'node:os';
import fs from 'node:fs';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { serveTasks } from ${JSON.stringify(pathToFileURL(compiledFile(import.meta.url, 'serve.js')).href)};
import { ContentError } from ${JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve('@quire/blocks/content-error')).href)};
const attempt = async (run) => { try { await run(); return 'connected'; } catch (error) { return (error.cause ?? error).message; } };
const identity = randomUUID();
serveTasks({
  echo: async (input) => input,
  identity: async () => identity,
  hang: async (_, context) => {
    for (const startMs = Date.now(); Date.now() - startMs < 300;);
    context.onProgress(0.5);
    for (;;);
  },
  abort: async () => process.abort(),
  killed: async (input) => {
    const { calls, kills } = input ?? {};
    if (input !== null) fs.appendFileSync(calls, 'x');
    if (input === null || fs.readFileSync(calls, 'utf8').length <= kills) { process.kill(process.pid, 'SIGKILL'); for (;;); }
    return 'read';
  },
  buffers: async () => { const kept = []; for (;;) kept.push(new Uint8Array(16 * 1024 * 1024).fill(1)); },
  heap: async () => { const kept = []; for (;;) kept.push({ text: 'x'.repeat(10) + kept.length }); },
  throwContent: async () => { throw new ContentError('corrupt', 'The header is broken'); },
  throwOther: async () => { throw new TypeError('cannot read properties of undefined'); },
  throwFull: async () => { throw Object.assign(new Error('no space left'), { code: 'ENOSPC' }); },
  connect: async (port) => [
    await attempt(() => new Promise((resolve, reject) => net.connect(port, '127.0.0.1', resolve).on('error', reject))),
    await attempt(() => new Promise((resolve, reject) => http.get({ port, host: '127.0.0.1' }, resolve).on('error', reject))),
    await attempt(() => fetch('http://127.0.0.1:' + port)),
    await attempt(() => dns.lookup('localhost')),
  ],
  environment: async () => Object.keys(process.env).sort(),
  zeros: async (bytes) => Buffer.alloc(bytes, 7),
  tempDir: async (_, context) => { fs.writeFileSync(context.tempDir + '/left.txt', 'x'); return context.tempDir; },
  slowOnce: async (calls) => {
    fs.appendFileSync(calls, 'x');
    for (; fs.readFileSync(calls, 'utf8').length < 2;);
    return 'done';
  },
  spawnSleep: async (seconds) => { spawn('sleep', [seconds]); return null; },
  priority: async () => os.getPriority(),
});
`;

let directory: string;
let entry: string;
const pools: { close: () => Promise<void> }[] = [];

async function pool(options: Partial<PoolOptions> = {}): Promise<SandboxPool<BadTasks>> {
  const made = await SandboxPool.open<BadTasks>({ size: 1, entry, ...options });
  pools.push(made);
  return made;
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** The command lines of all processes of this machine. */
function commandLines(): string[][] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      return [readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').slice(0, -1)];
    } catch {
      return [];
    }
  });
}

/** Waits for a condition; the test's time limit bounds the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const gone = (pids: readonly number[]): Promise<void> => until(() => !pids.some(alive));

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-pool-test-'));
  entry = path.join(directory, 'child.mjs');
  writeFileSync(entry, handlersSource);
});
afterEach(async () => {
  for (const made of pools.splice(0)) await made.close();
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A time limit that no finishing task reaches. */
const run = { timeoutMs: 100_000 };

describe('SandboxPool', () => {
  it('transfers buffers and dates unchanged', async () => {
    const input = { bytes: Buffer.from([1, 2, 255]), at: new Date(5), nested: [{ text: 'grüße' }] };
    expect(await (await pool()).run('echo', input, run)).toEqual(input);
  });

  it('returns a result of 20 MB', async () => {
    const result = await (await pool()).run('zeros', 20 * 1024 * 1024, run);
    expect(result.byteLength).toBe(20 * 1024 * 1024);
    expect([result[0], result.at(-1)]).toEqual([7, 7]);
  });

  it('runs a task once more when its child was killed from outside', async () => {
    const calls = path.join(directory, 'killed-once');
    // The calls are counted in a file that a child in namespaces of its own could not write.
    const sandbox = await pool({ strongestIsolation: 'process' });
    expect(await sandbox.run('killed', { calls, kills: 1 }, run)).toBe('read');
  });

  it('fails a task whose child was killed from outside twice', async () => {
    await expect((await pool()).run('killed', null, run)).rejects.toMatchObject({
      type: 'parser_crashed',
      cause: { name: 'KilledFromOutside' },
    });
  });

  it('keeps a child for the next task', async () => {
    const sandbox = await pool();
    expect(await sandbox.run('identity', null, run)).toBe(await sandbox.run('identity', null, run));
  });

  it('replaces a child after the set number of tasks', async () => {
    const sandbox = await pool({ recycleTasks: 2 });
    const pids = [];
    for (let count = 0; count < 4; count += 1) pids.push(await sandbox.run('identity', null, run));
    expect(new Set(pids).size).toBe(2);
  });

  it('replaces a child whose memory has grown', async () => {
    const sandbox = await pool({ recycleRssBytes: 1 });
    const first = await sandbox.run('identity', null, run);
    expect(await sandbox.run('identity', null, run)).not.toBe(first);
  });

  it('ends all children but one when there is no work, and reuses that one', async () => {
    const idle = await pool({ size: 3, idleMs: 50 });
    const used = await Promise.all([1, 2, 3].map(() => idle.run('identity', null, run)));
    await expect.poll(() => idle.processIds.length).toBe(1);
    // The remaining child has worked before.
    expect(used).toContain(await idle.run('identity', null, run));
  });

  it('has a spare child for the first task after standBy', async () => {
    const sandbox = await pool();
    sandbox.standBy();
    const waiting = sandbox.processIds;
    expect(waiting.length).toBe(1);
    await sandbox.run('identity', null, run);
    expect(sandbox.processIds).toEqual(expect.arrayContaining(waiting));
  });

  it('kills a task that hangs at its deadline and runs the next', async () => {
    const sandbox = await pool();
    await expect(sandbox.run('hang', null, { timeoutMs: 150 })).rejects.toMatchObject({
      name: 'ContentError',
      type: 'timeout',
      message: 'Reading the file took longer than 0.15 s',
    });
    expect(await sandbox.run('echo', 'next', run)).toBe('next');
  });

  it('reports a crash as parser_crashed and runs the next task', async () => {
    const sandbox = await pool();
    await expect(sandbox.run('abort', null, run)).rejects.toMatchObject({ type: 'parser_crashed' });
    expect(await sandbox.run('echo', 'next', run)).toBe('next');
  });

  it('kills a task whose buffers outside the JavaScript heap exceed the memory limit', async () => {
    const sandbox = await pool({ memoryBytes: 200_000_000 });
    await expect(sandbox.run('buffers', null, run)).rejects.toMatchObject({ type: 'too_large' });
    expect(await sandbox.run('echo', 'next', run)).toBe('next');
  });

  it('kills a task whose objects exceed the memory limit', async () => {
    const sandbox = await pool({ memoryBytes: 200_000_000 });
    await expect(sandbox.run('heap', null, run)).rejects.toMatchObject({ type: 'too_large' });
  });

  it('passes a ContentError on and keeps the child', async () => {
    const sandbox = await pool();
    const first = await sandbox.run('identity', null, run);
    await expect(sandbox.run('throwContent', null, run)).rejects.toMatchObject({
      name: 'ContentError',
      type: 'corrupt',
      message: 'The header is broken',
    });
    expect(await sandbox.run('identity', null, run)).toBe(first);
  });

  it('reports any other error of a reader as parser_crashed and does not reuse its child', async () => {
    const sandbox = await pool();
    const first = await sandbox.run('identity', null, run);
    await expect(sandbox.run('throwOther', null, run)).rejects.toMatchObject({
      type: 'parser_crashed',
      cause: { message: 'TypeError: cannot read properties of undefined' },
    });
    expect(await sandbox.run('identity', null, run)).not.toBe(first);
  });

  it('does not attribute a full disk to the file', async () => {
    await expect((await pool()).run('throwFull', null, run)).rejects.toMatchObject({ name: 'Error', code: 'ENOSPC' });
  });

  it('kills the child of a task that is aborted, and rejects with the reason', async () => {
    const sandbox = await pool();
    const first = await sandbox.run('identity', null, run);
    const controller = new AbortController();
    let hanging: Promise<null> | undefined;
    await new Promise<number>((onProgress) => {
      hanging = sandbox.run('hang', null, { ...run, signal: controller.signal, onProgress });
      hanging.catch(() => undefined);
    });
    controller.abort(new Error('deleted meanwhile'));
    await expect(hanging).rejects.toThrow('deleted meanwhile');
    expect(await sandbox.run('identity', null, run)).not.toBe(first);
  });

  it('never starts a task that is aborted while it waits', async () => {
    const sandbox = await pool();
    const controller = new AbortController();
    const first = sandbox.run('hang', null, { timeoutMs: 300 });
    const waiting = sandbox.run('abort', null, { ...run, signal: controller.signal });
    controller.abort(new Error('not any more'));
    await expect(waiting).rejects.toThrow('not any more');
    await expect(first).rejects.toMatchObject({ type: 'timeout' });
  });

  it('lets short tasks overtake a long one that occupies a child', async () => {
    const sandbox = await pool({ size: 2 });
    const ending = new AbortController();
    const ended = [1, 2].map(() =>
      sandbox.run('hang', null, { timeoutMs: 600_000, expectedMs: 60_000, signal: ending.signal }).catch(String),
    );
    const short = [1, 2, 3].map((number) => sandbox.run('echo', number, { ...run, expectedMs: 1 }));
    // Neither of the long tasks ends before.
    expect(await Promise.all(short)).toEqual([1, 2, 3]);
    ending.abort(new Error('enough'));
    expect(await Promise.all(ended)).toEqual(['Error: enough', 'Error: enough']);
  });

  it('runs the task of another owner while one occupies every child', async () => {
    const sandbox = await pool({ size: 2 });
    const ending = new AbortController();
    const flood = { timeoutMs: 600_000, owner: 'a', signal: ending.signal };
    const ended = [1, 2, 3, 4].map(() => sandbox.run('hang', null, flood).catch(String));
    expect(await sandbox.run('echo', 1, { ...run, owner: 'b' })).toBe(1);
    expect(await sandbox.run('echo', 2, { ...run, owner: 'c', expectedMs: 60_000 })).toBe(2);
    ending.abort(new Error('enough'));
    expect(await Promise.all(ended)).toEqual(Array(4).fill('Error: enough'));
  });

  it('does not exceed its size for one owner', async () => {
    const sandbox = await pool({ size: 2 });
    const same = Array.from({ length: 8 }, () => sandbox.run('identity', null, { ...run, owner: 'a' }));
    // Two children work, and one is spare.
    expect(new Set(await Promise.all(same)).size).toBeLessThanOrEqual(3);
    expect(sandbox.processIds.length).toBeLessThanOrEqual(3);
  });

  it('repeats a task that exceeded its estimate and made room for another owner', async () => {
    const calls = path.join(directory, 'slow-once');
    writeFileSync(calls, '');
    const sandbox = await pool({ size: 1, patienceMs: 50, strongestIsolation: 'process' });
    const ending = new AbortController();
    const slow = sandbox.run('slowOnce', calls, { ...run, owner: 'a' });
    const hanging = sandbox.run('hang', null, { ...run, owner: 'b', expectedMs: 600_000, signal: ending.signal });
    expect(await sandbox.run('echo', 1, { ...run, owner: 'c' })).toBe(1);
    expect(await slow).toBe('done');
    expect(readFileSync(calls, 'utf8')).toBe('xx');
    ending.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
  });

  it('has no network', async () => {
    let connections = 0;
    const server = createServer(() => {
      connections += 1;
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const refusal = 'Network access is not possible in the sandbox';
    expect(await (await pool()).run('connect', port, run)).toEqual([refusal, refusal, refusal, refusal]);
    expect(connections).toBe(0);
    server.close();
  });

  it('inherits no settings of the service', async () => {
    process.env['QUIRE_SECRET_KEY'] = 'secret-of-the-service';
    process.env['NODE_OPTIONS_OF_SOMEBODY'] = 'x';
    const names = await (await pool()).run('environment', null, run);
    delete process.env['QUIRE_SECRET_KEY'];
    delete process.env['NODE_OPTIONS_OF_SOMEBODY'];
    expect(names.filter((name) => name.startsWith('QUIRE_') || name.includes('SOMEBODY'))).toEqual([]);
  });

  it('runs below the priority of the service', async () => {
    expect(await (await pool()).run('priority', null, run)).toBe(Math.min(19, getPriority() + 5));
  });

  it('clears the directory of a task', async () => {
    const sandbox = await pool();
    expect(existsSync(path.join(await sandbox.run('tempDir', null, run), 'left.txt'))).toBe(false);
  });

  it('kills the programs of a task together with its child', async () => {
    const sandbox = await pool();
    const seconds = `600.${process.pid}`;
    await sandbox.run('spawnSleep', seconds, run);
    expect(commandLines()).toContainEqual(['sleep', seconds]);
    await sandbox.close();
    await until(() => !commandLines().some((line) => line.includes(seconds)));
  });

  it('reports that its children do not start, starts few of them, and recovers when they do', async () => {
    const missing = path.join(directory, 'missing.mjs');
    const brokenEntry = path.join(directory, 'broken-child.mjs');
    writeFileSync(brokenEntry, `await import('./missing.mjs');\n${handlersSource}`);
    const told: Error[] = [];
    const sandbox = await pool({
      entry: brokenEntry,
      size: 1,
      restartMs: 1000,
      onUnavailable: (failure) => told.push(failure),
    });
    await expect(sandbox.run('echo', 1, run)).rejects.toThrow(SandboxUnavailable);
    const tasks = Array.from({ length: 20 }, () => sandbox.run('echo', 1, run));
    const outcomes = await Promise.allSettled(tasks);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
    expect(sandbox.unavailable?.message).toBe('The processes that read files do not start');
    expect(told.length).toBeLessThanOrEqual(2);
    writeFileSync(missing, '');
    await expect.poll(() => sandbox.unavailable).toBeUndefined();
    expect(await sandbox.run('echo', 1, run)).toBe(1);
  });

  it("reports that it cannot create a child's directory, and recovers when it can", async () => {
    const place = mkdtempSync(path.join(directory, 'place-'));
    const sandbox = await pool({ restartMs: 10, directory: place });
    // No directory can be created below a file.
    const own = path.join(place, readdirSync(place)[0] ?? '');
    rmSync(own, { recursive: true });
    writeFileSync(own, '');
    await expect(sandbox.run('echo', 1, run)).rejects.toThrow(SandboxUnavailable);
    rmSync(own);
    await expect.poll(() => sandbox.unavailable).toBeUndefined();
    expect(await sandbox.run('echo', 1, run)).toBe(1);
  });

  it('rejects waiting and running tasks when it is closed', async () => {
    const sandbox = await pool();
    const tasks = [sandbox.run('hang', null, run), sandbox.run('echo', null, run)];
    const outcomes = Promise.allSettled(tasks);
    await sandbox.close();
    expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    await gone(sandbox.processIds);
  });

  it('leaves no child behind when the service is killed while one hangs', async () => {
    const script = path.join(directory, 'parent.mjs');
    const poolUrl = pathToFileURL(compiledFile(import.meta.url, 'pool.js')).href;
    writeFileSync(
      script,
      `import { SandboxPool } from ${JSON.stringify(poolUrl)};
       const pool = await SandboxPool.open({ size: 1, entry: ${JSON.stringify(entry)} });
       await pool.run('echo', null, { timeoutMs: 600000 });
       pool.run('hang', null, { timeoutMs: 600000 }).catch(() => undefined);
       console.log(pool.processIds.join(' '));`,
    );
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line]: unknown[] = await once(parent.stdout, 'data');
    const pids = String(line).trim().split(' ').map(Number);
    expect(pids.length).toBeGreaterThan(0);
    expect(pids.every(alive)).toBe(true);
    parent.kill('SIGKILL');
    await gone(pids);
  });
});
