/** Faults at single system calls, injected by `strace` into running processes: death, ENOSPC, EIO. */
import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';
import type { NamedFault } from './nemesis.ts';
import type { Random } from './random.ts';
import type { System } from './system.ts';

/** Calls that change files, and the highest number of the call of a process at which a fault begins. */
const CALLS: readonly (readonly [string, number])[] = [
  ['fsync', 12],
  ['fdatasync', 12],
  ['rename', 12],
  ['unlink', 12],
  ['mkdir', 12],
  ['pwrite64', 30],
];
/** Also used for sockets and pipes, where only death is a fault that happens. */
const WRITES = ['write', 300] as const;
/** Calls in a row that fail. */
const FAILURES = 4;

export const canTrace = (): boolean => process.getuid?.() === 0 && spawnSync('strace', ['-V']).status === 0;

async function inject(pid: number, call: string, injection: string): Promise<ChildProcess> {
  const fault = ['-e', `trace=${call}`, '-e', `inject=${call}:${injection}`];
  const tracer = spawnWithParent('strace', ['-f', '-qq', '-o', '/dev/null', ...fault, '-p', String(pid)], {
    stdio: 'ignore',
  });
  await Promise.race([once(tracer, 'spawn'), once(tracer, 'error')]);
  return tracer;
}

export async function detach(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return;
  const ended = once(tracer, 'exit');
  tracer.kill('SIGINT');
  await Promise.race([ended, delay(5_000)]);
  tracer.kill('SIGKILL');
}

function draw(random: Random, calls: readonly (readonly [string, number])[]): { call: string; number: number } {
  const [call, highest] = random.pick(calls);
  const number = 1 + Math.floor(random.next() * highest);
  process.stdout.write(` [${call} ${number}]`);
  return { call, number };
}

/** The process ends exactly at the call; a process that does not reach it in time is killed anyway. */
const killed: NamedFault = {
  name: 'crash: service at a system call',
  applies: canTrace,
  apply: async (system: System, durationMs: number, random: Random) => {
    const role = random.pick(system.roles);
    const { call, number } = draw(random, [...CALLS, WRITES]);
    const tracer = await inject(system.pidOf(role), call, `signal=SIGKILL:when=${number}`);
    await Promise.race([once(tracer, 'exit'), delay(durationMs)]);
    await detach(tracer);
    await system.restart(role);
  },
};

/** One of PostgreSQL's processes ends at the call, and PostgreSQL restarts itself. */
const postgresKilled: NamedFault = {
  name: 'crash: PostgreSQL at a system call',
  applies: canTrace,
  apply: async ({ postgres }: System, durationMs: number, random: Random) => {
    const { call, number } = draw(random, [...CALLS, WRITES]);
    const tracer = await inject(postgres.pid, call, `signal=SIGKILL:when=${number}`);
    await delay(durationMs);
    await detach(tracer);
  },
};

const failing = (error: 'ENOSPC' | 'EIO'): NamedFault => ({
  name: `system calls fail: ${error}`,
  applies: canTrace,
  apply: async (system: System, durationMs: number, random: Random) => {
    const { call, number } = draw(random, CALLS);
    const when = `${number}..${number + FAILURES}`;
    const tracer = await inject(system.pidOf(random.pick(system.roles)), call, `error=${error}:when=${when}`);
    await delay(durationMs);
    await detach(tracer);
  },
});

export const SYSTEM_CALL_FAULTS: readonly NamedFault[] = [killed, postgresKilled, failing('ENOSPC'), failing('EIO')];
