/** One logged-in connection of FTP. Control and data connections go to the same checked address. */
import { isIP } from 'node:net';
import { connect as connectTls, TLSSocket, type ConnectionOptions } from 'node:tls';
import { OutboundError } from '@quire/outbound/outbound-error';
import { Client, FTPError, type FTPContext, type FTPResponse } from 'basic-ftp';
import { AddressRefused, ConnectorError, CredentialsRefused, SourceUnavailable } from '../../connector-error.ts';
import type { ConnectorContext } from '../../connector.ts';
import type { FtpConfig } from './config.ts';

/** Maximum time without an answer, in milliseconds. */
const TIMEOUT_MS = 60_000;
/** Maximum time until a connection is established, in milliseconds. */
const CONNECT_MS = 10_000;
/** Maximum size of the listing of one folder, in bytes. */
const MAX_LISTING_BYTES = 256 * 1024 * 1024;
const IMPLICIT_TLS_PORT = 990;

export class FtpSession {
  readonly client = new Client(TIMEOUT_MS, { maxListingBytes: MAX_LISTING_BYTES });
  /** Text of the replies to the current command. */
  replies = '';
  features: ReadonlyMap<string, string> = new Map();
  /** Folder after the login. */
  home = '/';
  readonly #config: FtpConfig;
  readonly #context: ConnectorContext;
  #address = '';
  #usesExtended = true;

  private constructor(config: FtpConfig, context: ConnectorContext) {
    this.#config = config;
    this.#context = context;
    this.client.ftp.log = (line) => {
      if (line.startsWith('< ')) this.replies = `${this.replies}${line.slice(2)}`.slice(-4096);
    };
    this.client.prepareTransfer = (ftp) => this.#openData(ftp);
  }

  static async open(config: FtpConfig, context: ConnectorContext, signal: AbortSignal): Promise<FtpSession> {
    const session = new FtpSession(config, context);
    try {
      await session.run(signal, () => session.#login(signal));
      return session;
    } catch (error) {
      session.client.close();
      throw error;
    }
  }

  /** Runs commands. An abort closes the connection. Failures but replies (`FTPError`) become errors of connectors. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const abort = (): void => this.client.close();
    signal.addEventListener('abort', abort, { once: true });
    this.replies = '';
    try {
      return await work();
    } catch (error) {
      throw signal.aborted ? signal.reason : ftpError(error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  get #tlsOptions(): ConnectionOptions {
    const { host } = this.#config;
    const { trust } = this.#context.outbound;
    return {
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(trust === undefined ? {} : { secureContext: trust }),
    };
  }

  async #login(signal: AbortSignal): Promise<void> {
    const { protocol, host, username = 'anonymous', password = 'anonymous@' } = this.#config;
    const port = this.#config.port ?? 21;
    const socket = await this.#context.outbound.connect({ host, port, signal, timeoutMs: CONNECT_MS });
    this.#address = socket.remoteAddress ?? host;
    const { ftp } = this.client;
    const isImplicit = protocol === 'ftps' && port === IMPLICIT_TLS_PORT;
    if (isImplicit) {
      ftp.tlsOptions = this.#tlsOptions;
      ftp.socket = await secured(connectTls({ ...this.#tlsOptions, socket }));
    } else ftp.socket = socket;
    await greeting(ftp);
    if (protocol === 'ftps' && !isImplicit) await this.client.useTLS(this.#tlsOptions);
    await this.client.login(username, password);
    await this.client.useDefaultSettings();
    this.features = await this.client.features();
    this.home = await this.client.pwd();
  }

  /** Opens a data connection. The address of a reply to PASV is not used. */
  async #openData(ftp: FTPContext): Promise<FTPResponse> {
    const { response, port } = await this.#passivePort(ftp);
    const { host } = this.#config;
    const connection = { host, port, address: this.#address, signal: new AbortController().signal };
    const socket = await this.#context.outbound.connect({ ...connection, timeoutMs: CONNECT_MS });
    if (!(ftp.socket instanceof TLSSocket)) {
      ftp.dataSocket = socket;
      return response;
    }
    // Servers require that the session of the control connection is resumed.
    const session = ftp.tlsSessionStore ?? ftp.socket.getSession();
    const secure = connectTls({ ...ftp.tlsOptions, socket, ...(session === undefined ? {} : { session }) });
    secure.on('session', (next: Buffer) => void (ftp.tlsSessionStore = next));
    ftp.dataSocket = secure;
    return response;
  }

  async #passivePort(ftp: FTPContext): Promise<{ response: FTPResponse; port: number }> {
    if (this.#usesExtended) {
      try {
        const response = await ftp.request('EPSV');
        const port = /\((.)\1\1(\d{1,5})\1\)/.exec(response.message)?.[2];
        if (port !== undefined) return { response, port: Number(port) };
      } catch (error) {
        if (!(error instanceof FTPError)) throw error;
      }
      this.#usesExtended = false;
    }
    const response = await ftp.request('PASV');
    const match = /(?<!\d)(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})(?!\d)/.exec(response.message);
    if (match === null) throw new SourceUnavailable('the server named no port for a passive connection');
    return { response, port: Number(match[1]) * 256 + Number(match[2]) };
  }
}

function greeting(ftp: FTPContext): Promise<FTPResponse> {
  return ftp.handle(undefined, (reply, task) => {
    if (reply instanceof Error) task.reject(reply);
    else if (reply.code >= 200 && reply.code < 300) task.resolve(reply);
    else task.reject(new FTPError(reply));
  }) as Promise<FTPResponse>;
}

function secured(socket: TLSSocket): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.removeListener('error', reject);
      resolve(socket);
    });
  });
}

/** Replies that concern one file or folder stay as they are. */
function ftpError(error: unknown): unknown {
  if (error instanceof ConnectorError) return error;
  if (error instanceof OutboundError) {
    const Type = error.kind === 'refused' ? AddressRefused : SourceUnavailable;
    return error.kind === 'refused'
      ? new Type(error.message)
      : new SourceUnavailable(error.message, null, { cause: error });
  }
  if (!(error instanceof FTPError)) {
    const text = error instanceof Error ? error.message : String(error);
    return new SourceUnavailable(`the FTP connection failed: ${text}`, null, { cause: error });
  }
  if (error.code === 530 || error.code === 331 || error.code === 332) {
    return new CredentialsRefused(`the server refused the login: ${error.message}`);
  }
  if (error.code >= 400 && error.code < 500 && error.code !== 450) {
    return new SourceUnavailable(`the server is not available: ${error.message}`, null, { cause: error });
  }
  return error;
}
