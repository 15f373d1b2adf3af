/** Connector to a server of SFTP. Links are neither listed nor followed. */
import { Readable } from 'node:stream';
import type { Attributes } from 'ssh2';
import { ItemFailed, ListingFailed, SourceUnavailable } from '../../connector-error.ts';
import type { ConnectorContext, Existence, FetchedFile, KnownFile, SourceEntry } from '../../connector.ts';
import { checkSize } from '../../http/http-source.ts';
import { TreeConnector } from '../../tree-connector.ts';
import type { TreeChild } from '../../tree-listing.ts';
import type { FtpConfig } from './config.ts';
import { NO_SUCH_FILE, PERMISSION_DENIED, SftpSession, SftpStatus } from './sftp-session.ts';

const READ_BYTES = 32 * 1024;
/** Number of reads of one file at the same time. */
const READS = 8;
const TYPE_MASK = 0o170_000;
const FOLDER = 0o040_000;
const FILE = 0o100_000;

const typeOf = ({ mode }: Attributes): number => mode & TYPE_MASK;
const versionOf = ({ mtime, size }: Attributes): string => `${new Date(mtime * 1000).toISOString()} ${size}`;

/** A server may return the spelling of its disk: another case, or another normal form of Unicode. */
const isSamePath = (one: string, other: string): boolean =>
  one.normalize().toLowerCase() === other.normalize().toLowerCase();

export class SftpConnector extends TreeConnector {
  readonly #config: FtpConfig;
  #session: Promise<SftpSession> | null = null;
  /** Absolute path of the root, without links. */
  #base: string | null = null;

  constructor(config: FtpConfig, context: ConnectorContext) {
    super(context);
    this.#config = config;
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    (await session?.catch(() => null))?.close();
  }

  async children(_folder: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]> {
    try {
      return await this.#withSession(signal, (session) => this.#children(session, path, signal));
    } catch (error) {
      if (error instanceof SftpStatus) {
        throw new ListingFailed(path, `the folder cannot be listed: ${error.message}`, { cause: error });
      }
      throw error;
    }
  }

  async fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    const { path } = entry;
    try {
      return await this.#withSession(signal, (session) => this.#opened(session, path, signal));
    } catch (error) {
      throw error instanceof SftpStatus ? itemError(error, path) : error;
    }
  }

  /** A file below a link, or a folder or link in place of the file, is none that a listing contains. */
  protected existsBelow({ path }: KnownFile, signal: AbortSignal): Promise<Existence> {
    return this.#withSession(signal, async (session) => {
      try {
        const absolute = await this.#absolute(session, path, signal);
        const type = typeOf(await session.lstat(absolute, signal));
        if (type !== FILE) return type === 0 ? 'unknown' : 'absent';
        return isSamePath(await session.realpath(absolute, signal), absolute) ? 'present' : 'absent';
      } catch (error) {
        if (!(error instanceof SftpStatus)) throw error;
        return error.code === NO_SUCH_FILE ? 'absent' : 'unknown';
      }
    });
  }

  async #opened(session: SftpSession, path: string, signal: AbortSignal): Promise<FetchedFile> {
    const absolute = await this.#absolute(session, path, signal);
    const real = await session.realpath(absolute, signal);
    if (real !== absolute) throw new ItemFailed(path, 'permission', 'the path leads over a link');
    if (typeOf(await session.lstat(absolute, signal)) !== FILE)
      throw new ItemFailed(path, 'unsupported', 'it is no file');
    const handle = await session.open(absolute, signal);
    const before = await session.fstat(handle, signal);
    checkSize(before.size, this.context.maxFileBytes, path);
    const body = Readable.from(this.#read(session, handle, path, before, signal), { signal, objectMode: false });
    return { version: versionOf(before), sizeBytes: before.size, body };
  }

  async #children(session: SftpSession, path: string, signal: AbortSignal): Promise<TreeChild<string>[]> {
    const absolute = await this.#absolute(session, path, signal);
    if ((await session.realpath(absolute, signal)) !== absolute) throw new ListingFailed(path, 'the folder is a link');
    const handle = await session.openFolder(absolute, signal);
    const children: TreeChild<string>[] = [];
    try {
      for (;;) {
        const batch = await session.readFolder(handle, signal);
        if (batch === null) return children;
        for (const { filename: name, attrs } of batch) {
          if (name === '.' || name === '..') continue;
          if (typeOf(attrs) === FOLDER) children.push({ kind: 'folder', name, folder: name });
          if (typeOf(attrs) !== FILE) continue;
          const { size, mtime } = attrs;
          const entry = { version: versionOf(attrs), sizeBytes: size, modifiedAt: new Date(mtime * 1000) };
          children.push({ kind: 'file', name, entry });
        }
      }
    } finally {
      session.closeHandle(handle);
    }
  }

  /** Reads several parts at the same time, and checks at the end that the file is still the same. */
  async *#read(
    session: SftpSession,
    handle: Buffer,
    path: string,
    before: Attributes,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    let position = 0;
    try {
      const waiting: Promise<Buffer>[] = [];
      let requested = 0;
      while (position < before.size) {
        while (waiting.length < READS && requested < before.size) {
          const part = this.#part(session, handle, requested, Math.min(READ_BYTES, before.size - requested), signal);
          part.catch(() => undefined);
          waiting.push(part);
          requested += READ_BYTES;
        }
        const part = await waiting.shift();
        if (part === undefined || part.length === 0) break;
        position += part.length;
        yield part;
      }
      const after = await session.fstat(handle, signal);
      if (position < before.size || versionOf(after) !== versionOf(before)) {
        throw new ItemFailed(path, 'changed', 'the file changed while it was read');
      }
    } catch (error) {
      throw itemError(error, path);
    } finally {
      session.closeHandle(handle);
    }
  }

  /** Returns all bytes of a part: a server may return fewer at once. */
  async #part(session: SftpSession, handle: Buffer, at: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const parts: Buffer[] = [];
    let count = 0;
    while (count < length) {
      const part = await session.read(handle, at + count, length - count, signal);
      if (part.length === 0) break;
      parts.push(part);
      count += part.length;
    }
    return Buffer.concat(parts);
  }

  async #absolute(session: SftpSession, path: string, signal: AbortSignal): Promise<string> {
    const root = this.#config.path === '' ? '.' : this.#config.path;
    this.#base ??= await session.realpath(root, signal);
    return path === '' ? this.#base : `${this.#base.replace(/\/+$/, '')}/${path}`;
  }

  /** Repeats the work once on a new connection, if the one of earlier work was lost meanwhile. */
  async #withSession<T>(signal: AbortSignal, work: (session: SftpSession) => Promise<T>): Promise<T> {
    const isReused = this.#session !== null;
    const session = await this.#connected(signal);
    try {
      return await work(session);
    } catch (error) {
      if (!isReused || !session.isClosed || !(error instanceof SourceUnavailable)) throw error;
      return work(await this.#connected(signal));
    }
  }

  async #connected(signal: AbortSignal): Promise<SftpSession> {
    signal.throwIfAborted();
    const existing = await this.#session?.catch(() => null);
    if (existing !== undefined && existing !== null && !existing.isClosed) return existing;
    const opening = SftpSession.open(this.#config, this.context, signal);
    this.#session = opening;
    return opening;
  }
}

function itemError(error: unknown, path: string): unknown {
  if (error instanceof SourceUnavailable) return new ItemFailed(path, 'network', error.message, { cause: error });
  if (!(error instanceof SftpStatus)) return error;
  const reason = error.code === PERMISSION_DENIED ? 'permission' : error.code === NO_SUCH_FILE ? 'gone' : 'network';
  return new ItemFailed(path, reason, error.message, { cause: error });
}
