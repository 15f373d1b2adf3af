/**
 * A run's work: every file is parsed once, then its modules work on it in parallel. What goes wrong with a file or a
 * module is told in the outcome and spoils nothing else.
 */
import { rm } from 'node:fs/promises';
import type { ModuleOutcome, RunError, RunFileOutcome, RunOutcome, RunUsage } from './outcome.ts';
import { ContentError } from '@quire/blocks/content-error';
import type { ChatModel } from '@quire/models/chat-model';
import type { Embedder } from '@quire/models/embedder';
import type { SandboxClient } from './tasks/sandbox-client.ts';
import type { RunBlocks } from './blocks.ts';
import { expandFiles, type RunSource, type SentFile } from './expand-files.ts';
import type { ModuleOutput, RunDocument } from './module.ts';
import { RunOutputs, type StoreContent } from './run-outputs.ts';
import { parseDocument, type ParsePlan } from './parse/parse-document.ts';
import { Progress } from './progress.ts';
import type { TempDirectories } from './temp-directories.ts';
import { askedModules, type AskedModule } from './registry.ts';

export interface RunInput {
  /** On local disk, archives among them. */
  files: readonly SentFile[];
  blocks: RunBlocks;
  parser: Pick<ParsePlan, 'options' | 'limits' | 'parser'>;
}

export interface RunDeps {
  sandbox: SandboxClient;
  /** Null when the workspace's default is the built-in one. Rejects with `ContentError` for an unusable configuration. */
  openModel: (modelId: string | null) => Promise<ChatModel | null>;
  openEmbedder: () => Promise<Embedder | null>;
  store: StoreContent;
  /** Removed by the caller. */
  directories: Pick<TempDirectories, 'make'>;
  /** 0..1 */
  onProgress: (fraction: number) => void;
  /** Told of failures that nobody foresaw. */
  onUnexpected: (error: unknown, module: string) => void;
}

/** `deadline`: what is not done by then fails with `timeout`. `cancelled`: the run is to end at once, by rejecting. */
export interface RunSignals {
  deadline: AbortSignal;
  cancelled: AbortSignal;
}

/** The sandbox has as many children; more files at once would only hold their trees in memory. */
const FILES_AT_ONCE = 4;

interface Running {
  sources: readonly RunSource[];
  modules: AskedModule[];
  plan: ParsePlan;
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
  const modules = askedModules(input.blocks);
  const formats = input.blocks.parserConfig?.formats ?? (modules.length === 0 ? ['markdown'] : []);
  const usage: RunUsage = { inputTokens: 0, outputTokens: 0, pageCount: 0 };
  const { sandbox, directories } = deps;
  const { limits } = input.parser;
  const sources = await expandFiles(input.files, { sandbox, limits, directories }, signal);
  const progress = new Progress(sources.length * (modules.length + 1), deps.onProgress);
  const plan = { ...input.parser, formats, tree: modules.length > 0 };
  const runOutputs = new RunOutputs(deps.store);
  const running = { sources, modules, plan, deps, blocks: input.blocks, runOutputs, progress, usage, signals, signal };
  const work = (source: RunSource, index: number): Promise<RunFileOutcome> => processFile(source, index + 1, running);
  const files = await mapAtMost(FILES_AT_ONCE, sources, work, failed);
  return { files, usage };
}

/** Whether something that was asked for is there: without other blocks that is the parse. */
export function producedAnything(outcome: RunOutcome, blocks: RunBlocks): boolean {
  const names: string[] = askedModules(blocks).map(({ name }) => name);
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
  const tree = await guarded('parse', outcome, running, async () => {
    const onProgress = progress.part();
    const parsed = await parseDocument(file, plan, deps.sandbox, { signal, onProgress });
    onProgress(1);
    usage.pageCount += parsed.result.pageCount ?? 0;
    await keep('parse', parsed, outcome, fileNumber, running.runOutputs);
    return parsed.tree;
  });
  if (tree === undefined || tree === null) {
    progress.finish(modules.length);
    return outcome;
  }
  const siblings = running.sources.flatMap((each) => (each.file === null || each === source ? [] : [each.file]));
  const document = { file, tree, siblings };
  await Promise.all(
    modules.map((module) =>
      guarded(module.name, outcome, running, () => runModule(module, document, outcome, fileNumber, running)),
    ),
  );
  return inOrder(outcome, modules);
}

async function runModule(
  { name, block, modelId, load }: AskedModule,
  document: RunDocument,
  outcome: RunFileOutcome,
  fileNumber: number,
  { deps, plan, blocks, progress, usage, runOutputs, signal }: Running,
): Promise<void> {
  const onProgress = progress.part();
  const tempDir = await deps.directories.make(name);
  try {
    const [run, model, embedder] = await Promise.all([
      load({ sandbox: deps.sandbox, limits: plan.limits, maxPixels: plan.options.maxPixels }),
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

/** Turns what a module throws into an error of the file; what concerns the run as a whole is thrown on. */
async function guarded<T>(
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
    // The disk may be full, a child may have been killed: worth another attempt at the whole.
    if (known === undefined && module === 'parse') throw error;
    if (known === undefined) deps.onUnexpected(error, module);
    outcome.errors.push({ module, ...(known ?? INTERNAL) });
    return undefined;
  }
}

const TIMEOUT = { type: 'timeout', message: 'It was not done within the time that a run may take' };
const INTERNAL = { type: 'internal', message: 'It failed for an internal reason' };

function describe(error: unknown): Omit<RunError, 'module'> | undefined {
  if (error instanceof ContentError) return { type: error.type, message: error.message };
  return undefined;
}

/** Modules end in any order; the outcome names them in the table's. */
function inOrder(outcome: RunFileOutcome, modules: readonly AskedModule[]): RunFileOutcome {
  const names = ['parse', ...modules.map(({ name }) => name)];
  const sorted = names.flatMap((name) => {
    const entry = outcome.modules[name];
    return entry === undefined ? [] : [[name, entry] as const];
  });
  const errors = outcome.errors.toSorted((a, b) => names.indexOf(a.module) - names.indexOf(b.module));
  return { ...outcome, modules: Object.fromEntries(sorted), errors };
}

/** At most `limit` at once. After the first rejection no item is begun, and it is thrown when all have ended. */
async function mapAtMost<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  failed: AbortController,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    try {
      for (const [index, item] of queue) results[index] = await work(item, index);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, lane));
  const rejected = lanes.find((each) => each.status === 'rejected');
  if (rejected !== undefined) throw rejected.reason;
  return results;
}
