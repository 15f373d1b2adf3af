/**
 * Finds connections that lost their server without a close, as when a router drops its state or a failover takes the
 * address over. `pg` would wait for the answer for as long as the kernel retransmits (up to 15 minutes), and the server
 * would keep the locks of the session. A statement may take long, so its age alone says nothing: a second connection
 * queries whether the server still runs it. Long statements that the server still runs are never cancelled.
 */
import { Client, type ClientConfig, type PoolClient } from 'pg';
import type { Logger } from '../logger.ts';
import { backendOf } from './backend-pid.ts';
import { Periodic } from '../shared/periodic.ts';

export interface ConnectionWatchOptions {
  /** Address and credentials of the connection that runs the checks. */
  connection: ClientConfig;
  logger: Logger;
  /** Time between two checks, in ms. Default 5,000. */
  intervalMs?: number;
  /** Age in ms from which on a statement without an answer is checked. Default 10,000. */
  suspectAfterMs?: number;
}

interface Session {
  pid: number;
  /** True when the server executes a statement of this session and does not wait for the client. */
  working: boolean;
}

interface PendingStatement {
  client: PoolClient;
  startedAt: number;
  /** The server did not work on it at the last check; a second such finding closes the connection. */
  suspect: boolean;
}

const ANSWER_MS = 5_000;

export class ConnectionWatch {
  readonly #options: ConnectionWatchOptions;
  readonly #pending = new Set<PendingStatement>();
  readonly #checks: Periodic;

  constructor(options: ConnectionWatchOptions) {
    this.#options = options;
    this.#checks = new Periodic(
      () => this.check(),
      options.intervalMs ?? 5_000,
      // The database is away: the pools report that themselves.
      (error) => options.logger.debug({ err: error }, 'could not check for lost database connections'),
    ).start();
  }

  /** Registers a statement that was sent; the returned function unregisters it. */
  begin(client: PoolClient): () => void {
    const statement = { client, startedAt: performance.now(), suspect: false };
    this.#pending.add(statement);
    return () => this.#pending.delete(statement);
  }

  /** Closes each connection whose statement the server did not work on at two checks in a row. */
  async check(): Promise<void> {
    const { suspectAfterMs = 10_000, logger } = this.#options;
    const oldest = performance.now() - suspectAfterMs;
    const old = [...this.#pending].filter(({ startedAt }) => startedAt <= oldest);
    if (old.length === 0) return;
    const lost = await this.#ask(async (probe) => {
      const working = await findWorking(
        probe,
        old.map(({ client }) => backendOf(client)),
      );
      const idle = old.filter((each) => this.#pending.has(each) && !working.has(backendOf(each.client)));
      const confirmed = idle.filter(({ suspect }) => suspect);
      for (const statement of old) statement.suspect = idle.includes(statement);
      // Frees the locks of the session, which the server would hold until it notices.
      await probe.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
        confirmed.map(({ client }) => backendOf(client)),
      ]);
      return confirmed;
    });
    for (const { client } of lost) {
      logger.warn({ backend: backendOf(client) }, 'closed a database connection that had lost its server');
      // With a statement under way this destroys the socket, which rejects the statement.
      await client.end();
    }
  }

  stop(): Promise<void> {
    return this.#checks.stop();
  }

  async #ask<T>(work: (probe: Client) => Promise<T>): Promise<T> {
    const probe = new Client({
      ...this.#options.connection,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      application_name: 'quire connection watch',
    });
    probe.on('error', () => undefined);
    try {
      await probe.connect();
      return await work(probe);
    } finally {
      // Not awaited: a goodbye that gets lost must not hold up the next check.
      void probe.end();
    }
  }
}

async function findWorking(probe: Client, pids: readonly number[]): Promise<Set<number>> {
  const { rows } = await probe.query<Session>(
    `select pid, state = 'active' and wait_event_type is distinct from 'Client' as working
     from pg_stat_activity where pid = any($1::int[])`,
    [pids],
  );
  return new Set(rows.filter(({ working }) => working).map(({ pid }) => pid));
}
