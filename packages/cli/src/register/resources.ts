/** `collections`, `keys`, `config`, `webhooks`, `deliveries`. */
import { Option } from 'commander';
import { integer, type Register } from './register.ts';

/** Events that webhooks deliver. */
const EVENTS = ['process.completed', 'document.ready', 'document.failed', 'connector.synced'];

const resources = () => import('../commands/resources.ts');

export function addResourceCommands(register: Register): void {
  addCollections(register);
  addKeys(register);
  addConfigurations(register);
  addWebhooks(register);
  addDeliveries(register);
}

function addCollections({ program, withContext }: Register): void {
  const collections = program.command('collections').description('list, create and delete collections');
  collections
    .command('ls', { isDefault: true })
    .description('list the collections')
    .action(withContext(async (context) => (await resources()).listCollections(context)));
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

function addKeys({ program, withContext }: Register): void {
  const keys = program.command('keys').description('list, create and revoke API keys');
  keys
    .command('ls', { isDefault: true })
    .description('list the keys')
    .action(withContext(async (context) => (await resources()).listKeys(context)));
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

function addConfigurations({ program, withContext }: Register): void {
  const config = program.command('config').description('list, create and test models, embedders and parsers');
  config
    .command('ls <kind>')
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

function addWebhooks({ io, program, globals, run, withContext }: Register): void {
  const webhooks = program.command('webhooks').description('list, create and test webhooks, or receive deliveries');
  webhooks
    .command('ls', { isDefault: true })
    .description('list the webhooks')
    .action(withContext(async (context) => (await resources()).listWebhooks(context)));
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
    .action(
      run(async (options: { port: number; host: string }) =>
        (await import('../commands/webhooks-listen.ts')).listen(io, { ...globals(), ...options }),
      ),
    );
}

function addDeliveries({ program, withContext }: Register): void {
  const deliveries = program.command('deliveries').description('list and repeat deliveries of webhooks');
  deliveries
    .command('ls', { isDefault: true })
    .description('list the deliveries')
    .option('--status <status>', 'such as failed')
    .action(
      withContext(async (context, { status }: { status?: string }) =>
        (await resources()).listDeliveries(context, status),
      ),
    );
  deliveries
    .command('redeliver <id>')
    .description('send a delivery again')
    .action(withContext(async (context, id: string) => (await resources()).redeliver(context, id)));
}
