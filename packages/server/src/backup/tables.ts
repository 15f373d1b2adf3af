/** The tables of a backup, and their rows as PostgreSQL's COPY writes and reads them. */
import type { ClientBase } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Readable } from 'node:stream';

export interface TableList {
  /** Qualified and quoted, in an order in which every table comes after those that it refers to. */
  name: string;
  columns: string[];
}

/** Tables that belong to running processes or to the migrations, not to the data. */
const EXCLUDED = [
  'public.schema_migrations',
  'public.instances',
  'public.changes',
  'public.removed_chunks',
  'public.index_feed',
  'public.rate_budgets',
  'public.call_slots',
  'public.database_epoch',
  'graphile_worker.migrations',
];
/** Rows are written in entries of about this size, because tar needs the size of an entry before its content. */
const PART_BYTES = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;

interface Column {
  table: string;
  column: string;
}

interface Reference {
  table: string;
  target: string;
}

export async function listTables(client: ClientBase): Promise<TableList[]> {
  const { rows: columns } = await client.query<Column>(
    `select format('%I.%I', n.nspname, c.relname) as table, quote_ident(a.attname) as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and n.nspname in ('public', 'graphile_worker') and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '' and format('%I.%I', n.nspname, c.relname) <> all($1)
     order by 1, a.attnum`,
    [EXCLUDED],
  );
  const { rows: references } = await client.query<Reference>(
    `select format('%I.%I', n.nspname, c.relname) as table, format('%I.%I', tn.nspname, t.relname) as target
     from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
     join pg_class t on t.oid = f.confrelid join pg_namespace tn on tn.oid = t.relnamespace
     where f.contype = 'f' and f.conrelid <> f.confrelid`,
  );
  const byTable = new Map<string, string[]>();
  for (const { table, column } of columns) byTable.set(table, [...(byTable.get(table) ?? []), column]);
  return inOrder([...byTable.keys()], references).map((name) => ({ name, columns: byTable.get(name) ?? [] }));
}

function inOrder(tables: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  const open = new Set<string>();
  const visit = (table: string): void => {
    if (ordered.includes(table)) return;
    if (open.has(table)) throw new Error(`The foreign keys of ${table} form a circle`);
    open.add(table);
    for (const reference of references) if (reference.table === table) visit(reference.target);
    ordered.push(table);
  };
  for (const table of tables) visit(table);
  return ordered.filter((table) => tables.includes(table));
}

/** Reads all rows of the table, in parts that end with a row. */
export async function* readRows(client: ClientBase, { name, columns }: TableList): AsyncGenerator<Buffer> {
  const rows = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`));
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    parts.push(chunk);
    bytes += chunk.length;
    // A line feed within a value is escaped, so each one ends a row.
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (bytes < PART_BYTES || end === 0) continue;
    const whole = Buffer.concat(parts);
    const cut = bytes - chunk.length + end;
    yield whole.subarray(0, cut);
    parts = [whole.subarray(cut)];
    bytes -= cut;
  }
  if (bytes > 0) yield Buffer.concat(parts);
}

export async function writeRows(client: ClientBase, table: TableList, content: Readable): Promise<void> {
  const sink = client.query(copyFrom(`copy ${table.name} (${table.columns.join(', ')}) from stdin`));
  try {
    for await (const bytes of content as AsyncIterable<Buffer>) {
      if (!sink.write(bytes)) await once(sink, 'drain');
    }
    sink.end();
    await finished(sink);
  } catch (error) {
    // The connection accepts no other statement until the copy is ended. PostgreSQL reports the abort as an error.
    if (!sink.destroyed) sink.destroy(new Error('the backup could not be read'));
    await finished(sink).catch(() => undefined);
    throw error;
  }
}

export async function countRows(client: ClientBase, { name }: TableList): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${name}`);
  return Number(rows[0]?.count ?? 0);
}

/** Sets the counters behind identity and serial columns beyond the restored rows. */
export async function advanceSequences(client: ClientBase, tables: readonly TableList[]): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns) {
      const { rows } = await client.query<{ sequence: string | null }>(
        `select pg_get_serial_sequence($1, $2) as sequence`,
        [name, column.replace(/^"(.*)"$/, '$1')],
      );
      const sequence = rows[0]?.sequence;
      if (sequence === undefined || sequence === null) continue;
      await client.query(`select setval($1, coalesce(max(${column}), 0) + 1, false) from ${name}`, [sequence]);
    }
  }
}
