/** `quire process` and `quire extract`: stateless processing of files. */
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { InvalidRequestError, ProcessedRun, ProcessRequest, Run } from '@quire/client';
import type { Context } from '../context.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { printable } from '../output.ts';
import { parseJson, readJson } from './search.ts';

type Classify = NonNullable<ProcessRequest['classify']>;

export interface ProcessOptions {
  summary?: 'short' | 'medium' | 'long';
  taxonomy?: string;
  schema?: string;
  edit?: string;
  instructions?: string;
  model?: string;
  /** Folder that receives the output files of the run. */
  output?: string;
}

/** Writes the outcome of each file: one JSON document, or one line each in JSON mode. */
export async function processFiles(
  context: Context,
  files: readonly string[],
  options: ProcessOptions,
): Promise<ExitCode> {
  const { run, refused } = await runOf(context, files, options);
  let failed = refused;
  for (const file of run.outcome.files) {
    failed += file.errors.length;
    write(context, file);
    for (const { path: name } of options.output === undefined ? [] : file.outputs)
      await saveOutput(context, run.id, name, options.output ?? '');
  }
  return failed > 0 ? EXIT.partial : EXIT.ok;
}

/** Writes the data of each file; with `evidence`, also where each value is from. */
export async function extract(
  context: Context,
  files: readonly string[],
  options: ProcessOptions & { schema: string; evidence?: boolean },
): Promise<ExitCode> {
  const { run, refused } = await runOf(context, files, options);
  let failed = refused;
  for (const { name, extraction, errors } of run.outcome.files) {
    for (const { message } of errors) context.output.note(`${printable(name)}: ${message}`);
    failed += errors.length;
    if (extraction === undefined) continue;
    const { data, evidence } = extraction as { data: unknown; evidence?: unknown };
    if (files.length === 1 && options.evidence !== true) write(context, data);
    else write(context, { file: name, data, ...(options.evidence === true ? { evidence } : {}) });
  }
  return failed > 0 ? EXIT.partial : EXIT.ok;
}

/** Saves an output file below the folder, under its path in the run. */
async function saveOutput(
  { quire, output, signal }: Context,
  run: string,
  name: string,
  folder: string,
): Promise<void> {
  const file = path.resolve(folder, name);
  if (!file.startsWith(path.resolve(folder) + path.sep)) throw new CommandError(`${printable(name)} is not in the run`);
  const { body } = await quire.runs.output(run, name, { signal });
  await mkdir(path.dirname(file), { recursive: true });
  if (body === null) throw new CommandError('the service sent no content');
  await pipeline(Readable.fromWeb(body), createWriteStream(file));
  output.note(`Wrote ${printable(path.join(folder, name))}.`);
}

const write = ({ output }: Context, value: unknown): void => output.record(value, JSON.stringify(value, null, 2));

/** Runs the modules over the files. A file that the service refuses is noted and left out. */
async function runOf(
  { quire, output, signal }: Context,
  files: readonly string[],
  options: ProcessOptions,
): Promise<{ run: ProcessedRun<unknown>; refused: number }> {
  const request = await requestOf(files, options);
  let refused = 0;
  let runId: string | undefined;
  const onChange = ({ id, status, progress }: Run): void => {
    runId = id;
    output.progress(`${status} ${Math.round(progress * 100)} %`);
  };
  const onRefused = (name: string, error: InvalidRequestError): void => {
    refused += 1;
    output.note(`${printable(name)}: ${error.detail.map(({ msg }) => msg).join('; ') || error.message}`);
  };
  try {
    return { run: await quire.process(request, { signal, onChange, onRefused }), refused };
  } catch (error) {
    if (refused === files.length) throw new CommandError('no file is left to process', { exitCode: EXIT.usage });
    if (signal.aborted && runId !== undefined) await quire.runs.cancel(runId);
    throw error;
  }
}

async function requestOf(files: readonly string[], options: ProcessOptions): Promise<ProcessRequest> {
  for (const file of files)
    if (!(await stat(file)).isFile()) throw new CommandError(`${file} is not a file`, { exitCode: EXIT.usage });
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
      : { classify: { ...(await readListFile(options.taxonomy, 'taxonomy')), ...model } as Classify }),
    ...(options.edit === undefined ? {} : { edit: await readListFile(options.edit, 'operations') }),
  };
}

const readJsonFile = async (file: string): Promise<Record<string, unknown>> =>
  readJson(await readFile(file, 'utf8'), file);

/** Reads a block of the API, or only the list in it. */
async function readListFile(file: string, field: string): Promise<Record<string, unknown>> {
  const value = parseJson(await readFile(file, 'utf8'), file);
  if (Array.isArray(value)) return { [field]: value };
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw new CommandError(`${file} must be a JSON list`, { exitCode: EXIT.usage });
}
