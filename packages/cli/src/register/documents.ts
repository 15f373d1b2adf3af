/** `add`, `ls`, `show`, `rm`, `retry`. */
import { Option, type Command } from 'commander';
import { collectionOption, collectMetadata, integer, type Register } from './register.ts';

export function addAdd(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .addOption(
      new Option('--meta <key=value...>', 'metadata of each document').argParser(collectMetadata).default({}, 'none'),
    )
    .option('--parallel <n>', 'number of files sent at once', integer(1, 32), 4)
    .option('--no-wait', 'do not wait until the documents are searchable')
    .option('--watch', 'keep running and send changes')
    .option('--delete', 'delete documents whose file is gone from the paths')
    .action(
      withContext(async (context, paths: string[], options: AddFlags) =>
        (await import('../commands/add/add.ts')).add(context, paths, options),
      ),
    );
}

export function addList(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .addOption(new Option('--status <status>').choices(['indexing', 'ready', 'failed', 'deleted']))
    .option('--name <text>', 'part of the name')
    .option('-n, --limit <n>', 'maximum number', integer(1, 1_000_000), 50)
    .action(
      withContext(async (context, options: ListFlags) =>
        (await import('../commands/documents.ts')).listDocuments(context, options),
      ),
    );
}

const ASPECTS = ['markdown', 'blocks', 'chunks', 'original', 'page'];

/** Returns an option of what to show, which excludes the others. */
const aspect = (flags: string, description: string): Option => {
  const option = new Option(flags, description);
  return option.conflicts(ASPECTS.filter((each) => each !== option.attributeName()));
};

export function addShow(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .addOption(aspect('--markdown', 'its text as Markdown'))
    .addOption(aspect('--blocks', 'its block tree'))
    .addOption(aspect('--chunks', 'its chunks'))
    .addOption(aspect('--original', 'its original file (with -o)'))
    .addOption(aspect('--page <n>', 'the picture of a page (with -o)').argParser(integer(1, 1_000_000)))
    .option('-o, --output <file>', 'file to write to, - for stdout')
    .action(
      withContext(async (context, reference: string, options: object) =>
        (await import('../commands/documents.ts')).showDocument(context, reference, options),
      ),
    );
}

export function addRemove(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .option('--purge', 'erase them permanently')
    .action(
      withContext(async (context, references: string[], options: object) =>
        (await import('../commands/documents.ts')).removeDocuments(context, references, options),
      ),
    );
}

export function addRetry(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .option('--failed', 'all failed documents of the collection')
    .action(
      withContext(async (context, references: string[], options: object) =>
        (await import('../commands/documents.ts')).retryDocuments(context, references, options),
      ),
    );
}

interface AddFlags {
  collection?: string;
  meta: Record<string, unknown>;
  parallel: number;
  wait: boolean;
  watch?: boolean;
  delete?: boolean;
}
interface ListFlags {
  collection?: string;
  status?: 'indexing' | 'ready' | 'failed' | 'deleted';
  name?: string;
  limit: number;
}
