/** `collections`, `keys`, `config`, `webhooks`, `deliveries`. */
import { Option, type Command } from 'commander';
import { addDefaultList } from './list.ts';
import { integer, type Register } from './register.ts';

/** Events that webhooks deliver. */
const EVENTS = ['process.completed', 'document.ready', 'document.failed', 'connector.synced'];

const resources = () => import('../commands/resources.ts');

export function addCollections(collections: Command, { withContext }: Register): void {
  addDefaultList(
    collections,
    'list the collections',
    withContext(async (context) => (await resources()).listCollections(context)),
  );
  collections
    .command('create <name>')
    .description('create a collection')
    .action(withContext(async (context, name: string) => (await resources()).createCollection(context, name)));
  collections
    .command('rm <name>')
    .description('delete a collection')
    .option('--purge', 'erase it permanently')
    .action(
      withContext(async (context, name: string, { purge }: { purge?: boolean }) =>
        (await resources()).deleteCollection(context, name, purge === true),
      ),
    );
}

export function addKeys(keys: Command, { withContext }: Register): void {
  addDefaultList(
    keys,
    'list the keys',
    withContext(async (context) => (await resources()).listKeys(context)),
  );
  keys
    .command('create <name>')
    .description('create a key and write its secret to stdout')
    .addOption(new Option('--permission <permission>').choices(['read', 'write', 'admin']).default('read'))
    .option('-c, --collection <name...>', 'limit the key to these collections')
    .option('--expires <time>', 'time of expiry (ISO 8601)')
    .action(
      withContext(async (context, name: string, options: { permission: 'read' | 'write' | 'admin' }) =>
        (await resources()).createKey(context, name, options),
      ),
    );
  keys
    .command('revoke <id>')
    .description('revoke a key')
    .action(withContext(async (context, id: string) => (await resources()).revokeKey(context, id)));
}

export function addConfigurations(config: Command, { withContext }: Register): void {
  config
    .command('ls <kind>')
    .alias('list')
    .description('list configurations of a kind: models, embedders or parsers')
    .action(
      withContext(async (context, kind: string) => {
        const { configurationKind, listConfigurations } = await resources();
        return listConfigurations(context, configurationKind(kind));
      }),
    );
  config
    .command('create <kind> <name>')
    .description('create a configuration')
    .requiredOption('--config <json>', 'provider and its fields')
    .action(
      withContext(async (context, kind: string, name: string, { config: json }: { config: string }) => {
        const [{ configurationKind, createConfiguration }, { readJson }] = await Promise.all([
          resources(),
          import('../commands/search.ts'),
        ]);
        return createConfiguration(context, configurationKind(kind), name, readJson(json, '--config'));
      }),
    );
  config
    .command('test <kind> <id>')
    .description('make one small call with a configuration')
    .action(
      withContext(async (context, kind: string, id: string) => {
        const { configurationKind, testConfiguration } = await resources();
        return testConfiguration(context, configurationKind(kind), id);
      }),
    );
}

export function addWebhooks(webhooks: Command, { io, globals, run, withContext }: Register): void {
  addDefaultList(
    webhooks,
    'list the webhooks',
    withContext(async (context) => (await resources()).listWebhooks(context)),
  );
  webhooks
    .command('create <name>')
    .description('create a webhook')
    .requiredOption('--url <url>', 'address that receives the deliveries')
    .addOption(new Option('--event <event...>', 'events to deliver').choices(EVENTS).makeOptionMandatory())
    .option('--secret <secret>', 'signing secret; else a new one is made and shown')
    .action(
      withContext(async (context, name: string, options: { url: string; event: string[] }) =>
        (await resources()).createWebhook(context, name, options),
      ),
    );
  webhooks
    .command('rm <id>')
    .description('delete a webhook and stop its deliveries')
    .action(withContext(async (context, id: string) => (await resources()).deleteWebhook(context, id)));
  webhooks
    .command('test <id>')
    .description('send a test event')
    .action(withContext(async (context, id: string) => (await resources()).testWebhook(context, id)));
  webhooks
    .command('listen')
    .description('receive, verify and print deliveries on this machine')
    .option('--port <n>', 'port, 0 for a free one', integer(0, 65_535), 8_090)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--secret <secret>', 'signing secret of the webhook; else a new one is made and shown')
    .option('--tls-cert <file>', 'certificate (PEM), to receive from the service without a proxy')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .action(
      run(async (options: { port: number; host: string }) =>
        (await import('../commands/webhooks-listen.ts')).listen(io, { ...globals(), ...options }),
      ),
    );
}

export function addDeliveries(deliveries: Command, { withContext }: Register): void {
  addDefaultList(
    deliveries,
    'list the deliveries',
    withContext(async (context, { status }: { status?: string }) =>
      (await resources()).listDeliveries(context, status),
    ),
  ).addOption(new Option('--status <status>').choices(['pending', 'delivered', 'failed', 'cancelled']));
  deliveries
    .command('redeliver [id]')
    .description('send a delivery again')
    .option('--failed', 'all failed deliveries')
    .action(
      withContext(async (context, id: string | undefined, { failed }: { failed?: boolean }) =>
        (await resources()).redeliver(context, id, failed === true),
      ),
    );
}
