import { randomName } from '../random.ts';
import type { Run, RunFileOutcome, Schemas } from '../api.ts';
import { InvalidRequestError } from '../errors.ts';
import type { Runs } from '../resources/runs.ts';
import type { CallOptions } from '../transport.ts';
import { pool } from '../upload/pool.ts';
import { fileSource, type FileInput, type FileSource } from '../upload/source.ts';
import { jsonSchemaOf, validated, type Extracted, type ExtractionSchema } from './schema.ts';

export interface ProcessRequest<S extends ExtractionSchema = ExtractionSchema> {
  files: readonly FileInput[];
  /** Parser configuration of the workspace. */
  parserId?: string;
  parse?: Schemas['RunParserConfig'];
  /** Fields to read from each file, described by a JSON Schema or a Standard Schema such as one of zod. */
  extract?: Omit<Schemas['ExtractionConfig'], 'jsonSchema'> & { schema: S };
  summarise?: Schemas['SummaryConfig'];
  classify?: Schemas['ClassificationConfig'];
  edit?: Schemas['EditConfig'];
  /** Makes the request safe to repeat, also by another process; random by default. */
  idempotencyKey?: string;
}

export interface ProcessOptions extends CallOptions {
  /** Called with the run after each request, about every 20 seconds and when it is finished. */
  onChange?: (run: Run) => void;
  /** Called with a file that the service refuses, which is left out. Without it, such a file ends the call. */
  onRefused?: (name: string, error: InvalidRequestError) => void;
}

/** A file of a finished run, with data of the type of its schema. */
export type ProcessedFile<T> = Omit<RunFileOutcome, 'extraction'> & {
  extraction?: Omit<NonNullable<RunFileOutcome['extraction']>, 'data'> & { data: T };
};

/** A finished run. */
export type ProcessedRun<T> = Omit<Run, 'outcome'> & {
  outcome: Omit<NonNullable<Run['outcome']>, 'files'> & { files: ProcessedFile<T>[] };
};

/** Number of files up to which those in memory are sent in one request. */
const SINGLE_REQUEST_FILES = 5;
const PARALLEL_UPLOADS = 4;

/** Creates a run, sends its files, waits for its end, and validates the extracted data. */
export async function process<S extends ExtractionSchema>(
  runs: Runs,
  request: ProcessRequest<S>,
  options: ProcessOptions,
): Promise<ProcessedRun<Extracted<S>>> {
  const blocks = blocksOf(request);
  const { signal, timeoutMs } = options;
  const create = { idempotencyKey: request.idempotencyKey ?? randomName(), signal, timeoutMs };
  const sources = await Promise.all(request.files.map(fileSource));
  const isSmall = sources.length <= SINGLE_REQUEST_FILES && sources.every(({ blob }) => blob !== undefined);
  const { id } =
    isSmall && options.onRefused === undefined
      ? await runs.create(request.files, blocks, create)
      : await staged(runs, sources, blocks, create, options.onRefused);
  const run = await runs.ready(id, options);
  // A staged run has its files in the order of their arrival.
  const placeOf = ({ name }: { name: string }): number => sources.findIndex((each) => each.name === name);
  run.outcome?.files.sort((a, b) => placeOf(a) - placeOf(b));
  return withData(run, request.extract?.schema);
}

async function staged(
  runs: Runs,
  files: readonly FileSource[],
  blocks: Schemas['RunBlocks'],
  options: CallOptions & { idempotencyKey: string },
  onRefused: ProcessOptions['onRefused'],
): Promise<Run> {
  const { idempotencyKey: _, ...call } = options;
  const run = await runs.stage(blocks, options);
  // A repeated call with the same key finds a run that has its files already.
  if (run.status !== 'idle') return run;
  const refusals: InvalidRequestError[] = [];
  const add = (file: FileSource): Promise<unknown> =>
    runs.addFile(run.id, file, call).catch((error: unknown) => {
      if (onRefused === undefined || !(error instanceof InvalidRequestError)) throw error;
      onRefused(file.name, error);
      refusals.push(error);
    });
  for await (const _ of pool(files, PARALLEL_UPLOADS, add));
  const [refusal] = refusals;
  if (refusal === undefined || refusals.length < files.length) return runs.submit(run.id, call);
  // A run without files cannot be submitted and would stay in the list of runs for a day.
  await runs.delete(run.id, call);
  throw refusal;
}

function blocksOf(request: ProcessRequest): Schemas['RunBlocks'] {
  const { parserId, parse, extract, summarise, classify, edit } = request;
  const blocks: Schemas['RunBlocks'] = {};
  if (parserId !== undefined) blocks.parserId = parserId;
  if (parse !== undefined) blocks.parserConfig = parse;
  if (extract !== undefined) {
    const { schema, ...rest } = extract;
    blocks.extractionConfig = { ...rest, jsonSchema: jsonSchemaOf(schema) };
  }
  if (summarise !== undefined) blocks.summaryConfig = summarise;
  if (classify !== undefined) blocks.classificationConfig = classify;
  if (edit !== undefined) blocks.editConfig = edit;
  return blocks;
}

async function withData<S extends ExtractionSchema>(
  run: Run,
  schema: S | undefined,
): Promise<ProcessedRun<Extracted<S>>> {
  const outcome = run.outcome ?? { files: [], usage: { inputTokens: 0, outputTokens: 0, pageCount: 0 } };
  const files = await Promise.all(outcome.files.map((file) => fileWithData(file, schema)));
  return { ...run, outcome: { ...outcome, files } };
}

/** Data that the schema's own rules refuse, beyond JSON Schema, becomes an error of the file. */
async function fileWithData<S extends ExtractionSchema>(
  { extraction, ...file }: RunFileOutcome,
  schema: S | undefined,
): Promise<ProcessedFile<Extracted<S>>> {
  if (extraction === undefined || schema === undefined) return file;
  const result = await validated(schema, extraction.data);
  if ('data' in result) return { ...file, extraction: { ...extraction, data: result.data } };
  return {
    ...file,
    errors: [...file.errors, { module: 'extraction', type: 'schema_mismatch', message: result.message }],
  };
}
