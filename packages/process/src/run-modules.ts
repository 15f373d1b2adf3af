/**
 * Processes a run: parses every file once, then runs its modules in parallel. Errors of a file or a module are recorded
 * in the outcome and do not affect the rest.
 */
import { rm } from 'node:fs/promises';
import type { ModuleOutcome, RunError, RunFileOutcome, RunOutcome, RunUsage } from './outcome.ts';
import { ContentError } from '@quire/blocks/content-error';
import { mapConcurrently } from '@quire/shared/map-concurrently';
import { isStorageFull } from '@quire/shared/free-space';
import type { ChatModel } from '@quire/models/chat-model';
import type { Embedder } from '@quire/models/embedder';
import type { SandboxClient } from './tasks/sandbox-client.ts';
import type { RunBlocks } from './blocks.ts';
import { expandFiles, type RunSource, type UploadedFile } from './expand-files.ts';
import type { ModuleOutput, RunDocument } from './module.ts';
import { RunOutputs, type StoreContent } from './run-outputs.ts';
import { parseDocument, type ParsePlan } from './parse/parse-document.ts';
import { Progress } from './progress.ts';
import type { TempDirectories } from './temp-directories.ts';
import { requestedModules, type RequestedModule } from './registry.ts';

export interface RunInput {
  /** Files on local disk, including archives. */
  files: readonly UploadedFile[];
  blocks: RunBlocks;
  parser: Pick<ParsePlan, 'options' | 'limits' | 'parser'>;
  /** Maximum size of a file in bytes. */
  maxFileBytes: number;
}

export interface RunDeps {
  sandbox: SandboxClient;
  /**
   * Returns null when the workspace's default is the built-in algorithm. Rejects with `ContentError` for an unusable
   * configuration.
   */
  openModel: (modelId: string | null) => Promise<ChatModel | null>;
  openEmbedder: () => Promise<Embedder | null>;
  store: StoreContent;
  /** The caller removes the directories. */
  directories: Pick<TempDirectories, 'make'>;
  /** 0..1 */
  onProgress: (fraction: number) => void;
  /** Receives unexpected failures. */
  onUnexpected: (error: unknown, module: string) => void;
}

/** Work that is unfinished at the `deadline` fails with `timeout`. `cancelled` makes the run reject at once. */
export interface RunSignals {
  deadline: AbortSignal;
  cancelled: AbortSignal;
}

/**
 * Maximum number of files processed at once. The sandbox has as many children, and more files would only hold their
 * trees in memory.
 */
const MAX_CONCURRENT_FILES = 4;

interface Running {
  sources: readonly RunSource[];
  modules: RequestedModule[];
  plan: ParsePlan;
  maxFileBytes: number;
  deps: RunDeps;
  blocks: RunBlocks;
  runOutputs: RunOutputs;
  progress: Progress;
  usage: RunUsage;
  signals: RunSignals;
  signal: AbortSignal;
}

export async function runModules(input: RunInput, deps: RunDeps, given: RunSignals): Promise<RunOutcome> {
  const failed = new AbortController();
  const signals = { ...given, cancelled: AbortSignal.any([given.cancelled, failed.signal]) };
  const signal = AbortSignal.any([signals.deadline, signals.cancelled]);
  const modules = requestedModules(input.blocks);
  const formats = input.blocks.parserConfig?.formats ?? (modules.length === 0 ? ['markdown'] : []);
  const usage: RunUsage = { inputTokens: 0, outputTokens: 0, pageCount: 0 };
  const { sandbox, directories } = deps;
  const { limits } = input.parser;
  const sources = await expandFiles(input.files, { sandbox, limits, directories }, signal);
  const progress = new Progress(sources.length * (modules.length + 1), deps.onProgress);
  const plan = { ...input.parser, formats, tree: modules.length > 0 };
  const runOutputs = new RunOutputs(deps.store);
  const { blocks, maxFileBytes } = input;
  const running = { sources, modules, plan, maxFileBytes, deps, blocks, runOutputs, progress, usage, signals, signal };
  const files = await mapConcurrently(sources, MAX_CONCURRENT_FILES, async (source, index) => {
    try {
      return await processFile(source, index + 1, running);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  return { files, usage };
}

/** Returns whether the outcome holds something that was requested; without other blocks that is the parse. */
export function hasRequestedOutput(outcome: RunOutcome, blocks: RunBlocks): boolean {
  const names: string[] = requestedModules(blocks).map(({ name }) => name);
  if (names.length === 0 || blocks.parserConfig?.formats !== undefined) names.push('parse');
  return outcome.files.some(({ modules }) => names.some((name) => modules[name] !== undefined));
}

async function processFile(source: RunSource, fileNumber: number, running: Running): Promise<RunFileOutcome> {
  const outcome: RunFileOutcome = { name: source.name, fileId: source.fileId, modules: {}, errors: [], outputs: [] };
  const { modules, plan, deps, progress, usage, signal } = running;
  const { file } = source;
  if (file === null) {
    progress.finish(modules.length + 1);
    if (source.failure !== null) outcome.errors.push({ module: 'parse', ...source.failure });
    return outcome;
  }
  const parsed = await recordErrors('parse', outcome, running, async () => {
    const onProgress = progress.part();
    const parsed = await parseDocument(file, plan, deps.sandbox, { signal, onProgress });
    onProgress(1);
    usage.pageCount += parsed.result.pageCount ?? 0;
    await keep('parse', parsed, outcome, fileNumber, running.runOutputs);
    return parsed;
  });
  if (parsed === undefined || parsed.tree === null) {
    progress.finish(modules.length);
    return outcome;
  }
  const siblings = running.sources.flatMap((each) => (each.file === null || each === source ? [] : [each.file]));
  const { tree, packedTree } = parsed;
  const document = { file, tree, ...(packedTree !== null && { packedTree }), options: plan.options, siblings };
  await Promise.all(
    modules.map((module) =>
      recordErrors(module.name, outcome, running, () => runModule(module, document, outcome, fileNumber, running)),
    ),
  );
  return sortModules(outcome, modules);
}

async function runModule(
  { name, block, modelId, load }: RequestedModule,
  document: RunDocument,
  outcome: RunFileOutcome,
  fileNumber: number,
  { deps, plan, maxFileBytes, blocks, progress, usage, runOutputs, signal }: Running,
): Promise<void> {
  const onProgress = progress.part();
  const tempDir = await deps.directories.make(name);
  try {
    const [run, model, embedder] = await Promise.all([
      load({ sandbox: deps.sandbox, limits: plan.limits, maxPixels: plan.options.maxPixels, maxFileBytes }),
      deps.openModel(modelId),
      deps.openEmbedder(),
    ]);
    const product = await run(document, blocks[block], { model, embedder, tempDir, onProgress }, signal);
    usage.inputTokens += product.usage.inputTokens;
    usage.outputTokens += product.usage.outputTokens;
    await keep(name, product, outcome, fileNumber, runOutputs);
  } finally {
    onProgress(1);
    await rm(tempDir, { recursive: true, force: true });
  }
}

async function keep(
  name: string,
  product: { result: object; outputs: readonly ModuleOutput[] },
  outcome: RunFileOutcome,
  fileNumber: number,
  runOutputs: RunOutputs,
): Promise<void> {
  const referenced = new Set(product.outputs.map(({ field }) => field));
  const fields = Object.entries(product.result).filter(([field]) => !referenced.has(field));
  const { outcome: kept, outputs } = await runOutputs.addResult(fileNumber, name, Object.fromEntries(fields));
  const entry: ModuleOutcome = kept;
  for (const { field, ...output } of product.outputs) {
    const stored = await runOutputs.addOutput(fileNumber, output);
    outputs.push(stored);
    if (field !== undefined) entry.references[field] = stored.path;
  }
  outcome.modules[name] = entry;
  outcome.outputs.push(...outputs);
}

/** Records what a module throws as an error of the file. Rethrows errors that concern the whole run. */
async function recordErrors<T>(
  module: string,
  outcome: RunFileOutcome,
  { signals, deps }: Running,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    signals.deadline.throwIfAborted();
    return await work();
  } catch (error) {
    if (signals.cancelled.aborted) throw error;
    const known = signals.deadline.aborted ? TIMEOUT : describe(error);
    // A full disk or a killed child justifies another attempt at the whole run.
    if (known === undefined && module === 'parse') throw error;
    if (known === undefined) deps.onUnexpected(error, module);
    outcome.errors.push({ module, ...(known ?? (isStorageFull(error) ? STORAGE_FULL : INTERNAL)) });
    return undefined;
  }
}

const TIMEOUT = { type: 'timeout', message: 'Processing exceeded the time limit of a run' };
const STORAGE_FULL = { type: 'storage_full', message: 'The service has no storage space left' };
const INTERNAL = { type: 'internal', message: 'The module failed because of an internal error' };

function describe(error: unknown): Omit<RunError, 'module'> | undefined {
  if (error instanceof ContentError) return { type: error.type, message: error.message };
  return undefined;
}

/** Sorts modules and errors in the order of the registry, since modules end in any order. */
function sortModules(outcome: RunFileOutcome, modules: readonly RequestedModule[]): RunFileOutcome {
  const names = ['parse', ...modules.map(({ name }) => name)];
  const sorted = names.flatMap((name) => {
    const entry = outcome.modules[name];
    return entry === undefined ? [] : [[name, entry] as const];
  });
  const errors = outcome.errors.toSorted((a, b) => names.indexOf(a.module) - names.indexOf(b.module));
  return { ...outcome, modules: Object.fromEntries(sorted), errors };
}
