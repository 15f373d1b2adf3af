/**
 * Notifications over PostgreSQL's LISTEN and NOTIFY: one connection per process. A broken connection may have lost
 * notifications, so every listener is called once after a reconnect.
 */
import { sql } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import type { Logger } from '../logger.ts';
import { pause } from '@quire/shared/pause';
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
}

export class PostgresNotifications implements Notifications {
  readonly #config: ClientConfig;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #reconnect: Promise<void> = Promise.resolve();
  #ping: NodeJS.Timeout | undefined;

  private constructor({ connection, logger }: NotificationOptions) {
    const address: ClientConfig = typeof connection === 'string' ? { connectionString: connection } : connection;
    const timeouts = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS, keepAlive: true };
    this.#config = { ...address, ...timeouts, application_name: 'quire notifications' };
    this.#logger = logger;
  }

  /** Rejects if the first connection fails; later ones are retried until `close`. */
  static async connect(options: NotificationOptions): Promise<PostgresNotifications> {
    const notifications = new PostgresNotifications(options);
    await notifications.#listen();
    notifications.#ping = setInterval(() => void notifications.#checkConnection(), PING_MS);
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
    clearInterval(this.#ping);
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

  async #checkConnection(): Promise<void> {
    const client = this.#client;
    try {
      await client?.query('select 1');
    } catch {
      // The unanswered statement makes this destroy the socket.
      void client?.end();
    }
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
