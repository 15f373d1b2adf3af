/** Connector to a server of FTP or FTPS. Each file is read on a connection of its own; idle connections are reused. */
import { PassThrough, type Readable, Writable } from 'node:stream';
import { FTPError } from 'basic-ftp';
import { CredentialsRefused, ItemFailed, ListingFailed, SourceUnavailable } from '../../connector-error.ts';
import type { ConnectorContext, Existence, FetchedFile, KnownFile, SourceEntry } from '../../connector.ts';
import { checkSize } from '../../http/http-source.ts';
import { TreeConnector } from '../../tree-connector.ts';
import type { TreeChild } from '../../tree-listing.ts';
import type { FtpConfig } from './config.ts';
import {
  describeFile,
  factsOf,
  isFile,
  isFolder,
  isPermission,
  listFolder,
  sizeOf,
  timeOf,
  type ListedFile,
} from './listing.ts';
import { FtpSession } from './session.ts';

/** Idle time after which a connection is probed before its next use, in milliseconds. */
const PROBE_AFTER_MS = 10_000;
/** Number of folders whose names are kept while files are verified. */
const MAX_KEPT_FOLDERS = 16;

/** Names in a folder, with whether they are files; null for a folder that cannot be listed. */
type FolderNames = ReadonlyMap<string, boolean> | null;

export class FtpConnector extends TreeConnector {
  readonly #config: FtpConfig;
  #idle: { session: FtpSession; since: number }[] = [];
  readonly #names = new Map<string, Promise<FolderNames>>();

  constructor(config: FtpConfig, context: ConnectorContext) {
    super(context);
    this.#config = config;
  }

  async close(): Promise<void> {
    for (const { session } of this.#idle) session.client.close();
    this.#idle = [];
  }

  async children(_folder: string, path: string, signal: AbortSignal): Promise<readonly TreeChild<string>[]> {
    return this.#withSession(signal, async (session) => {
      const listed = await listFolder(session, this.#absolute(session, path), path, signal);
      const children: TreeChild<string>[] = [];
      for (const info of listed) {
        const { name } = info;
        const child = path === '' ? name : `${path}/${name}`;
        if (isFolder(info)) children.push({ kind: 'folder', name, folder: child });
        if (!isFile(info)) continue;
        const entry = await describeFile(session, info, this.#absolute(session, child), signal);
        children.push({ kind: 'file', name, entry });
      }
      return children;
    });
  }

  async fetch(entry: SourceEntry, signal: AbortSignal): Promise<FetchedFile> {
    const session = await this.#acquire(signal);
    try {
      const file = await this.#current(session, entry, signal);
      checkSize(file.sizeBytes, this.context.maxFileBytes, entry.path);
      const body = this.#download(session, entry, file, signal);
      return { version: file.version, ...(file.sizeBytes === undefined ? {} : { sizeBytes: file.sizeBytes }), body };
    } catch (error) {
      this.#release(session, error);
      throw itemError(error, entry.path);
    }
  }

  /**
   * Lists the folder again and requests the size: a refusal alone may be a missing permission, and a list alone may be
   * cut.
   */
  protected async existsBelow({ path }: KnownFile, signal: AbortSignal): Promise<Existence> {
    const segments = path.split('/');
    for (let depth = segments.length - 1; depth >= 0; depth -= 1) {
      const names = await this.#namesOf(segments.slice(0, depth).join('/'), signal);
      if (names === null) continue;
      const type = names.get(segments[depth] ?? '');
      const isParent = depth === segments.length - 1;
      // The folder below exists and cannot be listed.
      if (type === false && !isParent) return 'unknown';
      if (type !== undefined) return type && isParent ? 'present' : 'absent';
      return this.#withSession(signal, (session) => sizeOf(session, this.#absolute(session, path), signal));
    }
    throw new ListingFailed('', 'the folder cannot be listed any more');
  }

  #namesOf(folder: string, signal: AbortSignal): Promise<FolderNames> {
    const known = this.#names.get(folder);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_KEPT_FOLDERS) this.#names.clear();
    const reading = this.#withSession(signal, async (session) => {
      try {
        const listed = await listFolder(session, this.#absolute(session, folder), folder, signal);
        return new Map(listed.map((info) => [info.name, isFile(info)]));
      } catch (error) {
        if (error instanceof ListingFailed) return null;
        throw error;
      }
    });
    this.#names.set(folder, reading);
    reading.catch(() => this.#names.delete(folder));
    return reading;
  }

  #absolute({ home }: FtpSession, path: string): string {
    const { path: root } = this.#config;
    const start = root === '' ? home : root.startsWith('/') ? root : `${home.replace(/\/+$/, '')}/${root}`;
    return path === '' ? start : `${start.replace(/\/+$/, '')}/${path}`;
  }

  /** Returns version and size of a file as the listing would show them now. */
  async #current(session: FtpSession, entry: SourceEntry, signal: AbortSignal): Promise<ListedFile> {
    const absolute = this.#absolute(session, entry.path);
    const facts = await factsOf(session, absolute, signal);
    if (facts !== null) return facts;
    const size = await session.run(signal, () => session.client.size(absolute));
    const time = session.features.has('MDTM') ? await timeOf(session, absolute, signal) : null;
    const isSameSize = entry.version.endsWith(` ${size}`);
    if (isSameSize && (time === null || entry.modifiedAt?.getTime() === time.getTime())) {
      return { version: entry.version, sizeBytes: size };
    }
    const folder = entry.path.split('/').slice(0, -1).join('/');
    const name = entry.path.slice(folder === '' ? 0 : folder.length + 1);
    const listed = await listFolder(session, this.#absolute(session, folder), folder, signal);
    const info = listed.find((each) => each.name === name && isFile(each));
    if (info === undefined) throw new ItemFailed(entry.path, 'gone', 'the file does not exist any more');
    return describeFile(session, info, absolute, signal);
  }

  /** Streams a file. Its last part is passed on only after the file proved to be the same as before. */
  #download(session: FtpSession, entry: SourceEntry, before: ListedFile, signal: AbortSignal): Readable {
    const { path } = entry;
    const body = new PassThrough();
    const absolute = this.#absolute(session, path);
    const run = async (): Promise<void> => {
      await session.run(signal, () =>
        session.client.downloadTo(sinkOf(body, path, this.context.maxFileBytes), absolute),
      );
      const after = await this.#current(session, { ...entry, ...before }, signal);
      if (after.version !== before.version) throw new ItemFailed(path, 'changed', 'the file changed while it was read');
    };
    const abort = (): void => void body.destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    let hasEnded = false;
    body.once('close', () => {
      signal.removeEventListener('abort', abort);
      if (!hasEnded) session.client.close();
    });
    void run().then(
      () => {
        hasEnded = true;
        this.#release(session);
        body.end();
      },
      (error: unknown) => {
        hasEnded = true;
        this.#release(session, error);
        body.destroy(itemError(error, path) as Error);
      },
    );
    return body;
  }

  async #withSession<T>(signal: AbortSignal, work: (session: FtpSession) => Promise<T>): Promise<T> {
    const session = await this.#acquire(signal);
    try {
      const result = await work(session);
      this.#release(session);
      return result;
    } catch (error) {
      this.#release(session, error);
      throw error instanceof FTPError ? new SourceUnavailable(error.message, null, { cause: error }) : error;
    }
  }

  async #acquire(signal: AbortSignal): Promise<FtpSession> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const { session, since } = idle;
      if (session.client.closed) continue;
      if (performance.now() - since < PROBE_AFTER_MS) return session;
      try {
        await session.run(signal, () => session.client.send('NOOP'));
        return session;
      } catch (error) {
        session.client.close();
        if (signal.aborted) throw error;
      }
    }
    try {
      return await FtpSession.open(this.#config, this.context, signal);
    } catch (error) {
      throw error instanceof FTPError ? new SourceUnavailable(error.message, null, { cause: error }) : error;
    }
  }

  /** Keeps the connection, unless its state is unknown after a failure. */
  #release(session: FtpSession, error?: unknown): void {
    const isUsable = !(error instanceof SourceUnavailable || error instanceof CredentialsRefused);
    if (isUsable && !session.client.closed) this.#idle.push({ session, since: performance.now() });
    else session.client.close();
  }
}

/** Writes to the body without ending it, and stops at the maximum size. */
function sinkOf(body: PassThrough, path: string, maxFileBytes: number): Writable {
  let size = 0;
  return new Writable({
    write(part: Buffer, _encoding, done) {
      size += part.length;
      if (size > maxFileBytes)
        return done(new ItemFailed(path, 'too_large', `the file has more than ${maxFileBytes} bytes`));
      if (body.destroyed) return done(new Error('the body was closed'));
      if (body.write(part)) return done();
      const go = (): void => {
        body.off('drain', go);
        body.off('close', go);
        done();
      };
      body.once('drain', go);
      body.once('close', go);
    },
  });
}

/** Returns the failure of a file for a reply of the server. */
function itemError(error: unknown, path: string): unknown {
  if (!(error instanceof FTPError)) return error;
  if (isPermission(error)) return new ItemFailed(path, 'permission', error.message);
  if (error.code === 550 || error.code === 450) return new ItemFailed(path, 'gone', error.message);
  return new ItemFailed(path, 'network', error.message);
}
