/** Reference implementation of `Connector` over a tree in memory. Only imported by tests. */
import { Readable } from 'node:stream';
import {
  type ConnectorError,
  CredentialsRefused,
  ItemFailed,
  ListingFailed,
  SourceUnavailable,
} from '../connector-error.ts';
import {
  MAX_SAMPLE_PATHS,
  type Connector,
  type ConnectorContext,
  type Existence,
  type FetchedFile,
  type KnownFile,
  type ListingPage,
  type SourceEntry,
} from '../connector.ts';
import { foldersOf } from '../deletion-scope.ts';
import type { Fault } from '../conformance/source.ts';

const CHUNK_BYTES = 64 * 1024;

interface StoredFile {
  id: string;
  version: string;
  bytes: Buffer;
}

export class MemorySource {
  readonly files = new Map<string, StoredFile>();
  /** Targets by the path of their link. A listing ignores links. */
  readonly links = new Map<string, string>();
  fault: Fault | null = null;
  #writes = 0;

  write(path: string, bytes: Buffer): void {
    this.#writes += 1;
    const id = this.files.get(path)?.id ?? `file-${this.#writes}`;
    this.files.set(path, { id, version: `v${this.#writes}`, bytes });
  }

  move(from: string, to: string): void {
    const file = this.files.get(from);
    if (file === undefined) throw new Error(`there is no file '${from}'`);
    this.files.delete(from);
    this.files.set(to, file);
  }
}

/** One file or one failed folder, in the order of the listing. */
interface Step {
  path: string;
  segments: readonly string[];
  failure?: ListingFailed;
}

/** Compares segment by segment, so that the files of a folder follow each other. */
function compareSegments(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((segment, at) => segment !== other[at]);
  if (index === -1) return one.length - other.length;
  const theirs = other[index];
  return theirs === undefined || (one[index] ?? '') > theirs ? 1 : -1;
}

export class MemoryConnector implements Connector {
  readonly #source: MemorySource;
  readonly #context: ConnectorContext;

  constructor(source: MemorySource, context: ConnectorContext) {
    this.#source = source;
    this.#context = context;
  }

  async *list(resumeToken: string | null, signal: AbortSignal): AsyncGenerator<ListingPage> {
    let token = resumeToken;
    let listed = 0;
    do {
      await this.#request(signal);
      const page = this.#page(token);
      listed += page.entries.length;
      if (this.#source.fault?.kind === 'cut' && listed > this.#source.fault.afterEntries) {
        throw new SourceUnavailable('the connection ended in the middle of the listing');
      }
      yield page;
      token = page.resumeToken;
    } while (token !== null);
  }

  async fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    await this.#request(signal);
    const { path } = entry;
    const file = this.#source.files.get(path);
    if (file === undefined) throw new ItemFailed(path, 'gone', 'the file does not exist any more');
    const { fault } = this.#source;
    if (fault?.kind === 'file' && fault.path === path)
      throw new ItemFailed(path, 'permission', 'reading is not allowed');
    if (file.bytes.length > this.#context.maxFileBytes)
      throw new ItemFailed(path, 'too_large', 'the file is too large');
    return { version: file.version, sizeBytes: file.bytes.length, body: Readable.from(chunks(file.bytes), { signal }) };
  }

  async exists({ path }: KnownFile, signal: AbortSignal): Promise<Existence> {
    await this.#request(signal);
    return this.#source.files.has(path) ? 'present' : 'absent';
  }

  async test(signal: AbortSignal): Promise<readonly string[]> {
    await this.#request(signal);
    return this.#steps()
      .filter(({ failure }) => failure === undefined)
      .slice(0, MAX_SAMPLE_PATHS)
      .map(({ path }) => path);
  }

  async close(): Promise<void> {}

  async #request(signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const error = faultError(this.#source.fault);
    if (error !== null) throw error;
  }

  #page(token: string | null): ListingPage {
    const after = token?.split('/');
    const steps = this.#steps().filter(({ segments }) => after === undefined || compareSegments(segments, after) > 0);
    const taken = steps.slice(0, this.#context.maxPageEntries);
    const isLast = taken.length === steps.length;
    return {
      entries: taken.flatMap(({ path, failure }) => (failure === undefined ? [this.#entry(path)] : [])),
      resumeToken: isLast ? null : (taken.at(-1)?.path ?? null),
      completeFolders: taken
        .flatMap((step, index) => foldersThatEnd(step, steps[index + 1]))
        .concat(isLast ? [''] : []),
      failures: taken.flatMap(({ failure }) => (failure === undefined ? [] : [failure])),
    };
  }

  #steps(): Step[] {
    const { fault, files } = this.#source;
    const failed = fault?.kind === 'folder' ? fault.folder : null;
    const hidden = fault?.kind === 'hidden' ? fault.path : null;
    const readable = [...files.keys()].filter(
      (path) => path !== hidden && (failed === null || !path.startsWith(`${failed}/`)),
    );
    const steps: Step[] = readable.map((path) => ({ path, segments: path.split('/') }));
    if (failed !== null) {
      const failure = new ListingFailed(failed, 'the folder could not be listed');
      steps.push({ path: failed, segments: failed.split('/'), failure });
    }
    return steps.toSorted((one, other) => compareSegments(one.segments, other.segments));
  }

  #entry(path: string): SourceEntry {
    const file = this.#source.files.get(path);
    if (file === undefined) throw new Error(`there is no file '${path}'`);
    return { path, id: file.id, version: file.version, sizeBytes: file.bytes.length };
  }
}

/** Returns the folders of a step that the next step is not in, without the root. */
function foldersThatEnd(step: Step, next: Step | undefined): string[] {
  const remaining = new Set(next === undefined ? [''] : foldersOf(next.path));
  return foldersOf(step.path).filter((folder) => folder !== '' && !remaining.has(folder));
}

function faultError(fault: Fault | null): ConnectorError | null {
  if (fault?.kind === 'credentials') return new CredentialsRefused('the source refused the credentials');
  if (fault?.kind === 'unavailable') return new SourceUnavailable('the source does not answer', fault.retryAfterMs);
  if (fault?.kind === 'missing-root') return new ListingFailed('', 'the folder does not exist');
  return null;
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    await new Promise((resolve) => setImmediate(resolve));
    yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}
