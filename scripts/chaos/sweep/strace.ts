/** `strace` on running threads and on new processes: counts their system calls, or injects a fault at one of them. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spawnWithParent } from '../../child-process/spawn-with-parent.mjs';
import { detach } from '../system-calls.ts';

export interface Attached {
  end: () => Promise<void>;
}

/** Attaches to the threads and resolves when all of them are traced. With `follows`, new children are traced too. */
export async function attach(threads: readonly number[], args: readonly string[], follows: boolean): Promise<Attached> {
  const targets = threads.flatMap((thread) => ['-p', String(thread)]);
  const tracer = spawnWithParent('strace', [...(follows ? ['-f'] : []), ...args, ...targets], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilAttached(tracer, threads.length);
  tracer.stderr?.resume();
  return { end: () => detach(tracer) };
}

/** Also resolves if the tracer ends: a thread may have ended in the meantime. */
async function untilAttached(tracer: ChildProcess, count: number): Promise<void> {
  let printed = '';
  const attached = new Promise<void>((resolve) => {
    tracer.stderr?.on('data', (text: Buffer) => {
      printed += text.toString();
      // A thread that ended before is reported instead.
      if ((printed.match(/attached|No such process|ptrace/g)?.length ?? 0) >= count) resolve();
    });
  });
  await Promise.race([attached, once(tracer, 'exit')]);
}

/** Runs `work` with the arguments that let a tracer write to a file. Returns what it wrote. */
async function recorded(work: (args: string[]) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-strace-'));
  const file = path.join(folder, 'calls');
  try {
    await work(['-o', file]);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns how often each thread made each call, by call and thread. */
export async function countCalls(
  calls: readonly string[],
  work: (args: string[]) => Promise<void>,
): Promise<Map<string, Map<number, number>>> {
  return readCounts(await recorded((args) => work([...args, '-e', `trace=${calls.join(',')}`])));
}

/** Applies a fault at a call while `work` runs. Returns whether a thread has reached the call. */
export async function withFault(
  { call, injection }: { call: string; injection: string },
  work: (args: string[]) => Promise<void>,
): Promise<boolean> {
  const text = await recorded((args) => work([...args, '-e', `trace=${call}`, '-e', `inject=${call}:${injection}`]));
  return /\(INJECTED\)|killed by SIGKILL/.test(text);
}

/** Lines begin with the thread if several are traced; a call that is interrupted has a second line, `<... call`. */
function readCounts(text: string): Map<string, Map<number, number>> {
  const counts = new Map<string, Map<number, number>>();
  for (const line of text.split('\n')) {
    const [, thread = '0', call = ''] = /^(?:(\d+) +)?([a-z]\w*)\(/.exec(line) ?? [];
    if (call === '') continue;
    const threads = counts.get(call) ?? new Map<number, number>();
    threads.set(Number(thread), (threads.get(Number(thread)) ?? 0) + 1);
    counts.set(call, threads);
  }
  return counts;
}
