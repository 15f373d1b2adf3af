/** `add`, `ls`, `show`, `rm`, `retry`. */
import { Option } from 'commander';
import { collectionOption, collectMetadata, integer, type Register } from './register.ts';

export function addDocumentCommands({ program, withContext }: Register): void {
  program
    .command('add <path...>')
    .description('add files and folders to a collection; run it again to continue or to send changes')
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
  program
    .command('ls')
    .description('list documents, newest first')
    .addOption(collectionOption())
    .addOption(new Option('--status <status>').choices(['indexing', 'ready', 'failed', 'deleted']))
    .option('--name <text>', 'part of the name')
    .option('-n, --limit <n>', 'maximum number', integer(1, 1_000_000), 50)
    .action(
      withContext(async (context, options: ListFlags) =>
        (await import('../commands/documents.ts')).listDocuments(context, options),
      ),
    );
  program
    .command('show <document>')
    .description('show a document by id, or by name in its collection')
    .addOption(collectionOption())
    .option('--markdown', 'its text as Markdown')
    .option('--blocks', 'its block tree')
    .option('--chunks', 'its chunks')
    .option('--original', 'its original file (with -o)')
    .option('--page <n>', 'the picture of a page (with -o)', integer(1, 1_000_000))
    .option('-o, --output <file>', 'file to write to, - for stdout')
    .action(
      withContext(async (context, reference: string, options: object) =>
        (await import('../commands/documents.ts')).showDocument(context, reference, options),
      ),
    );
  program
    .command('rm <document...>')
    .description('delete documents')
    .addOption(collectionOption())
    .option('--purge', 'erase them permanently')
    .action(
      withContext(async (context, references: string[], options: object) =>
        (await import('../commands/documents.ts')).removeDocuments(context, references, options),
      ),
    );
  program
    .command('retry [document...]')
    .description('process failed documents again')
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
