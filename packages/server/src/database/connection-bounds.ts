import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** A limit of PostgreSQL on the number of connections. */
export interface ConnectionBound {
  name: string;
  /** Number of connections that the limit permits to this account. */
  allowed: number;
  /** Number of connections that the limit counts and reserves for others. */
  reserved: number;
  /** Number of open connections under the limit that are not of a process of this service. */
  others: number;
}

/** Returns the limits of the server, of the database and of the account; those that are not set are left out. */
export async function readConnectionBounds(db: Kysely<Database>): Promise<ConnectionBound[]> {
  const { rows } = await sql<ConnectionBound>`
    with clients as (
      select datname, usename from pg_stat_activity
      where datname is not null and coalesce(backend_type, 'client backend') = 'client backend'
        and not (datname = current_database() and application_name like 'quire%')
    ), bounds (name, permitted, reserved, others) as (
      select 'max_connections of PostgreSQL', current_setting('max_connections')::int,
        current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true)::int, 0),
        (select count(*) from clients)
      union all
      select 'the connection limit of the database', datconnlimit, 0,
        (select count(*) from clients where datname = current_database())
      from pg_database where datname = current_database()
      union all
      select 'the connection limit of the account', rolconnlimit, 0,
        (select count(*) from clients where usename = current_user)
      from pg_roles where rolname = current_user
    )
    select name, permitted - reserved as allowed, reserved, others::int from bounds
    where permitted >= 0`.execute(db);
  return rows;
}
