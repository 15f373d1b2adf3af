/** The commits of a pool as points at which a test lets PostgreSQL crash. */
import type { Pool, QueryResult } from 'pg';

/** Whether the crash loses the commit, whose answer arrived, or keeps it and loses its answer. */
export type Fate = 'lost' | 'kept';

export interface CrashActions {
  /** Ends the server at once; resolves when it answers again. */
  crash: () => Promise<void>;
  /** Writes the log of the server to disk, up to its end. */
  writeLog: () => Promise<unknown>;
}

/** Counts the commits that wrote something, and lets the server crash at one of them. */
export class CommitPoints {
  readonly #target: number;
  readonly #fate: Fate;
  readonly #actions: CrashActions;
  count = 0;
  crash: Promise<void> | undefined;

  constructor(target: number, fate: Fate, actions: CrashActions) {
    this.#target = target;
    this.#fate = fate;
    this.#actions = actions;
  }

  async before(): Promise<void> {
    if (this.count + 1 === this.#target && this.#fate === 'lost') await this.#actions.writeLog();
  }

  async after(): Promise<void> {
    this.count += 1;
    if (this.count !== this.#target) return;
    if (this.#fate === 'kept') await this.#actions.writeLog();
    this.crash = this.#actions.crash();
    await this.crash;
    if (this.#fate === 'kept') throw new Error('Connection terminated unexpectedly');
  }
}

/** Shows the commits of a pool to the present points: ends of transactions, and statements outside of one. */
export function watchCommits(pool: Pool, present: () => CommitPoints | undefined): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<QueryResult>;
    let hasWritten = false;
    let isOpen = false;
    const run = async (...args: unknown[]): Promise<QueryResult> => {
      const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
      if (text === 'begin') [isOpen, hasWritten] = [true, false];
      const commits = text === 'commit' || !isOpen;
      if (commits) await present()?.before();
      const result = await query(...args);
      hasWritten ||= (result.rowCount ?? 0) > 0 && /^\s*(with|insert|update|delete)/i.test(text);
      const isPoint = commits && hasWritten;
      if (text === 'commit' || text === 'rollback') isOpen = false;
      if (!isOpen) hasWritten = false;
      if (isPoint) await present()?.after();
      return result;
    };
    // `pool.query` passes a callback.
    client.query = ((...args: unknown[]) =>
      typeof args.at(-1) === 'function' ? query(...args) : run(...args)) as typeof client.query;
  });
}
