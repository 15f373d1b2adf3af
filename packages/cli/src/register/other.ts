/** `export`, `import`, `mcp`, `doctor`, `serve`, `completion`. */
import type { Command } from 'commander';
import { collectionOption, type Register } from './register.ts';

export function addExport(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .option('-o, --output <file>', 'file to write to; else stdout')
    .action(
      withContext(async (context, { collection, output }: { collection?: string; output?: string }) =>
        (await import('../commands/transfer-archive.ts')).exportCollection(context, collection, output),
      ),
    );
}

export function addImport(command: Command, { withContext }: Register): void {
  command
    .option('--name <name>', 'name of the new collection')
    .action(
      withContext(async (context, file: string, options: object) =>
        (await import('../commands/transfer-archive.ts')).importCollection(context, file, options),
      ),
    );
}

export function addMcp(command: Command, { withContext }: Register): void {
  command.action(withContext(async (context) => (await import('../commands/mcp.ts')).bridge(context)));
}

export function addDoctor(command: Command, { io, globals, run }: Register): void {
  command.action(run(async () => (await import('../commands/doctor.ts')).doctor(io, globals())));
}

export function addServe(command: Command, { run }: Register): void {
  command
    .allowUnknownOption()
    .action(run(async (args: string[]) => (await import('../commands/serve.ts')).serve(args)));
}

export function addCompletion(command: Command, { io, run, loadAll }: Register): void {
  command.action(
    run(async (shell: string) => {
      const { completionScript } = await import('../commands/completion.ts');
      io.stdout.write(completionScript(await loadAll(), shell));
    }),
  );
}
