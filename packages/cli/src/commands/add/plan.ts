/** Compares local files with the documents of a collection. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Document } from '@quire/client';
import type { LocalFile } from './local-files.ts';

/** Key of the metadata that holds the path below the added folder. */
export const PATH_KEY = 'path';

export type Change =
  | { kind: 'add'; file: LocalFile }
  /** The document at this path has other content. */
  | { kind: 'replace'; file: LocalFile; documentId: string }
  /** The document was added from another path, at which there is no file any more. */
  | { kind: 'move'; file: LocalFile; documentId: string }
  | { kind: 'unchanged'; file: LocalFile; documentId: string };

/** Documents of the collection, by path and by content. */
export class Known {
  readonly #byPath = new Map<string, Document>();
  readonly #byHash = new Map<string, Document>();
  /** Paths of the local files. */
  readonly #there: ReadonlySet<string>;

  constructor(files: readonly LocalFile[]) {
    this.#there = new Set(files.map(({ relative }) => relative));
  }

  add(document: Document): void {
    const at = document.metadata[PATH_KEY];
    if (typeof at === 'string') this.#byPath.set(at, document);
    if (document.status !== 'failed') this.#byHash.set(document.sha256, document);
  }

  /** Returns the change for a file with this SHA-256 (hex). */
  changeOf(file: LocalFile, sha256: string): Change {
    const here = this.#byPath.get(file.relative);
    // A failed document is sent again as well.
    if (here !== undefined && (here.sha256 !== sha256 || here.status === 'failed'))
      return { kind: 'replace', file, documentId: here.id };
    const same = here ?? this.#byHash.get(sha256);
    if (same === undefined) return { kind: 'add', file };
    if (!this.#isGone(same)) return { kind: 'unchanged', file, documentId: same.id };
    this.#byPath.delete(String(same.metadata[PATH_KEY]));
    const moved = { ...same, metadata: { ...same.metadata, [PATH_KEY]: file.relative } };
    this.add(moved);
    return { kind: 'move', file, documentId: same.id };
  }

  #isGone({ metadata: { [PATH_KEY]: at } }: Document): boolean {
    return typeof at === 'string' && !this.#there.has(at);
  }

  /** Returns the documents whose file is gone from its path. All files must have been compared before. */
  gone(): Document[] {
    return [...this.#byPath.values()].filter((document) => this.#isGone(document));
  }
}

/** Returns the SHA-256 of a file's content, in hex. Reads it in pieces. */
export async function hashFile(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex');
}
