/**
 * Listing of a source that shows one folder at a time. Folders are visited depth first and in the order of their names:
 * the path of the last file or folder is enough to resume. Memory is bounded by the folders on the way down.
 */
import { ListingFailed } from './connector-error.ts';
import { MAX_PATH_BYTES, type ListingPage, type SourceEntry } from './connector.ts';

/** Maximum number of files and folders in one folder. */
const MAX_CHILDREN = 500_000;
/** Maximum depth of folders. */
const MAX_DEPTH = 64;

/** A file, a folder, or what the source could not describe. `Folder` is what the kind needs to list a folder. */
export type TreeChild<Folder> =
  | { kind: 'file'; name: string; entry: Omit<SourceEntry, 'path'> }
  | { kind: 'folder'; name: string; folder: Folder }
  | { kind: 'failed'; name: string; message: string };

export interface TreeSource<Folder> {
  root: Folder;
  /**
   * Returns all children of a folder. Rejects with `ListingFailed` if this folder alone cannot be listed; every other
   * error ends the listing.
   */
  children(folder: Folder, path: string, signal: AbortSignal): Promise<readonly TreeChild<Folder>[]>;
}

interface Level<Folder> {
  path: string;
  children: readonly TreeChild<Folder>[];
  /** Position of the next child. */
  at: number;
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

const hasBadName = (name: string): boolean => name === '' || name === '.' || name === '..' || name.includes('/');

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

export class TreeListing<Folder> {
  readonly #source: TreeSource<Folder>;
  readonly #maxPageEntries: number;
  readonly #signal: AbortSignal;
  #entries: SourceEntry[] = [];
  #failures: ListingFailed[] = [];

  constructor(source: TreeSource<Folder>, maxPageEntries: number, signal: AbortSignal) {
    this.#source = source;
    this.#maxPageEntries = maxPageEntries;
    this.#signal = signal;
  }

  /** The resume token is the path of the last file or failed folder; all that follows it is listed. */
  async *pages(resumeToken: string | null): AsyncGenerator<ListingPage> {
    const levels = await this.#open(resumeToken?.split('/') ?? []);
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const child = level.children[level.at];
      level.at += 1;
      if (child === undefined) {
        levels.pop();
        continue;
      }
      const path = join(level.path, child.name);
      if (child.kind === 'file') this.#entries.push({ ...child.entry, path });
      else if (child.kind === 'failed') this.#failures.push(new ListingFailed(path, child.message));
      else if (levels.length > MAX_DEPTH) this.#failures.push(new ListingFailed(path, 'folders are nested too deeply'));
      else await this.#enter(child.folder, path, levels);
      if (this.#entries.length < this.#maxPageEntries && this.#failures.length < this.#maxPageEntries) continue;
      this.#signal.throwIfAborted();
      yield this.#takePage(path);
      this.#signal.throwIfAborted();
    }
    yield { ...this.#takePage(null), completeFolders: [''] };
  }

  #takePage(resumeToken: string | null): ListingPage {
    const page = { entries: this.#entries, resumeToken, completeFolders: [], failures: this.#failures };
    this.#entries = [];
    this.#failures = [];
    return page;
  }

  /** Lists the folders of the resume path again, each behind the name where the listing stopped. */
  async #open(names: readonly string[]): Promise<Level<Folder>[]> {
    const levels = [await this.#level(this.#source.root, '')];
    for (const name of names) {
      const level = levels.at(-1);
      if (level === undefined) break;
      level.at = level.children.findIndex((child) => compare(child.name, name) > 0);
      if (level.at === -1) level.at = level.children.length;
      const child = level.children[level.at - 1];
      if (levels.length === names.length || child?.name !== name || child.kind !== 'folder') break;
      await this.#enter(child.folder, join(level.path, name), levels);
      if (levels.at(-1) === level) break;
    }
    return levels;
  }

  async #enter(folder: Folder, path: string, levels: Level<Folder>[]): Promise<void> {
    try {
      levels.push(await this.#level(folder, path));
    } catch (error) {
      if (!(error instanceof ListingFailed)) throw error;
      this.#failures.push(error);
    }
  }

  async #level(folder: Folder, path: string): Promise<Level<Folder>> {
    this.#signal.throwIfAborted();
    const children = await this.#source.children(folder, path, this.#signal);
    if (children.length > MAX_CHILDREN)
      throw new ListingFailed(path, `the folder has more than ${MAX_CHILDREN} entries`);
    const bad = children.find(({ name }) => hasBadName(name));
    if (bad !== undefined) throw new ListingFailed(path, `the folder has an entry with an unusable name`);
    const usable = children.filter(({ name }) => Buffer.byteLength(join(path, name)) <= MAX_PATH_BYTES);
    return { path, children: usable.toSorted((one, other) => compare(one.name, other.name)), at: 0 };
  }
}

/** Returns the first paths of a tree, in its order. */
export async function samplePaths<Folder>(
  source: TreeSource<Folder>,
  count: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const page of new TreeListing(source, count, signal).pages(null)) {
    const [failure] = page.failures;
    if (failure !== undefined && paths.length === 0 && page.entries.length === 0) throw failure;
    paths.push(...page.entries.map(({ path }) => path));
    if (paths.length >= count) break;
  }
  return paths.slice(0, count);
}
