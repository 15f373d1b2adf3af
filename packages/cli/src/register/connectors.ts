/** `connectors`. */
import type { Connector } from '@quire/client';
import { Option, type Command } from 'commander';
import { addDefaultList } from './list.ts';
import { collectionOption, type Register } from './register.ts';

const commands = () => import('../commands/connectors.ts');

/** Does not compile without each kind of the API. */
const KINDS: Readonly<Record<Connector['kind'], true>> = {
  object_storage: true,
  web: true,
  cloud_drive: true,
  ftp: true,
};

export function addConnectors(connectors: Command, { withContext }: Register): void {
  addDefaultList(
    connectors,
    'list the connectors',
    withContext(async (context) => (await commands()).listConnectors(context)),
  );
  connectors
    .command('create <name>')
    .description('create a connector')
    .addOption(collectionOption())
    .addOption(new Option('--kind <kind>').choices(Object.keys(KINDS)).makeOptionMandatory())
    .requiredOption('--config <json>', 'fields of the kind')
    .option('--schedule <cron>', 'five fields, in UTC')
    .option('--include <glob...>', 'only files of these paths')
    .option('--exclude <glob...>', 'no files of these paths')
    .action(
      withContext(async (context, name: string, options: CreateFlags) => {
        const [{ createConnector }, { readJson }] = await Promise.all([commands(), import('../commands/search.ts')]);
        return createConnector(context, name, { ...options, config: readJson(options.config, '--config') });
      }),
    );
  connectors
    .command('test <id>')
    .description('connect to the source and show its first paths')
    .action(withContext(async (context, id: string) => (await commands()).testConnector(context, id)));
  connectors
    .command('sync <id>')
    .description('synchronise now and wait for the end')
    .option('--dry-run', 'only show the changes')
    .option('--full', 'ignore the known versions')
    .action(
      withContext(async (context, id: string, options: object) =>
        (await commands()).syncConnector(context, id, options),
      ),
    );
  connectors
    .command('cancel <id> <sync>')
    .description('end a running synchronisation')
    .action(withContext(async (context, id: string, sync: string) => (await commands()).cancelSync(context, id, sync)));
  connectors
    .command('approve <id> <sync>')
    .description('carry out the deletions that a synchronisation held back')
    .action(
      withContext(async (context, id: string, sync: string) => (await commands()).approveSync(context, id, sync)),
    );
  connectors
    .command('items <id>')
    .description('list the files of a source')
    .addOption(new Option('--status <status>').choices(['synced', 'failed', 'skipped', 'deleted']))
    .action(
      withContext(async (context, id: string, { status }: { status?: string }) =>
        (await commands()).listItems(context, id, status),
      ),
    );
  connectors
    .command('rm <id>')
    .description('delete a connector and keep its documents')
    .option('--documents', 'delete its documents as well')
    .action(
      withContext(async (context, id: string, options: object) =>
        (await commands()).deleteConnector(context, id, options),
      ),
    );
}

interface CreateFlags {
  collection?: string;
  kind: Connector['kind'];
  config: string;
  schedule?: string;
  include?: string[];
  exclude?: string[];
}
