/**
 * Notifications over PostgreSQL's LISTEN and NOTIFY: one connection a process, one channel, the topic as payload. When
 * the connection was lost, publications may have been too, so every listener is called once after the reconnect.
 */
import { sql } from 'kysely';
import { Client, type ClientConfig } from 'pg';
import type { Logger } from '../logger.ts';
import { pause } from '@quire/shared/pause';
import type { ServerConnection } from './embedded-postgres.ts';
import { NOTIFICATION_CHANNEL, type Notifications } from './notifications.ts';
import type { Executor } from './transaction.ts';

const firstRetryMs = 50;
const longestRetryMs = 5000;
/** A connection that went silent without a close (a router that forgot it) is noticed after at most the two together. */
const pingMs = 15_000;
const answerMs = 10_000;

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
    const timeouts = { connectionTimeoutMillis: answerMs, query_timeout: answerMs, keepAlive: true };
    this.#config = { ...address, ...timeouts, application_name: 'quire notifications' };
    this.#logger = logger;
  }

  /** Rejects when the first connection fails; later ones are tried again until `close`. */
  static async connect(options: NotificationOptions): Promise<PostgresNotifications> {
    const notifications = new PostgresNotifications(options);
    await notifications.#listen();
    notifications.#ping = setInterval(() => void notifications.#checkConnection(), pingMs);
    return notifications;
  }

  async publish(transaction: Executor, topic: string): Promise<void> {
    await sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${topic})`.execute(transaction);
  }

  subscribe(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    // An own function, so that one listener subscribed twice is called twice and unsubscribed once.
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
    client.on('notification', ({ payload }) => this.#call(this.#listeners.get(payload ?? '') ?? []));
    client.on('error', (error) => this.#logger.warn({ err: error }, 'the notification connection broke'));
    try {
      await client.connect();
      await client.query(`listen ${NOTIFICATION_CHANNEL}`);
    } catch (error) {
      await client.end();
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
    for (let waitMs = firstRetryMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        await this.#listen();
        for (const listeners of this.#listeners.values()) this.#call(listeners);
        return;
      } catch (error) {
        this.#logger.warn({ err: error }, 'cannot listen for notifications; trying again');
        // Spread over half to all of the time, so that many processes do not come back in one moment.
        await pause(waitMs * (0.5 + Math.random() / 2), [signal]);
      }
    }
  }

  async #checkConnection(): Promise<void> {
    const client = this.#client;
    try {
      await client?.query('select 1');
    } catch {
      await client?.end();
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
