/** `npm run models -- list | pull NAME | verify`: the embedding models of this machine. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { NAMED_MODELS, STATIC_NAME } from '../providers/local/catalogue.ts';
import { ModelLadder, type LadderOptions } from '../providers/local/model-ladder.ts';
import { readModelFiles, type ModelFiles } from '../providers/local/model-files.ts';
import { sha256Of, type Progress } from '../providers/local/sources/source.ts';

const USAGE = 'Usage: npm run models -- list | pull NAME | verify';

export interface ModelsOutput {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** Rejects with an error fit to be shown; `verify` also when a model is damaged. */
export async function models(
  args: readonly string[],
  options: LadderOptions,
  output: ModelsOutput = process.stdout,
): Promise<void> {
  const [verb = 'list', name] = args;
  if (verb === 'list') return list(options.cacheDir, output);
  if (verb === 'verify') return verify(options.cacheDir, output);
  if (verb === 'pull' && name !== undefined) return pull(name, options, output);
  throw new Error(USAGE);
}

async function list(cacheDir: string, output: ModelsOutput): Promise<void> {
  const cached = await cachedModels(cacheDir);
  for (const model of NAMED_MODELS) {
    const here = cached.filter((files) => model.variants.some(({ modelId }) => modelId === files.modelId));
    const state = here.map((files) => `${files.modelId} from ${files.source}`).join(', ') || 'not here';
    output.write(`${model.name.padEnd(24)}${model.description} (${state})\n`);
  }
  output.write(`${STATIC_NAME.padEnd(24)}English, very fast, shipped with the service\n`);
  const listed = new Set(NAMED_MODELS.flatMap((model) => model.variants.map(({ modelId }) => modelId)));
  for (const files of cached.filter(({ modelId }) => !listed.has(modelId))) {
    output.write(`${files.modelId.padEnd(24)}from ${files.source}\n`);
  }
}

async function pull(name: string, options: LadderOptions, output: ModelsOutput): Promise<void> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort(new Error('Interrupted'));
  process.once('SIGINT', stop);
  try {
    const ladder = new ModelLadder({
      ...options,
      onStep: (step) => output.write(`${step}\n`),
      onProgress: progressLine(output),
    });
    const files = await ladder.resolve(name, interrupt.signal);
    output.write(
      files === null ? `${STATIC_NAME} is always here\n` : `${files.modelId}: ready, from ${files.source}\n`,
    );
  } finally {
    process.off('SIGINT', stop);
  }
}

async function verify(cacheDir: string, output: ModelsOutput): Promise<void> {
  const damaged: string[] = [];
  for (const files of await cachedModels(cacheDir)) {
    const isWhole = (await sha256Of(files.modelFile)) === files.modelSha256;
    output.write(`${files.modelId.padEnd(32)}${isWhole ? 'ok' : 'damaged'}\n`);
    if (!isWhole) damaged.push(files.modelId);
  }
  if (damaged.length > 0)
    throw new Error(`Damaged: ${damaged.join(', ')}; remove them from ${cacheDir} and pull again`);
}

async function cachedModels(cacheDir: string): Promise<ModelFiles[]> {
  const names = await readdir(cacheDir).catch(() => []);
  const found = await Promise.all(names.toSorted().map((name) => readModelFiles(path.join(cacheDir, name))));
  return found.filter((files) => files !== undefined);
}

/** A bar that is drawn over on a terminal; elsewhere a line for each tenth. */
function progressLine(output: ModelsOutput): (progress: Progress) => void {
  let shown = '';
  return ({ file, receivedBytes, totalBytes }) => {
    const megabytes = `${(receivedBytes / 1e6).toFixed(1)} MB`;
    const tenths = totalBytes === null ? 0 : Math.floor((receivedBytes / totalBytes) * 10);
    const bar = totalBytes === null ? '' : ` [${'#'.repeat(tenths).padEnd(10)}] of ${(totalBytes / 1e6).toFixed(1)} MB`;
    const key = output.isTTY === true ? `${file} ${megabytes}` : `${file} ${tenths}`;
    if (key === shown) return;
    shown = key;
    const isDone = receivedBytes === totalBytes;
    output.write(
      output.isTTY === true ? `\r${file}: ${megabytes}${bar}${isDone ? '\n' : ''}` : `${file}: ${megabytes}${bar}\n`,
    );
  };
}
