/**
 * The container of a backup: a tar stream, so that standard tools can read it, whose last entry holds the number of
 * entries and a SHA-256 over their names and contents.
 */
import { createHash, type Hash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { extract, pack, type Pack } from 'tar-stream';

const SEAL = 'seal.json';

interface Seal {
  entries: number;
  sha256: string;
}

/** The backup is damaged, incomplete or of an unknown kind; the message says which. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export class ArchiveWriter {
  readonly #pack: Pack = pack();
  readonly #hash: Hash = createHash('sha256');
  #entries = 0;

  /** The bytes of the archive; must be consumed while entries are added. */
  readonly stream: Readable;

  constructor() {
    this.stream = Readable.from(this.#pack as AsyncIterable<Buffer>);
    // A consumer that fails must not leave a writer waiting.
    this.stream.once('close', () => this.#pack.destroy());
  }

  async add(name: string, content: Buffer): Promise<void> {
    this.#begin(name);
    this.#hash.update(content);
    await this.#write(name, content);
  }

  async addStream(name: string, size: number, content: Readable): Promise<void> {
    this.#begin(name);
    const { promise, resolve, reject } = deferred();
    const entry = this.#pack.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()));
    entry.on('error', reject);
    const ended = promise.then(() => true);
    // A failure between two waits is thrown by the next one.
    for (const each of [promise, ended]) each.catch(() => undefined);
    for await (const bytes of content as AsyncIterable<Buffer>) {
      this.#hash.update(bytes);
      if (entry.write(bytes)) continue;
      const drained = new Promise<boolean>((drain) => entry.once('drain', () => drain(false)));
      if (await Promise.race([drained, ended])) throw new BackupError(`${name} grew while it was copied`);
    }
    entry.end(undefined);
    await promise;
  }

  /** Ends the archive with its seal; without it the archive counts as incomplete. */
  async seal(): Promise<void> {
    const seal: Seal = { entries: this.#entries, sha256: this.#hash.digest('hex') };
    await this.#write(SEAL, Buffer.from(JSON.stringify(seal)));
    this.#pack.finalize();
  }

  /** Rejects when the consumer of the archive fails, which ends the entry with an `error` event too. */
  #write(name: string, content: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const ended = (error?: Error | null): void => (error ? reject(error) : resolve());
      this.#pack.entry({ name, mode: 0o600 }, content, ended).on('error', reject);
    });
  }

  #begin(name: string): void {
    this.#entries += 1;
    this.#hash.update(`${name}\0`);
  }
}

/**
 * Reads an archive and passes each entry to `visit`, which must consume its content. Throws a `BackupError` if the seal
 * is missing or does not match, after all entries were visited.
 */
export async function readArchive(
  source: Readable,
  visit: (name: string, size: number, content: Readable) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256');
  let entries = 0;
  let seal: Seal | undefined;
  const tar = extract();
  let sourceError: Error | undefined;
  source.once('error', (error) => {
    sourceError = error;
    tar.destroy(error);
  });
  source.pipe(tar as unknown as Writable);
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      const bytes = entry as AsyncIterable<Buffer>;
      if (name === SEAL) {
        seal = JSON.parse((await collect(bytes)).toString('utf8')) as Seal;
        continue;
      }
      entries += 1;
      hash.update(`${name}\0`);
      const content = Readable.from(hashed(bytes, hash));
      await visit(name, size, content);
      content.resume();
      if (!content.readableEnded) await finished(content);
    }
  } catch (error) {
    if (sourceError !== undefined) throw sourceError;
    // A cut archive ends an entry's stream early, which tar-stream reports in one of these ways, depending on timing.
    const isCut =
      error instanceof Error && /tar|Unexpected end|Stream was destroyed|Premature close/i.test(error.message);
    if (error instanceof BackupError || !isCut) throw error;
    throw new BackupError(`The backup is damaged or incomplete (${error.message})`, { cause: error });
  }
  if (seal === undefined) throw new BackupError('The backup is incomplete: its end is missing');
  if (seal.entries !== entries || seal.sha256 !== hash.digest('hex')) {
    throw new BackupError('The backup is damaged: its checksum does not match');
  }
}

async function* hashed(source: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } {
  let settle = { resolve: (): void => undefined, reject: (_error: Error): void => undefined };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}

export async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}
