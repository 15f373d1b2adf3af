/** The faults of a chaos run. Each one ends with everything that it took away given back. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FAULTS } from '../../packages/server/test/database-proxy.ts';
import type { ProviderMode } from './chats.ts';
import type { Random } from './random.ts';
import { SYSTEM_CALL_FAULTS } from './system-calls.ts';
import type { System } from './system.ts';

export interface NamedFault {
  name: string;
  /** Applies the fault for about the time and undoes it. */
  apply: (system: System, durationMs: number, random: Random) => Promise<void>;
  /** False if the fault cannot be applied to this system. */
  applies?: (system: System) => boolean;
}

const proxied = FAULTS.map((fault): NamedFault => ({
  name: `connection: ${fault}`,
  apply: async ({ proxy }, durationMs) => {
    await proxy.fail(fault);
    await delay(durationMs);
    await proxy.recover();
  },
}));

/** PostgreSQL comes back when its keeper, this process, has started it again. */
function ended(name: string, signal: NodeJS.Signals): NamedFault {
  return {
    name,
    apply: async ({ postgres }) => {
      const { pid } = postgres;
      process.kill(pid, signal);
      while (postgres.pid === pid) await delay(20);
    },
  };
}

async function suspend(pid: number, durationMs: number): Promise<void> {
  if (!signal(pid, 'SIGSTOP')) return;
  await delay(durationMs);
  signal(pid, 'SIGCONT');
}

/** Returns false if the process has ended in the meantime. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Fills the file system of a folder until the time is over. */
function filled(name: 'data' | 'pg'): NamedFault {
  return {
    name: `disk full: ${name === 'data' ? 'service' : 'PostgreSQL'}`,
    applies: (system) => system.isLimited(name),
    apply: async (system, durationMs) => {
      const file = path.join(system.folder, name, 'filler');
      execFileSync('sh', ['-c', 'head -c 4G /dev/zero >"$0" 2>/dev/null || true', file]);
      await delay(durationMs);
      rmSync(file);
    },
  };
}

const provided = (['hangs', 'hangs up', 'fails'] as const satisfies ProviderMode[]).map((mode): NamedFault => ({
  name: `language model: ${mode}`,
  apply: async ({ provider }, durationMs) => {
    provider.set(mode);
    await delay(durationMs);
    provider.set('answers');
  },
}));

const SLOW_CLIENTS = 60;

/** Opens connections that send the beginning of an upload and then nothing; they end with a reset. */
const clients = (name: string, heldMs: (durationMs: number) => number): NamedFault => ({
  name: `clients: ${name}`,
  apply: async ({ service }, durationMs) => {
    const { hostname, port } = new URL(service.address);
    const head = `POST /v1/w/x/col/y/docs/raw HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.rootKey}\r\nContent-Length: 100000\r\n\r\n{"name`;
    const sockets = Array.from({ length: SLOW_CLIENTS }, (): Socket => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).once('connect', () => socket.write(head));
      return socket;
    });
    await delay(heldMs(durationMs));
    for (const socket of sockets) socket.resetAndDestroy();
  },
});

const HOUR = 3_600;

const clock: NamedFault = {
  name: 'clock: jumps',
  applies: ({ options }) => options.hasClock,
  apply: async (system, durationMs, random) => {
    system.setClock(random.pick([-24 * HOUR, -HOUR, -30, 30, HOUR, 24 * HOUR]));
    await delay(durationMs);
    system.setClock(0);
  },
};

export const NAMED_FAULTS: readonly NamedFault[] = [
  ...proxied,
  ended('PostgreSQL: kill -9', 'SIGKILL'),
  ended('PostgreSQL: fast shutdown', 'SIGINT'),
  { name: 'PostgreSQL: suspended', apply: ({ postgres }, durationMs) => suspend(postgres.pid, durationMs) },
  {
    name: 'service: suspended',
    apply: (system, durationMs, random) => suspend(system.pidOf(random.pick(system.roles)), durationMs),
  },
  { name: 'service: kill -9', apply: (system, _durationMs, random) => system.restart(random.pick(system.roles)) },
  {
    name: 'child process: kill -9',
    applies: ({ children }) => children.length > 0,
    apply: async ({ children }, _durationMs, random) => void signal(random.pick(children), 'SIGKILL'),
  },
  {
    name: 'child process: suspended',
    applies: ({ children }) => children.length > 0,
    apply: ({ children }, durationMs, random) => suspend(random.pick(children), durationMs),
  },
  filled('data'),
  filled('pg'),
  ...provided,
  clients('cut uploads', () => 50),
  clients('stalled uploads', (durationMs) => durationMs),
  clock,
  ...SYSTEM_CALL_FAULTS,
];
