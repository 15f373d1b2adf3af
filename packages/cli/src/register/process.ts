/** `process`, `extract`. */
import { Option, type Command } from 'commander';
import type { Register } from './register.ts';

const modelOption = (): Option => new Option('--model <id>', 'model configuration');

export function addProcess(command: Command, { withContext }: Register): void {
  command
    .addOption(new Option('--summary <length>', 'summarise in this length').choices(['short', 'medium', 'long']))
    .option('--taxonomy <file>', 'classify by this taxonomy (JSON list of labels)')
    .option('--schema <file>', 'extract by this JSON Schema')
    .option('--edit <file>', 'edit by these operations (JSON list)')
    .option('-o, --output <folder>', 'save the files of the run there, such as edited ones')
    .addOption(modelOption())
    .action(
      withContext(async (context, files: string[], options: object) =>
        (await import('../commands/process.ts')).processFiles(context, files, options),
      ),
    );
}

export function addExtract(command: Command, { withContext }: Register): void {
  command
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
