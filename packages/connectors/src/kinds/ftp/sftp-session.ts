/** One connection of SSH with an SFTP channel. Requests may run at the same time. */
import { createHash } from 'node:crypto';
import { OutboundError } from '@quire/outbound/outbound-error';
import type { Attributes, Client, FileEntryWithStats, SFTPWrapper } from 'ssh2';
import { AddressRefused, ConnectorError, CredentialsRefused, SourceUnavailable } from '../../connector-error.ts';
import type { ConnectorContext } from '../../connector.ts';
import type { FtpConfig } from './config.ts';

/** Maximum time to connect and to log in, in milliseconds. */
const TIMEOUT_MS = 20_000;
/** Maximum time until a connection is established, in milliseconds. */
const CONNECT_MS = 10_000;
const KEEPALIVE_MS = 15_000;

/** A status with which the server answered a request. */
export class SftpStatus extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Codes of the protocol. */
export const NO_SUCH_FILE = 2;
export const PERMISSION_DENIED = 3;

type Callback<T> = (error: Error | undefined, value: T) => void;

export class SftpSession {
  readonly #client: Client;
  #sftp: SFTPWrapper | null = null;
  isClosed = false;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(config: FtpConfig, context: ConnectorContext, signal: AbortSignal): Promise<SftpSession> {
    // Loaded here, because few installations use SFTP and the library takes 40 ms to load.
    const ssh2 = (await import('ssh2')).default;
    const session = new SftpSession(new ssh2.Client());
    const abort = (): void => session.close();
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await session.#connect(config, context, signal);
      return session;
    } catch (error) {
      session.close();
      throw signal.aborted ? signal.reason : connectError(error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  close(): void {
    this.isClosed = true;
    this.#client.destroy();
  }

  realpath(path: string, signal: AbortSignal): Promise<string> {
    return this.#call(signal, (sftp, done: Callback<string>) => sftp.realpath(path, done));
  }

  /** Reads the attributes of a file, and of a link itself. */
  lstat(path: string, signal: AbortSignal): Promise<Attributes> {
    return this.#call(signal, (sftp, done: Callback<Attributes>) => sftp.lstat(path, done));
  }

  open(path: string, signal: AbortSignal): Promise<Buffer> {
    return this.#call(signal, (sftp, done: Callback<Buffer>) => sftp.open(path, 'r', done));
  }

  fstat(handle: Buffer, signal: AbortSignal): Promise<Attributes> {
    return this.#call(signal, (sftp, done: Callback<Attributes>) => sftp.fstat(handle, done));
  }

  openFolder(path: string, signal: AbortSignal): Promise<Buffer> {
    return this.#call(signal, (sftp, done: Callback<Buffer>) => sftp.opendir(path, done));
  }

  /** Returns the next entries of a folder; null at its end. */
  async readFolder(handle: Buffer, signal: AbortSignal): Promise<readonly FileEntryWithStats[] | null> {
    try {
      return await this.#call(signal, (sftp, done: Callback<FileEntryWithStats[]>) => sftp.readdir(handle, done));
    } catch (error) {
      if (error instanceof SftpStatus && error.code === 1) return null;
      throw error;
    }
  }

  /** Returns up to `length` bytes; an empty buffer at the end of the file. */
  async read(handle: Buffer, position: number, length: number, signal: AbortSignal): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    try {
      const count = await this.#call(signal, (sftp, done: Callback<number>) => {
        sftp.read(handle, buffer, 0, length, position, done);
      });
      return buffer.subarray(0, count);
    } catch (error) {
      if (error instanceof SftpStatus && error.code === 1) return Buffer.alloc(0);
      throw error;
    }
  }

  /** Closes a handle. A failure has no effect: the server closes all handles with the connection. */
  closeHandle(handle: Buffer): void {
    if (!this.isClosed) this.#sftp?.close(handle, () => undefined);
  }

  /** Runs one request. An abort ends the waiting and not the connection. */
  #call<T>(signal: AbortSignal, request: (sftp: SFTPWrapper, done: Callback<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      if (this.#sftp === null || this.isClosed) return reject(new SourceUnavailable('the SSH connection has ended'));
      const abort = (): void => reject(signal.reason as Error);
      const lost = (): void => {
        this.isClosed = true;
        reject(new SourceUnavailable('the SSH connection has ended'));
      };
      const settle = (): void => {
        signal.removeEventListener('abort', abort);
        this.#client.off('close', lost);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#client.once('close', lost);
      request(this.#sftp, (error, value) => {
        settle();
        // The library reports lost connections without a code, before the event of the connection.
        if (error !== undefined && error !== null && !('code' in error)) this.isClosed = true;
        if (error === undefined || error === null) resolve(value);
        else reject(requestError(error));
      });
    });
  }

  async #connect(config: FtpConfig, context: ConnectorContext, signal: AbortSignal): Promise<void> {
    const { host, port = 22, hostKeyFingerprint } = config;
    const sock = await context.outbound.connect({ host, port, signal, timeoutMs: CONNECT_MS });
    let seen = '';
    const isKnown = (key: Buffer): boolean => {
      seen = `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
      return hostKeyFingerprint === undefined || seen === hostKeyFingerprint;
    };
    this.#client.setMaxListeners(0);
    this.#client.on('close', () => (this.isClosed = true));
    try {
      await this.#ready(config, sock, isKnown);
    } catch (error) {
      if (seen !== '' && hostKeyFingerprint !== undefined && seen !== hostKeyFingerprint) {
        throw new CredentialsRefused(`the host key changed: it is ${seen} and not ${hostKeyFingerprint}`);
      }
      throw error;
    }
    this.#sftp = await new Promise((resolve, reject) => {
      this.#client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(error)));
    });
    if (hostKeyFingerprint === undefined) await context.remember('hostKeyFingerprint', seen);
  }

  #ready(
    config: FtpConfig,
    sock: Awaited<ReturnType<ConnectorContext['outbound']['connect']>>,
    isKnown: (key: Buffer) => boolean,
  ): Promise<void> {
    const { username, password, privateKey, passphrase } = config;
    return new Promise((resolve, reject) => {
      this.#client.once('ready', resolve);
      this.#client.on('error', reject);
      this.#client.once('close', () => reject(new Error('the connection was closed during the login')));
      this.#client.on('keyboard-interactive', (_name, _text, _language, prompts, finish) => {
        finish(prompts.map(() => password ?? ''));
      });
      this.#client.connect({
        sock,
        ...(username === undefined ? {} : { username }),
        ...(password === undefined ? {} : { password, tryKeyboard: true }),
        ...(privateKey === undefined ? {} : { privateKey }),
        ...(passphrase === undefined ? {} : { passphrase }),
        readyTimeout: TIMEOUT_MS,
        keepaliveInterval: KEEPALIVE_MS,
        hostVerifier: isKnown,
      });
    });
  }
}

function requestError(error: Error): Error {
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return new SftpStatus(code, error.message);
  return new SourceUnavailable(`the SSH connection failed: ${error.message}`, null, { cause: error });
}

function connectError(error: unknown): unknown {
  if (error instanceof ConnectorError) return error;
  if (error instanceof OutboundError) {
    if (error.kind === 'refused') return new AddressRefused(error.message);
    return new SourceUnavailable(error.message, null, { cause: error });
  }
  const { message, level } = error as Error & { level?: string };
  if (level === 'client-authentication' || /privateKey|passphrase|parse.{0,80}key/i.test(message)) {
    return new CredentialsRefused(`the server refused the login: ${message}`);
  }
  return new SourceUnavailable(`the SSH connection failed: ${message}`, null, { cause: error });
}
