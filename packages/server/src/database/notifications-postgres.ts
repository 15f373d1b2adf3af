/**
 * Notifications over PostgreSQL's LISTEN and NOTIFY: one connection per process. A broken connection may have lost
 * notifications, so every listener is called once after a reconnect. The connection notifies itself regularly: one that
 * answers statements may listen no more, as behind a pooler that shares connections.
 */
import { sql } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import type { Logger } from '../logger.ts';
import { pause } from '@quire/shared/pause';
import { Periodic } from '../shared/periodic.ts';
import { newId } from '../shared/uuid.ts';
import type { ServerConnection } from './embedded-postgres.ts';
import { JOBS_CHANNEL, NOTIFICATION_CHANNEL, type Notifications } from './notifications.ts';
import type { Executor } from './transaction.ts';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5_000;
/** A connection lost without a close (a router that dropped its state) is noticed after at most the sum of the two. */
const PING_MS = 15_000;
const ANSWER_MS = 10_000;

export interface NotificationOptions {
  connection: string | ServerConnection;
  logger: Logger;
  /** Time between two checks of the connection, in ms. Default 15,000. */
  pingMs?: number;
  /** Time in which the notification of a check must arrive, in ms. Default 10,000. */
  answerMs?: number;
}

export class PostgresNotifications implements Notifications {
  readonly #config: ClientConfig;
  readonly #logger: Logger;
  readonly #answerMs: number;
  /** Topic of the notifications that this process sends to itself. */
  readonly #echoTopic = `echo:${newId()}`;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #reconnect: Promise<void> = Promise.resolve();
  #checks: Periodic | undefined;

  private constructor({ connection, logger, answerMs = ANSWER_MS }: NotificationOptions) {
    const address: ClientConfig = typeof connection === 'string' ? { connectionString: connection } : connection;
    const timeouts = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, keepAlive: true };
    this.#config = { ...address, ...timeouts, application_name: 'quire notifications' };
    this.#logger = logger;
    this.#answerMs = answerMs;
  }

  /** Rejects if the first connection fails; later ones are retried until `close`. */
  static async connect(options: NotificationOptions): Promise<PostgresNotifications> {
    const notifications = new PostgresNotifications(options);
    await notifications.#listen();
    const check = (): Promise<void> => notifications.#checkConnection();
    notifications.#checks = new Periodic(check, options.pingMs ?? PING_MS, () => undefined).start();
    return notifications;
  }

  async publish(transaction: Executor, topic: string): Promise<void> {
    await sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${topic})`.execute(transaction);
  }

  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    // A new function, so that a listener that subscribed twice is called twice and unsubscribed once.
    const entry = (): void => listener();
    listeners.add(entry);
    return () => {
      listeners.delete(entry);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#checks?.stop();
    await this.#reconnect;
    await this.#client?.end();
  }

  async #listen(): Promise<void> {
    const client = new Client(this.#config);
    client.on('notification', ({ channel, payload }) => {
      this.#call(this.#listeners.get(channel === JOBS_CHANNEL ? JOBS_CHANNEL : (payload ?? '')) ?? []);
    });
    client.on('error', (error) => this.#logger.warn({ err: error }, 'the notification connection broke'));
    try {
      await client.connect();
      await client.query(`listen ${NOTIFICATION_CHANNEL}; listen "${JOBS_CHANNEL}"`);
    } catch (error) {
      // Not awaited: the server may never answer.
      void client.end();
      throw error;
    }
    this.#client = client;
    client.once('end', () => {
      if (!this.#closing.signal.aborted) this.#reconnect = this.#listenAgain();
    });
  }

  async #listenAgain(): Promise<void> {
    const { signal } = this.#closing;
    this.#client = undefined;
    for (let waitMs = FIRST_RETRY_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_RETRY_MS)) {
      try {
        await this.#listen();
        for (const listeners of this.#listeners.values()) this.#call(listeners);
        return;
      } catch (error) {
        this.#logger.warn({ err: error }, 'cannot listen for notifications; trying again');
        // Jitter, so that many processes do not reconnect at the same moment.
        await pause(waitMs * (0.5 + Math.random() / 2), [signal]);
      }
    }
  }

  /** Replaces the connection unless a notification to itself arrives in time. */
  async #checkConnection(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    const arrived = new AbortController();
    const unsubscribe = this.subscribe(this.#echoTopic, () => arrived.abort());
    // Not awaited: the statement may never settle.
    client.query('select pg_notify($1, $2)', [NOTIFICATION_CHANNEL, this.#echoTopic]).catch(() => undefined);
    await pause(this.#answerMs, [arrived.signal, this.#closing.signal]);
    unsubscribe();
    if (arrived.signal.aborted || this.#closing.signal.aborted || this.#client !== client) return;
    this.#logger.warn('notifications do not arrive; connecting again');
    // Its goodbye may never be answered, so that it has no end of its own.
    client.removeAllListeners('end');
    client.removeAllListeners('notification');
    void client.end();
    this.#reconnect = this.#listenAgain();
    await this.#reconnect;
  }

  #call(listeners: Iterable<() => void>): void {
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        this.#logger.error({ err: error }, 'a notification listener failed');
      }
    }
  }
}
