/** `quire collections`, `keys`, `config`, `webhooks`, `deliveries`: lists and single changes of resources. */
import { createWebhookSecret, type Embedder, type Listing, type Model, type Parser } from '@quire/client';
import { chosenCollection, type Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { columns, counted, printable } from '../output.ts';

/** Writes all records: as a table, or as JSON lines. */
export async function writeList<R>(
  { output }: Context,
  listing: Listing<R>,
  heads: readonly string[],
  row: (record: R) => readonly (string | number | null | undefined)[],
): Promise<void> {
  const rows: string[][] = [];
  for await (const record of listing) {
    if (output.isJson) output.record(record, '');
    else rows.push(row(record).map((cell) => printable(String(cell ?? '–'))));
  }
  if (output.isJson) return;
  if (rows.length === 0) output.note('There are none.');
  else output.text(`${columns([[...heads], ...rows], output.width)}\n`);
}

const PAGE = { limit: 100 };

export const listCollections = (context: Context): Promise<void> =>
  writeList(
    context,
    context.quire.collections.list({ ...PAGE, signal: context.signal }),
    ['ID', 'DOCUMENTS', 'CHUNKS', 'NAME'],
    ({ id, documentCounts: { ready, indexing, failed }, chunkCount, name }) => {
      const others = [...(indexing > 0 ? [`${indexing} indexing`] : []), ...(failed > 0 ? [`${failed} failed`] : [])];
      return [id, [`${ready} ready`, ...others].join(', '), chunkCount, name];
    },
  );

export async function createCollection({ quire, output, signal }: Context, name: string): Promise<void> {
  const collection = await quire.collections.create({ name }, { signal });
  output.record(collection, `Created ${printable(name)}: ${collection.id}`);
}

export async function deleteCollection(context: Context, name: string, purge: boolean): Promise<void> {
  const { id } = await chosenCollection(context, name);
  const deleted = await context.quire.collections.delete(id, { ...(purge ? { purge } : {}), signal: context.signal });
  context.output.record(deleted, `Deleted ${printable(deleted.name)}.`);
}

export const listKeys = (context: Context): Promise<void> =>
  writeList(
    context,
    context.quire.keys.list({ ...PAGE, signal: context.signal }),
    ['ID', 'PERMISSION', 'LAST USED', 'NAME'],
    ({ id, permission, expiresAt, lastUsedAt, name }) => [
      id,
      permission,
      dateOf(lastUsedAt),
      expiresAt === null ? name : `${name} (until ${dateOf(expiresAt)})`,
    ],
  );

/** Returns the day of a time. */
const dateOf = (time: string | null): string | null => time?.slice(0, 10) ?? null;

export interface KeyOptions {
  permission: 'read' | 'write' | 'admin';
  collection?: string[];
  expires?: string;
}

/** Writes the secret to stdout and everything else to stderr, so that a script can keep it. */
export async function createKey(context: Context, name: string, options: KeyOptions): Promise<void> {
  const { quire, output, signal } = context;
  const { permission, collection = [], expires } = options;
  const collectionIds = await Promise.all(collection.map(async (each) => (await chosenCollection(context, each)).id));
  const body = {
    name,
    permission,
    ...(collectionIds.length === 0 ? {} : { collectionIds }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  };
  const key = await quire.keys.create(body, { signal });
  output.note(`Created the ${permission} key ${key.id}. It is shown only once.`);
  output.record(key, key.key);
}

export async function revokeKey({ quire, output, signal }: Context, id: string): Promise<void> {
  output.record(await quire.keys.revoke(id, { signal }), `Revoked ${id}.`);
}

export type ConfigurationKind = 'models' | 'embedders' | 'parsers';

export function configurationKind(text: string): ConfigurationKind {
  if (text === 'models' || text === 'embedders' || text === 'parsers') return text;
  throw new CommandError(`${text} is not one of models, embedders, parsers`, { exitCode: EXIT.usage });
}

export const listConfigurations = (context: Context, kind: ConfigurationKind): Promise<void> =>
  writeList<Model | Embedder | Parser>(
    context,
    context.quire[kind].list({ ...PAGE, signal: context.signal }),
    ['ID', 'DEFAULT', 'PROVIDER', 'MODEL', 'NAME'],
    ({ id, isDefault, config, name }) => [
      id,
      isDefault ? 'yes' : 'no',
      config.provider,
      'model' in config ? config.model : null,
      name,
    ],
  );

export async function testConfiguration(context: Context, kind: ConfigurationKind, id: string): Promise<void> {
  const test = await context.quire[kind].test(id, { signal: context.signal });
  context.output.record(test, `${test.ok ? 'ok' : 'failed'} in ${test.latencyMs} ms: ${test.message}`);
  if (!test.ok) throw new CommandError('the test failed');
}

export async function createConfiguration(
  { quire, output, signal }: Context,
  kind: ConfigurationKind,
  name: string,
  config: Record<string, unknown>,
): Promise<void> {
  // The service validates the fields of the provider and names each fault.
  const { body } = await quire.raw<{ data: { id: string } }>({
    method: 'POST',
    path: `/v1/w/{ws}/config/${kind}`,
    json: { name, config },
    signal,
  });
  output.record(body.data, `Created ${printable(name)}: ${body.data.id}`);
}

export const listWebhooks = (context: Context): Promise<void> =>
  writeList(
    context,
    context.quire.webhooks.list({ ...PAGE, signal: context.signal }),
    ['ID', 'STATUS', 'LAST', 'URL', 'EVENTS'],
    ({ id, status, lastStatusCode, events, url }) => [id, status, lastStatusCode, url, events.join(',')],
  );

export interface WebhookOptions {
  url: string;
  event: string[];
  secret?: string;
}

/** Creates a webhook. A secret that the command makes is shown once. */
export async function createWebhook(context: Context, name: string, options: WebhookOptions): Promise<void> {
  const { quire, output, signal } = context;
  const { url, event, secret } = options;
  const signingSecret = secret ?? createWebhookSecret();
  const body = { name, url, events: event as 'document.ready'[], signingSecret };
  const webhook = await quire.webhooks.create(body, { signal });
  if (secret === undefined) output.note(`Signing secret, shown only once: ${signingSecret}`);
  output.record(webhook, `Created ${printable(name)}: ${webhook.id}`);
}

export async function deleteWebhook({ quire, output, signal }: Context, id: string): Promise<void> {
  output.record(await quire.webhooks.delete(id, { signal }), `Deleted ${id}.`);
}

/** Sends a test event and writes how the receiver answered. */
export async function testWebhook({ quire, output, signal }: Context, id: string): Promise<void> {
  const delivery = await quire.webhooks.test(id, { signal });
  const { status, statusCode, error } = delivery;
  output.record(delivery, `${status}: ${statusCode === null ? (error ?? 'no answer yet') : `answered ${statusCode}`}`);
  if (status === 'failed')
    throw new CommandError('the test failed', { next: `See \`quire deliveries\`: ${delivery.id}` });
}

export const listDeliveries = (context: Context, status: string | undefined): Promise<void> =>
  writeList(
    context,
    context.quire.deliveries.list({
      ...PAGE,
      ...(status === undefined ? {} : { status: status as 'failed' }),
      signal: context.signal,
    }),
    ['ID', 'STATUS', 'ATTEMPTS', 'EVENT'],
    ({ id, status: state, attempts, event }) => [
      id,
      state,
      Array.isArray(attempts) ? attempts.length : attempts,
      event,
    ],
  );

export async function redeliver(
  { quire, output, signal }: Context,
  id: string | undefined,
  failed: boolean,
): Promise<void> {
  if (failed === (id !== undefined))
    throw new CommandError('name a delivery, or pass --failed for all failed ones', {
      exitCode: EXIT.usage,
      next: 'List them with `quire deliveries`.',
    });
  if (id === undefined) {
    const { redelivered } = await quire.deliveries.redeliverFailed({}, { signal });
    output.record({ redelivered }, `Queued ${counted(redelivered, 'delivery', 'deliveries')} again.`);
    return;
  }
  output.record(await quire.deliveries.redeliver(id, { signal }), `Queued ${id} again.`);
}
