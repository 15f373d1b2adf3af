import type { Kysely, Transaction } from 'kysely';
import type { Database } from './tables.ts';

/** The channel of NOTIFY for topics; the topic is the payload. For statements that publish directly. */
export const NOTIFICATION_CHANNEL = 'quire';
/** The channel, and the topic to subscribe to, on which graphile-worker's functions announce new jobs. */
export const JOBS_CHANNEL = 'jobs:insert';

/**
 * Informs other processes of a change: a topic such as `document:<id>`, without content. Delivery follows the commit of
 * the publishing transaction. A broken connection may lose notifications, so listeners must also poll.
 */
export interface Notifications {
  publish(transaction: Transaction<Database> | Kysely<Database>, topic: string): Promise<void>;
  /** Calls `listener` on every publication of the topic, from any process; returns the unsubscribe function. */
  subscribe(topic: string, listener: () => void): () => void;
  close(): Promise<void>;
}
