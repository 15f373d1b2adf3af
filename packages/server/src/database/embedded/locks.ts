/** The advisory locks of the processes on one data directory. */
import { errorCode } from '@quire/shared/error-code';
import type { Client } from 'pg';

/** "quire" in ASCII: the advisory lock of the process that stops the server in the end. */
export const KEEPER_LOCK = '487301149285';
/** The advisory lock of the one service on the data directory. */
export const SERVICE_LOCK = '487301149286';
/** Name of a keeper's connection, followed by the process id. */
export const KEEPER_NAME = 'quire keeper';

/** Waits up to `waitMs`, because the server needs some milliseconds to notice that the last holder was killed. */
export async function takeLock(client: Client, lock: string, waitMs: number): Promise<boolean> {
  try {
    await client.query(`set lock_timeout = ${waitMs}`);
    await client.query(`select pg_advisory_lock(${lock})`);
    return true;
  } catch (error) {
    if (errorCode(error) === '55P03') return false;
    throw error;
  }
}

/** Describes the process that holds the service lock. */
export async function describeHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select activity.application_name as name from pg_locks join pg_stat_activity as activity using (pid)
     where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = $1`,
    [SERVICE_LOCK],
  );
  const [name = '', pid = ''] = rows[0]?.name.split(`${KEEPER_NAME} `) ?? [];
  return name !== '' || !/^\d+$/.test(pid) ? 'Another Quire service' : `Another Quire service (process ${pid})`;
}
