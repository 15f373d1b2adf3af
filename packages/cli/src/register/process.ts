/** `process`, `extract`. */
import { Option } from 'commander';
import type { Register } from './register.ts';

export function addProcessCommands({ program, withContext }: Register): void {
  const modelOption = (): Option => new Option('--model <id>', 'model configuration');
  program
    .command('process <file...>')
    .description('parse files and, by option, summarise, classify, extract or edit them')
    .addOption(new Option('--summary <length>').choices(['short', 'medium', 'long']))
    .option('--taxonomy <file>', 'classify by this taxonomy (JSON)')
    .option('--schema <file>', 'extract by this JSON Schema')
    .option('--edit <file>', 'edit by these operations (JSON)')
    .addOption(modelOption())
    .action(
      withContext(async (context, files: string[], options: object) =>
        (await import('../commands/process.ts')).processFiles(context, files, options),
      ),
    );
  program
    .command('extract <file...>')
    .description('extract JSON by a schema')
    .requiredOption('--schema <file>', 'JSON Schema of the data')
    .option('--instructions <text>', 'instructions to the model')
    .option('--evidence', 'also write where each value is from')
    .addOption(modelOption())
    .action(
      withContext(async (context, files: string[], options: { schema: string; evidence?: boolean }) =>
        (await import('../commands/process.ts')).extract(context, files, options),
      ),
    );
}
