/** `export`, `import`, `mcp`, `doctor`, `serve`, `completion`. */
import { collectionOption, type Register } from './register.ts';

export function addOtherCommands({ io, program, globals, run, withContext }: Register): void {
  program
    .command('export')
    .description('write a collection (originals, metadata, settings) as one tar')
    .addOption(collectionOption())
    .option('-o, --output <file>', 'file to write to; else stdout')
    .action(
      withContext(async (context, { collection, output }: { collection?: string; output?: string }) =>
        (await import('../commands/transfer-archive.ts')).exportCollection(context, collection, output),
      ),
    );
  program
    .command('import <file>')
    .description('create a collection from an export, - for stdin')
    .option('--name <name>', 'name of the new collection')
    .action(
      withContext(async (context, file: string, options: object) =>
        (await import('../commands/transfer-archive.ts')).importCollection(context, file, options),
      ),
    );
  program
    .command('mcp')
    .description('serve MCP over stdio, for assistants that start a program')
    .action(withContext(async (context) => (await import('../commands/mcp.ts')).bridge(context)));
  program
    .command('doctor')
    .description('check the configuration, the service and the key')
    .action(run(async () => (await import('../commands/doctor.ts')).doctor(io, globals())));
  program
    .command('serve [arguments...]')
    .description('start the service, if @quire/server is installed')
    .allowUnknownOption()
    .action(run(async (args: string[]) => (await import('../commands/serve.ts')).serve(args)));
  program
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .action(
      run(async (shell: string) => {
        const { completionScript } = await import('../commands/completion.ts');
        io.stdout.write(completionScript(program, shell));
      }),
    );
}
