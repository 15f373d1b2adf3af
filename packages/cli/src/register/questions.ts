/** `search`, `ask`, `eval`. */
import { Option, type Command } from 'commander';
import { collectionOption, fraction, integer, MODES, type Mode, type Register } from './register.ts';

const MAX_HITS = 100;

export function addSearch(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .addOption(new Option('--mode <mode>').choices(MODES).default('hybrid'))
    .option('-n, --limit <n>', 'number of hits', integer(1, MAX_HITS), 10)
    .option('--offset <n>', 'number of hits to leave out', integer(0, 1_000), 0)
    .option('--filter <json>', 'filter of document fields and metadata')
    .option('--min-score <score>', 'leave out weaker hits', fraction)
    .option('--explain', 'show rank and score in each list')
    .action(
      withContext(async (context, query: string, options: SearchFlags) => {
        const { readFilter, search } = await import('../commands/search.ts');
        const { filter, ...rest } = options;
        return search(context, query, { ...rest, ...(filter === undefined ? {} : { filter: readFilter(filter) }) });
      }),
    );
}

export function addAsk(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .option('--chat <id>', 'continue a chat')
    .option('--model <id>', 'model configuration')
    .option('--filter <json>', 'filter of document fields and metadata')
    .action(
      withContext(async (context, question: string | undefined, options: AskFlags) => {
        const [{ ask }, { readFilter }] = await Promise.all([
          import('../commands/ask.ts'),
          import('../commands/search.ts'),
        ]);
        const { filter, ...rest } = options;
        return ask(context, question, { ...rest, ...(filter === undefined ? {} : { filter: readFilter(filter) }) });
      }),
    );
}

export function addEval(command: Command, { withContext }: Register): void {
  command
    .addOption(collectionOption())
    .addOption(new Option('--mode <mode>').choices(MODES).default('hybrid'))
    .option('--min-ndcg <value>', 'exit with 3 if nDCG@10 is lower', fraction)
    .action(
      withContext(async (context, file: string, options: EvalFlags) =>
        (await import('../commands/eval.ts')).evaluate(context, file, options),
      ),
    );
}

interface SearchFlags {
  collection?: string;
  mode: Mode;
  limit: number;
  offset: number;
  filter?: string;
  minScore?: number;
  explain?: boolean;
}
interface AskFlags {
  collection?: string;
  chat?: string;
  model?: string;
  filter?: string;
}
interface EvalFlags {
  collection?: string;
  mode: Mode;
  minNdcg?: number;
}
