/** `quire add`: brings files and folders into a collection and keeps them in step. */
import { QuireError, type Collection } from '@quire/client';
import { findCollection, type Context } from '../../context.ts';
import { EXIT, isUnreadable, type ExitCode } from '../../exit-code.ts';
import { explain } from '../../explain-error.ts';
import { formatBytes, printable } from '../../output.ts';
import { localFiles, type LocalFile } from './local-files.ts';
import { hashFile, Known } from './plan.ts';
import { transfer, unreadable, type Outcome, type TransferOptions } from './transfer.ts';
import { changes } from './watch.ts';

export interface AddOptions {
  collection?: string;
  meta: Record<string, unknown>;
  parallel: number;
  wait: boolean;
  watch?: boolean;
  delete?: boolean;
}

const DEFAULT_COLLECTION = 'Files';

export async function add(context: Context, paths: readonly string[], options: AddOptions): Promise<ExitCode> {
  const collection = await ensureCollection(context, options.collection ?? context.profile.collection);
  let code = await addOnce(context, paths, collection, options);
  if (options.watch !== true) return code;
  if (context.signal.aborted) return code;
  context.output.note('Watching for changes. Press Ctrl-C to stop.');
  for await (const _ of changes(paths, context.signal)) {
    try {
      code = await addOnce(context, paths, collection, options);
    } catch (error) {
      if (error instanceof QuireError && (error.status === 401 || error.status === 403)) throw error;
      // Such as a folder that is empty for the moment; the next change is tried again.
      context.output.note(explain(error).message);
      code = EXIT.partial;
    }
  }
  context.output.note('Stopped. The same command sends what changes until then.');
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
  const known = await readKnown(context, collection.id, files);
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
  const deleted = options.delete === true ? await deleteGone(context, collection.id, known) : 0;
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
  readonly counts = { ready: 0, sent: 0, moved: 0, unchanged: 0, failed: 0 };
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
    const { ready, sent, moved, unchanged, failed } = this.counts;
    const added = sent > 0 ? `${sent} sent` : `${ready} added`;
    return `${added}, ${moved > 0 ? `${moved} moved, ` : ''}${unchanged} unchanged, ${failed} failed`;
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
      const outcome = await addFile(context, file, known, options);
      tally.add(outcome);
      show(context, outcome);
      context.output.progress(tally.progress());
    }
  };
  const workers = Array.from({ length: options.parallel }, work);
  const failures = (await Promise.allSettled(workers)).filter((each) => each.status === 'rejected');
  if (failures[0] !== undefined) throw failures[0].reason;
}

async function addFile(context: Context, file: LocalFile, known: Known, options: TransferOptions): Promise<Outcome> {
  let sha256: string;
  try {
    sha256 = await hashFile(file.file, context.signal);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { change: { kind: 'add', file }, status: 'failed', documentId: undefined, ...unreadable(error) };
  }
  return transfer(context, known.changeOf(file, sha256), options);
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

async function readKnown(
  { quire, signal }: Context,
  collectionId: string,
  files: readonly LocalFile[],
): Promise<Known> {
  const known = new Known(files);
  const { documents } = quire.collection(collectionId);
  for await (const document of documents.list({ limit: 100, signal })) known.add(document);
  return known;
}

async function deleteGone({ quire, signal }: Context, collectionId: string, known: Known): Promise<number> {
  const ids = known.gone().map(({ id }) => id);
  const { documents } = quire.collection(collectionId);
  for (let at = 0; at < ids.length; at += 1_000)
    await documents.deleteMany({ documentIds: ids.slice(at, at + 1_000) }, { signal });
  return ids.length;
}
