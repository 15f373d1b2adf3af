/** The faults of a chaos run. Each one ends with everything that it took away given back. */
import { setTimeout as delay } from 'node:timers/promises';
import { FAULTS } from '../../packages/server/test/database-proxy.ts';
import type { System } from './system.ts';

export interface NamedFault {
  name: string;
  /** Applies the fault for about the time and undoes it. */
  apply: (system: System, durationMs: number) => Promise<void>;
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

export const NAMED_FAULTS: readonly NamedFault[] = [
  ...proxied,
  ended('PostgreSQL: kill -9', 'SIGKILL'),
  ended('PostgreSQL: fast shutdown', 'SIGINT'),
  {
    name: 'PostgreSQL: suspended',
    apply: async ({ postgres }, durationMs) => {
      process.kill(postgres.pid, 'SIGSTOP');
      await delay(durationMs);
      process.kill(postgres.pid, 'SIGCONT');
    },
  },
  {
    name: 'service: suspended',
    apply: async ({ service }, durationMs) => {
      process.kill(service.pid, 'SIGSTOP');
      await delay(durationMs);
      process.kill(service.pid, 'SIGCONT');
    },
  },
  { name: 'service: kill -9', apply: (system) => system.restartService() },
];
