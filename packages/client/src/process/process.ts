import type { Run, Schemas } from '../api.ts';
import type { Runs } from '../resources/runs.ts';
import type { CallOptions } from '../transport.ts';
import type { FileInput } from '../upload/source.ts';

export interface ProcessRequest {
  files: readonly FileInput[];
  parserId?: string;
  parse?: Schemas['RunParserConfig'];
  extract?: { schema: Record<string, unknown>; instructions?: string; modelId?: string };
  summarise?: Schemas['SummaryConfig'];
  classify?: Schemas['ClassificationConfig'];
  edit?: Schemas['EditConfig'];
  idempotencyKey?: string;
}

/** Number of files up to which they are sent in one request. */
const SINGLE_REQUEST_FILES = 5;
const PARALLEL_UPLOADS = 4;

export async function process(runs: Runs, request: ProcessRequest, options: CallOptions): Promise<Run> {
  const { files, idempotencyKey = crypto.randomUUID() } = request;
  const blocks = blocksOf(request);
  if (files.length <= SINGLE_REQUEST_FILES) {
    const { id } = await runs.create(files, blocks, { idempotencyKey, ...options });
    return runs.ready(id, options);
  }
  const { id } = await runs.stage(blocks, { idempotencyKey, ...options });
  const left = [...files];
  const send = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) await runs.addFile(id, file, options);
  };
  await Promise.all(Array.from({ length: PARALLEL_UPLOADS }, send));
  await runs.submit(id, options);
  return runs.ready(id, options);
}

function blocksOf({ parserId, parse, extract, summarise, classify, edit }: ProcessRequest): Schemas['RunBlocks'] {
  const extraction = extract && {
    jsonSchema: extract.schema,
    ...(extract.instructions === undefined ? {} : { instructions: extract.instructions }),
    ...(extract.modelId === undefined ? {} : { modelId: extract.modelId }),
  };
  return {
    ...(parserId === undefined ? {} : { parserId }),
    ...(parse === undefined ? {} : { parserConfig: parse }),
    ...(extraction === undefined ? {} : { extractionConfig: extraction }),
    ...(summarise === undefined ? {} : { summaryConfig: summarise }),
    ...(classify === undefined ? {} : { classificationConfig: classify }),
    ...(edit === undefined ? {} : { editConfig: edit }),
  };
}
