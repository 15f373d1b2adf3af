import type { Kysely, Transaction } from 'kysely';
import type { Database } from './tables.ts';

/** The one channel of NOTIFY; the topic is the payload. For statements that publish by themselves. */
export const NOTIFICATION_CHANNEL = 'quire';

/**
 * Tells other processes that something changed: a topic such as `document:<id>`, nothing more. Delivery follows the
 * commit of the publishing transaction; a lost connection may lose some, so listeners also look now and then.
 */
export interface Notifications {
  publish(transaction: Transaction<Database> | Kysely<Database>, topic: string): Promise<void>;
  /** Calls `listener` on every publication of the topic, from any process; returns the unsubscribe function. */
  subscribe(topic: string, listener: () => void): () => void;
  close(): Promise<void>;
}
