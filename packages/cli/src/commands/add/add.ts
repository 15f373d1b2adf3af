/** `quire add`: brings files and folders into a collection and keeps them in step. */
import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection } from '@quire/client';
import { findCollection, type Context } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-code.ts';
import { formatBytes, printable } from '../../output.ts';
import { localFiles, type LocalFile } from './local-files.ts';
import { hashFile, Known } from './plan.ts';
import { transfer, type Outcome, type TransferOptions } from './transfer.ts';

export interface AddOptions {
  collection?: string;
  meta: Record<string, unknown>;
  parallel: number;
  wait: boolean;
  watch?: boolean;
  delete?: boolean;
}

const DEFAULT_COLLECTION = 'Files';
/** Time without changes after which a watched folder is read, in milliseconds. */
const QUIET_MS = 500;

export async function add(context: Context, paths: readonly string[], options: AddOptions): Promise<ExitCode> {
  const collection = await ensureCollection(context, options.collection ?? context.profile.collection);
  let code = await addOnce(context, paths, collection, options);
  if (options.watch !== true) return code;
  context.output.note('Watching for changes. Press Ctrl-C to stop.');
  for await (const _ of changes(paths, context.signal)) code = await addOnce(context, paths, collection, options);
  return code;
}

async function addOnce(
  context: Context,
  paths: readonly string[],
  collection: Collection,
  options: AddOptions,
): Promise<ExitCode> {
  const { output } = context;
  const files = await localFiles(paths);
  const known = await readKnown(context, collection.id);
  const request: TransferOptions = {
    collectionId: collection.id,
    metadata: options.meta,
    parallel: options.parallel,
    wait: options.wait,
  };
  const tally = new Tally(files);
  try {
    await transferAll(context, files, known, request, tally);
  } catch (error) {
    if (context.signal.aborted) {
      output.note(`Interrupted: ${tally.summary()}. Run the same command again to continue.`);
      return EXIT.interrupted;
    }
    throw error;
  }
  const deleted = options.delete === true ? await deleteGone(context, collection.id, known, files) : 0;
  output.note(`${tally.summary()}${deleted > 0 ? `, ${deleted} deleted` : ''} in ${printable(collection.name)}.`);
  return tally.failed > 0 ? EXIT.partial : EXIT.ok;
}

/** Width of the bar in characters. */
const BAR_WIDTH = 16;

/** Returns a bar that is filled to a share of 0..1. */
function bar(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}

/** Counts outcomes and shows progress: files, bytes, rate. */
class Tally {
  readonly counts = { ready: 0, sent: 0, unchanged: 0, failed: 0 };
  readonly #files: number;
  readonly #startedAt = Date.now();
  #sentBytes = 0;

  constructor(files: readonly LocalFile[]) {
    this.#files = files.length;
  }

  get failed(): number {
    return this.counts.failed;
  }

  add({ status, change }: Outcome): void {
    this.counts[status] += 1;
    if (status === 'ready' || status === 'sent') this.#sentBytes += change.file.sizeBytes;
  }

  progress(): string {
    const done = Object.values(this.counts).reduce((sum, count) => sum + count, 0);
    const seconds = Math.max(0.001, (Date.now() - this.#startedAt) / 1000);
    const rate = `${formatBytes(this.#sentBytes / seconds)}/s, ${(done / seconds).toFixed(1)} files/s`;
    const failures = this.failed > 0 ? `, ${this.failed} failed` : '';
    return `${bar(done / Math.max(1, this.#files))} ${done}/${this.#files} files, ${formatBytes(this.#sentBytes)}, ${rate}${failures}`;
  }

  summary(): string {
    const { ready, sent, unchanged, failed } = this.counts;
    const added = sent > 0 ? `${sent} sent` : `${ready} added`;
    return `${added}, ${unchanged} unchanged, ${failed} failed`;
  }
}

async function transferAll(
  context: Context,
  files: readonly LocalFile[],
  known: Known,
  options: TransferOptions,
  tally: Tally,
): Promise<void> {
  const queue = [...files];
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      context.signal.throwIfAborted();
      const change = known.changeOf(file, await hashFile(file.file, context.signal));
      const outcome = await transfer(context, change, options);
      tally.add(outcome);
      show(context, outcome);
      context.output.progress(tally.progress());
    }
  };
  const workers = Array.from({ length: options.parallel }, work);
  const failures = (await Promise.allSettled(workers)).filter((each) => each.status === 'rejected');
  if (failures[0] !== undefined) throw failures[0].reason;
}

/** Shows failures to people, and every file to programs. */
function show({ output }: Context, outcome: Outcome): void {
  const { status, change, documentId } = outcome;
  const path = change.file.relative;
  const failure = outcome.status === 'failed' ? { error: { type: outcome.type, message: outcome.reason } } : {};
  if (output.isJson) output.record({ path, status, documentId: documentId ?? null, ...failure }, '');
  else if (outcome.status === 'failed') output.note(`${printable(path)}: ${outcome.type}: ${outcome.reason}`);
}

async function ensureCollection(context: Context, name = DEFAULT_COLLECTION): Promise<Collection> {
  const found = await findCollection(context, name);
  if (found !== undefined) return found;
  const created = await context.quire.collections.create({ name }, { signal: context.signal });
  context.output.note(`Created the collection ${printable(name)}.`);
  return created;
}

async function readKnown({ quire, signal }: Context, collectionId: string): Promise<Known> {
  const known = new Known();
  const { documents } = quire.collection(collectionId);
  for await (const document of documents.list({ limit: 100, signal })) known.add(document);
  return known;
}

async function deleteGone(
  { quire, signal }: Context,
  collectionId: string,
  known: Known,
  files: readonly LocalFile[],
): Promise<number> {
  const ids = known.goneFrom(files).map(({ id }) => id);
  const { documents } = quire.collection(collectionId);
  for (let at = 0; at < ids.length; at += 1_000)
    await documents.deleteMany({ documentIds: ids.slice(at, at + 1_000) }, { signal });
  return ids.length;
}

/** Yields after changes below the paths, once they pause. */
async function* changes(paths: readonly string[], signal: AbortSignal): AsyncGenerator<void> {
  let changed = 0;
  let wake = (): void => undefined;
  const onChange = (): void => {
    changed += 1;
    wake();
  };
  const watchers = paths.map((each) => watch(each, { recursive: true, signal }, onChange));
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      if (changed === 0) await new Promise<void>((resolve) => (wake = resolve));
      for (let seen = -1; seen !== changed && !signal.aborted;) {
        seen = changed;
        await sleep(QUIET_MS, undefined, { signal }).catch(() => undefined);
      }
      changed = 0;
      if (!signal.aborted) yield;
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}
