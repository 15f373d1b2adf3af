/**
 * Listing of a drive whose files have ids: whole, folder by folder, or only what its change feed reports. A changed
 * folder may move any number of files without a report of each, so that it leads to a whole listing.
 */
import type { Existence, KnownFile, ListingPage, RemovedFile, SourceEntry } from './connector.ts';
import { TreeListing, type TreeChild, type TreeSource } from './tree-listing.ts';

/** Maximum depth of folders. */
const MAX_DEPTH = 64;

export interface Change {
  id: string;
  /** Whether the item was deleted or moved to the trash. */
  isRemoved: boolean;
  isFolder: boolean;
  parentId: string | null;
}

export interface ChangeBatch {
  changes: readonly Change[];
  /** Position of the next batch; null for the last one. */
  next: string | null;
  /** Position of later changes, with the last batch. */
  latest: string | null;
}

/** Folders are named by their id. */
export interface FeedSource extends TreeSource<string> {
  /** Returns the id of the root folder. Rejects with `ListingFailed` if it does not exist. */
  rootId(signal: AbortSignal): Promise<string>;
  /** Returns the current position of the change feed. */
  startToken(signal: AbortSignal): Promise<string>;
  /** Returns null if the source does not keep the changes any more. */
  changes(token: string, maxChanges: number, signal: AbortSignal): Promise<ChangeBatch | null>;
  /** Returns the id of the folder that holds a folder; null for the root of the drive or no longer existing ones. */
  parentOf(folderId: string, signal: AbortSignal): Promise<string | null>;
  exists(file: KnownFile, signal: AbortSignal): Promise<Existence>;
}

/**
 * Where a changed item is. `outside`: its folders lead to no root of the listing. `unlisted`: its folder does not list
 * it, or does not exist.
 */
type PathOrMiss = { path: string } | 'outside' | 'unlisted';

/** `path` is null before the first page of a whole listing; `changes` continues the feed. */
type Position = { start: string; path: string | null } | { changes: string };

export class FeedListing {
  readonly #source: FeedSource;
  readonly #maxPageEntries: number;
  readonly #signal: AbortSignal;
  readonly #children = new Map<string, readonly TreeChild<string>[]>();
  readonly #paths = new Map<string, PathOrMiss>();

  constructor(source: FeedSource, maxPageEntries: number, signal: AbortSignal) {
    this.#source = source;
    this.#maxPageEntries = maxPageEntries;
    this.#signal = signal;
  }

  async *pages(resumeToken: string | null, changesSince: string | null): AsyncGenerator<ListingPage> {
    this.#signal.throwIfAborted();
    let position: Position | null = resumeToken === null ? null : (JSON.parse(resumeToken) as Position);
    if (position === null && changesSince !== null) position = { changes: changesSince };
    if (position !== null && 'changes' in position) {
      const isDone = yield* this.#changed(position.changes);
      if (isDone) return;
      position = null;
    }
    const start = position?.start ?? (await this.#source.startToken(this.#signal));
    const tree = new TreeListing(this.#source, this.#maxPageEntries, this.#signal);
    for await (const page of tree.pages(position?.path ?? null)) {
      if (page.resumeToken === null) yield { ...page, changeToken: start };
      else yield { ...page, resumeToken: JSON.stringify({ start, path: page.resumeToken }) };
    }
  }

  /** Yields the changes; returns false if only a whole listing shows them. */
  async *#changed(from: string): AsyncGenerator<ListingPage, boolean> {
    let token = from;
    for (;;) {
      const batch = await this.#source.changes(token, this.#maxPageEntries, this.#signal);
      if (batch === null || batch.changes.some(({ isFolder }) => isFolder)) return false;
      const entries: SourceEntry[] = [];
      const removed: RemovedFile[] = [];
      for (const change of batch.changes) {
        const entry = change.isRemoved ? 'removed' : await this.#entryOf(change);
        if (typeof entry === 'object') entries.push(entry);
        else if (entry === 'removed') removed.push({ id: change.id });
        else if (entry === 'outside') removed.push({ id: change.id, isInferred: true });
        else {
          // The feed does not say that the file is gone; only its folder does.
          const existence = await this.#source.exists({ path: '', id: change.id }, this.#signal);
          if (existence === 'present') return false;
          if (existence === 'absent') removed.push({ id: change.id });
        }
      }
      const page = { entries, removed, completeFolders: [], failures: [] };
      if (batch.next === null) {
        yield { ...page, resumeToken: null, ...(batch.latest === null ? {} : { changeToken: batch.latest }) };
        return true;
      }
      token = batch.next;
      yield { ...page, resumeToken: JSON.stringify({ changes: token }) };
    }
  }

  /** Returns the file as a whole listing would show it. */
  async #entryOf({ id, parentId }: Change): Promise<SourceEntry | 'outside' | 'unlisted'> {
    if (parentId === null) return 'unlisted';
    const folder = await this.#pathOf(parentId, 0);
    if (typeof folder === 'string') return folder;
    const { path } = folder;
    const child = (await this.#childrenOf(parentId, path)).find((each) => each.kind === 'file' && each.entry.id === id);
    if (child?.kind !== 'file') return 'unlisted';
    return { ...child.entry, path: path === '' ? child.name : `${path}/${child.name}` };
  }

  async #pathOf(folderId: string, depth: number): Promise<PathOrMiss> {
    const known = this.#paths.get(folderId);
    if (known !== undefined) return known;
    const path = await this.#resolve(folderId, depth);
    this.#paths.set(folderId, path);
    return path;
  }

  async #resolve(folderId: string, depth: number): Promise<PathOrMiss> {
    if (folderId === (await this.#source.rootId(this.#signal))) return { path: '' };
    if (depth > MAX_DEPTH) return 'unlisted';
    const parentId = await this.#source.parentOf(folderId, this.#signal);
    if (parentId === null) return 'outside';
    const parent = await this.#pathOf(parentId, depth + 1);
    if (typeof parent === 'string') return parent;
    const siblings = await this.#childrenOf(parentId, parent.path);
    const folder = siblings.find((each) => each.kind === 'folder' && each.folder === folderId);
    if (folder === undefined) return 'unlisted';
    return { path: parent.path === '' ? folder.name : `${parent.path}/${folder.name}` };
  }

  async #childrenOf(folderId: string, path: string): Promise<readonly TreeChild<string>[]> {
    const known = this.#children.get(folderId);
    if (known !== undefined) return known;
    const children = await this.#source.children(folderId, path, this.#signal);
    this.#children.set(folderId, children);
    return children;
  }
}
