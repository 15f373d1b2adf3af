/** `quire process` and `quire extract`: stateless processing of files. */
import { readFile } from 'node:fs/promises';
import type { ProcessRequest } from '@quire/client';
import type { Context } from '../context.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { readJson } from './search.ts';

export interface ProcessOptions {
  summary?: 'short' | 'medium' | 'long';
  taxonomy?: string;
  schema?: string;
  edit?: string;
  instructions?: string;
  model?: string;
}

/** Writes the outcome of each file: one JSON document, or one line each in JSON mode. */
export async function processFiles(
  context: Context,
  files: readonly string[],
  options: ProcessOptions,
): Promise<ExitCode> {
  const run = await context.quire.process(await requestOf(files, options), callbacks(context));
  let failed = 0;
  for (const file of run.outcome.files) {
    failed += file.errors.length;
    write(context, file);
  }
  return failed > 0 ? EXIT.partial : EXIT.ok;
}

/** Writes the data of each file; with `evidence`, also where each value is from. */
export async function extract(
  context: Context,
  files: readonly string[],
  options: ProcessOptions & { schema: string; evidence?: boolean },
): Promise<ExitCode> {
  const run = await context.quire.process(await requestOf(files, options), callbacks(context));
  let failed = 0;
  for (const { name, extraction, errors } of run.outcome.files) {
    for (const { message } of errors) context.output.note(`${name}: ${message}`);
    failed += errors.length;
    if (extraction === undefined) continue;
    const { data, evidence } = extraction as { data: unknown; evidence?: unknown };
    if (files.length === 1 && options.evidence !== true) write(context, data);
    else write(context, { file: name, data, ...(options.evidence === true ? { evidence } : {}) });
  }
  return failed > 0 ? EXIT.partial : EXIT.ok;
}

const write = ({ output }: Context, value: unknown): void => output.record(value, JSON.stringify(value, null, 2));

const callbacks = ({ signal, output }: Context) => ({
  signal,
  onChange: ({ status, progress }: { status: string; progress: unknown }): void =>
    output.progress(`${status} ${typeof progress === 'number' ? `${Math.round(progress * 100)} %` : ''}`),
});

async function requestOf(files: readonly string[], options: ProcessOptions): Promise<ProcessRequest> {
  const model = options.model === undefined ? {} : { modelId: options.model };
  const instructions = options.instructions === undefined ? {} : { instructions: options.instructions };
  return {
    files,
    ...(options.schema === undefined
      ? {}
      : { extract: { schema: await readJsonFile(options.schema), ...instructions, ...model } }),
    ...(options.summary === undefined ? {} : { summarise: { length: options.summary, ...model } }),
    ...(options.taxonomy === undefined
      ? {}
      : { classify: { ...(await readJsonFile(options.taxonomy)), ...model } as ProcessRequest['classify'] & object }),
    ...(options.edit === undefined ? {} : { edit: await readJsonFile(options.edit) }),
  };
}

async function readJsonFile(file: string): Promise<Record<string, unknown>> {
  try {
    return readJson(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${file}: ${(error as Error).message}`, { exitCode: EXIT.usage });
  }
}
