/** `quire connectors`: sources that are kept in step with a collection. */
import type { Connector, ConnectorSync } from '@quire/client';
import { chosenCollection, type Context } from '../context.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { columns, printable } from '../output.ts';
import { writeList } from './resources.ts';

export interface ConnectorOptions {
  collection?: string;
  kind: Connector['kind'];
  config: Record<string, unknown>;
  schedule?: string;
  include?: string[];
  exclude?: string[];
}

/** Maximum time in seconds that one request waits for the end of a synchronisation, and the first one. */
const WAIT_SECONDS = 10;
const FIRST_WAIT_SECONDS = 3;
const PAGE_SIZE = 100;

export const listConnectors = ({ quire, ...context }: Context): Promise<void> =>
  writeList(
    { quire, ...context },
    quire.connectors.list({ limit: PAGE_SIZE, signal: context.signal }),
    ['ID', 'STATUS', 'SYNCED', 'FAILED', 'NAME', 'KIND'],
    ({ id, status, itemCounts: { synced, failed }, kind, name }) => [id, status, synced, failed, name, kind],
  );

export async function createConnector(context: Context, name: string, options: ConnectorOptions): Promise<void> {
  const { collection, ...fields } = options;
  const { id } = await chosenCollection(context, collection);
  const body = { name, collectionId: id, ...fields };
  const connector = await context.quire.connectors.create(body, { signal: context.signal });
  context.output.record(connector, `Created ${printable(name)}: ${connector.id}`);
}

export async function testConnector({ quire, output, signal }: Context, id: string): Promise<void> {
  const test = await quire.connectors.test(id, { signal });
  const sample = test.sample.map((path) => `  ${printable(path)}`).join('\n');
  output.record(test, `${test.ok ? 'ok' : 'failed'} in ${test.latencyMs} ms: ${test.message}\n${sample}`.trimEnd());
  if (!test.ok) throw new CommandError('the test failed');
}

/** Starts a synchronisation and waits for its end. Ctrl-C leaves it running. */
export async function syncConnector(
  context: Context,
  id: string,
  { dryRun, full }: { dryRun?: boolean; full?: boolean },
): Promise<ExitCode> {
  const { quire, output, signal } = context;
  const query = { ...(dryRun === true ? { dryRun } : {}), ...(full === true ? { full } : {}) };
  let sync = await quire.connectors.sync(id, { ...query, signal });
  const ended = new AbortController();
  const progress = output.isInteractive ? showProgress(context, sync.id, ended.signal) : Promise.resolve();
  try {
    for (let wait = FIRST_WAIT_SECONDS; sync.status === 'running'; wait = WAIT_SECONDS) {
      const next = await quire.connectors.getSync(id, sync.id, { wait, signal });
      if (next.error !== null && next.nextTryAt !== null && next.nextTryAt !== sync.nextTryAt) {
        output.note(`${printable(next.error.message)}. The next try is at ${next.nextTryAt}.`);
      }
      sync = next;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    const next = `It is shown by \`quire connectors ls\`; end it with \`quire connectors cancel ${id} ${sync.id}\`.`;
    throw new CommandError('Interrupted. The synchronisation goes on.', { exitCode: EXIT.interrupted, next });
  } finally {
    ended.abort();
    await progress;
  }
  output.record(sync, report(sync, output.width));
  if (sync.status === 'held') {
    output.note(`Deletions wait for approval: quire connectors approve ${id} ${sync.id}`);
  }
  if (sync.status === 'done') return EXIT.ok;
  return sync.status === 'done_with_errors' || sync.status === 'held' ? EXIT.partial : EXIT.failed;
}

/** Shows the counters of a synchronisation as live events report them. */
async function showProgress({ quire, output, signal }: Context, syncId: string, ended: AbortSignal): Promise<void> {
  try {
    for await (const { type, data } of quire.events({ signal: AbortSignal.any([signal, ended]) })) {
      if (type !== 'sync' || data.id !== syncId || !data.state || ended.aborted) continue;
      const { phase, counts, progress } = data.state as unknown as ConnectorSync;
      const fetched = progress.toFetch === 0 ? '' : `, ${progress.fetched} of ${progress.toFetch} fetched`;
      output.progress(`${phase ?? 'ending'}: ${counts.listed} listed${fetched}`);
    }
  } catch (error) {
    if (!ended.aborted && !signal.aborted) output.note(`No progress is shown: ${String(error)}`);
  }
}

function report({ status, counts, changes, warnings, error }: ConnectorSync, width: number): string {
  const total = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  const rows = changes.map(({ change, path, reason }) => [change, `${printable(path)} ${reason ?? ''}`.trimEnd()]);
  const lines = [`${status}: ${total.join(', ')}`];
  if (error !== null) lines.push(`${error.type}: ${printable(error.message)}`);
  for (const { message } of warnings) lines.push(`warning: ${printable(message)}`);
  if (rows.length > 0) lines.push(columns(rows, width));
  return lines.join('\n');
}

export async function cancelSync({ quire, output, signal }: Context, id: string, syncId: string): Promise<void> {
  const sync = await quire.connectors.cancelSync(id, syncId, { signal });
  output.record(sync, `Cancelled the synchronisation ${syncId}.`);
}

export async function approveSync({ quire, output, signal }: Context, id: string, syncId: string): Promise<void> {
  const sync = await quire.connectors.approveSync(id, syncId, { signal });
  output.record(sync, `Approved the deletions of ${syncId}.`);
}

export const listItems = (context: Context, id: string, status: string | undefined): Promise<void> =>
  writeList(
    context,
    context.quire.connectors.items(id, {
      limit: PAGE_SIZE,
      ...(status === undefined ? {} : { status: status as 'failed' }),
      signal: context.signal,
    }),
    ['STATUS', 'ERROR', 'PATH'],
    ({ status: state, error, path }) => [state, error?.type, path],
  );

export async function deleteConnector(
  { quire, output, signal }: Context,
  id: string,
  { documents }: { documents?: boolean },
): Promise<void> {
  const query = documents === true ? { documents: 'delete' as const } : {};
  const connector = await quire.connectors.delete(id, { ...query, signal });
  output.record(connector, `Deleted ${printable(connector.name)}.`);
}
