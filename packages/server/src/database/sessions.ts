/** Whether a connection keeps its session on the server, as PgBouncer does in session mode only. */
import { Client, type ClientConfig } from 'pg';
import { pause } from '@quire/shared/pause';
import { newId } from '../shared/uuid.ts';
import { announcedBackend } from './backend-pid.ts';

/** Time in which a notification must arrive, in ms; it takes about one. */
const ARRIVAL_MS = 5_000;
const ANSWER_MS = 10_000;

/**
 * Behind a pooler that shares sessions between transactions, a notification goes to the session that once listened and
 * not to the client: locks of sessions, their parameters and prepared statements get lost in the same way.
 */
export async function keepsSessions(address: ClientConfig): Promise<boolean> {
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  return withClient({ ...address, ...limits, application_name: 'quire session check' }, async (listener, config) => {
    const { rows } = await listener.query<{ pid: number }>('select pg_backend_pid() as pid');
    // Connected directly.
    if (rows[0]?.pid === announcedBackend(listener)) return true;
    const channel = `quire ${newId()}`;
    const arrived = new AbortController();
    listener.on('notification', () => arrived.abort());
    await listener.query(`listen "${channel}"`);
    // The listener must stay silent: its next statement may meet the session that listens.
    await withClient(config, (sender) => sender.query('select pg_notify($1, $2)', [channel, '']));
    await pause(ARRIVAL_MS, [arrived.signal]);
    return arrived.signal.aborted;
  });
}

async function withClient<T>(
  config: ClientConfig,
  work: (client: Client, config: ClientConfig) => Promise<T>,
): Promise<T> {
  const client = new Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client, config);
  } finally {
    // Not awaited: the server may never answer.
    void client.end();
  }
}
