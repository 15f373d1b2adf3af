/** The database connections of a process, and whether PostgreSQL has enough of them for all processes. */
import { hostname } from 'node:os';
import type { Kysely } from 'kysely';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/env.ts';
import { readConnectionBounds, type ConnectionBound } from '../database/connection-bounds.ts';
import type { Database } from '../database/tables.ts';
import { isAlive } from '../database/embedded/cluster.ts';
import { reservedSlots } from '../queue/reserved-slots.ts';
import { liveInstances, type Instance, type LiveInstance } from '../queue/instance.ts';

export const REQUEST_CONNECTIONS = 12;
/** A lane of two jobs, each with some concurrent fetches. */
export const CONNECTOR_CONNECTIONS = 6;
/** A lane's own connections: fetching, completing, failing and releasing jobs may overlap. */
export const LANE_CONNECTIONS = 4;
/** For the index in memory: a load, a catch-up and a comparison at once. */
export const FEED_CONNECTIONS = 4;
const LANES = 3;
const NOTIFICATION_CONNECTIONS = 1;
/** Short connections that look whether others still answer. */
const CHECK_CONNECTIONS = 2;

/** One for each job that runs at once, those of the reserve included. */
export const workConnections = ({ workerConcurrency }: Config['processing']): number =>
  workerConcurrency + reservedSlots(workerConcurrency);

export type ConnectionSettings = Pick<Config, 'role' | 'processing' | 'indexCluster'>;

/** Returns the maximum number of connections that a process with this configuration opens. */
export function connectionsOf({ role, processing, indexCluster }: ConnectionSettings): number {
  const requests = REQUEST_CONNECTIONS + NOTIFICATION_CONNECTIONS + CHECK_CONNECTIONS;
  const index = indexCluster === null ? FEED_CONNECTIONS : 0;
  const jobs = workConnections(processing) + CONNECTOR_CONNECTIONS + LANES * LANE_CONNECTIONS;
  return requests + index + (role === 'api' ? 0 : jobs);
}

/**
 * Throws `ConfigurationError` with the number of connections that are needed if PostgreSQL has fewer for this process,
 * the processes that started before it, and other programs.
 */
export async function requireConnections(db: Kysely<Database>, instance: Instance): Promise<void> {
  const own = instance.connections;
  const others = (await liveInstances(db)).filter((other) => other.id < instance.id && !isDead(other));
  const needed = others.reduce((sum, other) => sum + (other.connections ?? own), own);
  for (const bound of await readConnectionBounds(db)) {
    if (needed + bound.others > bound.allowed) throw tooFew(bound, needed, others.length);
  }
}

/** Whether the process, which was killed, runs no more; false if it ran on another machine. */
const isDead = ({ hostname: host, pid }: LiveInstance): boolean =>
  host === hostname() && (pid === process.pid || !isAlive(pid));

function tooFew({ name, allowed, reserved, others }: ConnectionBound, needed: number, processes: number): Error {
  const who = processes === 0 ? 'this process' : `this process and ${processes} more`;
  const foreign = others === 0 ? '' : `, besides ${others} of other programs`;
  return new ConfigurationError(
    `Settings:\n  QUIRE_DATABASE_URL: ${name} permits ${allowed} connections, and ${who} may need ${needed}${foreign}. ` +
      `Set it to ${needed + others + reserved} or more, or lower QUIRE_WORKER_CONCURRENCY`,
  );
}
