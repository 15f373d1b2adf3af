/**
 * Sends all HTTP requests to other machines (a lint rule forbids `fetch` and `node:http` elsewhere). The host of each
 * connection is resolved once, every address is checked, and the connection goes to a checked address, so that a
 * changed DNS answer has no effect. Redirects are followed only on request, and are checked in the same way.
 */
import type { LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import http, { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { AddressRules } from './address-rules.ts';
import { failure, OutboundError } from './outbound-error.ts';
import { limitConnecting, opened } from './sockets.ts';
import { TimeLimits, type TimeLimitSettings } from './time-limits.ts';
import { trusting } from './trust.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}
export type Resolver = (host: string) => Promise<ResolvedAddress[]>;

export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PROPFIND';

export interface OutboundRequest extends TimeLimitSettings {
  method: OutboundMethod;
  url: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  signal: AbortSignal;
  maxBytes: number;
  /** Maximum number of redirects to follow. Default 0: a redirect is returned as the response. */
  maxRedirects?: number;
  /**
   * Reuses an open connection, and keeps the connection open for some seconds afterwards. Only for requests that may be
   * sent twice: a request on a connection that the other side has just closed is sent again.
   */
  keepAlive?: boolean;
  /** Maximum time to resolve the host and to connect, TLS included. Default: that of the first byte. */
  connectMs?: number;
}

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Rejects with `OutboundError` if it breaks off, takes too long or grows too large. Must be read or cancelled. */
  body: AsyncIterable<Buffer>;
  cancel(): void;
}

/** A connection for a protocol other than HTTP. */
export interface OutboundConnection {
  host: string;
  port: number;
  /** Address of an earlier connection to the same host, to connect to again. Default: the host is resolved. */
  address?: string;
  signal: AbortSignal;
  /** Maximum time to resolve the host and to connect. */
  timeoutMs: number;
}

export interface OutboundOptions {
  resolve?: Resolver;
  /** Certificates (PEM) of authorities that are trusted in addition to the well-known ones. */
  extraCa?: string | null;
}

type LookupCallback = Parameters<LookupFunction>[2];

interface Hop {
  keepAlive: boolean;
  url: URL;
  method: OutboundMethod;
  headers: OutgoingHttpHeaders;
  body: string | undefined;
  connectMs: number | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const systemResolver: Resolver = (host) => lookup(host, { all: true });

/** Time after which an unused connection is closed. */
const IDLE_MS = 30_000;
const MAX_IDLE_PER_HOST = 64;
const RESOLVE_MS = 5000;

export class OutboundClient {
  readonly #rules: AddressRules;
  readonly #resolve: Resolver;
  readonly #trust: SecureContext | undefined;
  readonly #agents: Record<string, http.Agent>;

  /** Throws if the extra certificates are not PEM. */
  constructor(rules: AddressRules, { resolve = systemResolver, extraCa = null }: OutboundOptions = {}) {
    this.#rules = rules;
    this.#resolve = resolve;
    this.#trust = extraCa === null ? undefined : trusting(extraCa);
    const kept = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MAX_IDLE_PER_HOST };
    this.#agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) };
  }

  /** Returns the reason why the URL may not be called; undefined if it may, or if its host does not resolve yet. */
  async refusal(url: string): Promise<string | undefined> {
    try {
      await this.#addressesOf(checkedUrl(url), AbortSignal.timeout(RESOLVE_MS));
    } catch (error) {
      if (error instanceof OutboundError && error.kind === 'refused') return error.message;
    }
    return undefined;
  }

  /** Closes all open connections. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** Certificates to trust in TLS over a connection of `connect`; undefined for the well-known authorities. */
  get trust(): SecureContext | undefined {
    return this.#trust;
  }

  /** Opens a TCP connection to a checked address of the host. Rejects with `OutboundError`. */
  async connect({ host, port, address, signal, timeoutMs }: OutboundConnection): Promise<Socket> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const label = `${host}:${port}`;
    let last: unknown;
    try {
      const addresses =
        address === undefined
          ? await this.#checkedAddresses(host, port, label, limit)
          : this.#checked(host, port, label, [{ address, family: isIP(address) }]);
      for (const each of addresses) {
        try {
          return await opened(each.address, port, limit);
        } catch (error) {
          if (limit.aborted) throw error;
          last = error;
        }
      }
      throw last;
    } catch (error) {
      throw failure(error, signal, limit, label);
    }
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const limits = new TimeLimits(request);
    const signal = AbortSignal.any([request.signal, limits.signal]);
    let hop: Hop = {
      url: checkedUrl(request.url),
      method: request.method,
      headers: request.headers ?? {},
      body: request.body,
      keepAlive: request.keepAlive === true,
      connectMs: request.connectMs,
    };
    try {
      for (let left = request.maxRedirects ?? 0; ; left -= 1) {
        const answer = await limits.head(this.#send(hop, signal));
        const { location } = answer.headers;
        const status = answer.statusCode ?? 0;
        if (left <= 0 || location === undefined || !REDIRECTS.has(status)) {
          const body = read(answer, request, hop.url.host, limits);
          return { status, headers: answer.headers, body, cancel: () => void answer.destroy() };
        }
        answer.destroy();
        hop = redirected(hop, status, location);
      }
    } catch (error) {
      throw failure(error, request.signal, limits.signal, hop.url.host);
    }
  }

  async #send(hop: Hop, signal: AbortSignal): Promise<IncomingMessage> {
    // An address in the URL needs no lookup.
    if (isIP(hostOf(hop.url)) !== 0) await this.#addressesOf(hop.url, signal);
    const guarded: LookupFunction = (_host, options, done) => void this.#lookUp(hop.url, signal, options, done);
    const send = hop.url.protocol === 'https:' ? https.request : http.request;
    return new Promise((resolve, reject) => {
      const outgoing = send(hop.url, {
        method: hop.method,
        headers: { 'accept-encoding': 'identity', ...hop.headers, ...lengthOf(hop.body) },
        lookup: guarded,
        agent: hop.keepAlive ? this.#agents[hop.url.protocol] : false,
        signal,
        ...(this.#trust === undefined ? {} : { secureContext: this.#trust }),
      });
      if (hop.connectMs !== undefined) limitConnecting(outgoing, hop.url, hop.connectMs);
      outgoing.once('response', resolve);
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        const wasClosed = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (wasClosed && !signal.aborted) resolve(this.#send({ ...hop, keepAlive: false }, signal));
        else reject(error);
      });
      outgoing.end(hop.body);
    });
  }

  /** Implements the lookup function of sockets; never rejects. */
  async #lookUp(url: URL, signal: AbortSignal, { all }: LookupOptions, done: LookupCallback): Promise<void> {
    let addresses: ResolvedAddress[];
    try {
      addresses = await this.#addressesOf(url, signal);
    } catch (error) {
      done(error as Error, []);
      return;
    }
    const [first] = addresses;
    if (all === true) done(null, addresses);
    else done(null, first?.address ?? '', first?.family);
  }

  #addressesOf(url: URL, signal: AbortSignal): Promise<ResolvedAddress[]> {
    return this.#checkedAddresses(hostOf(url), portOf(url), url.host, signal);
  }

  /** Returns all addresses of the host. Rejects if one of them may not be reached. */
  async #checkedAddresses(host: string, port: number, label: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
    const addresses =
      isIP(host) === 0 ? await orAborted(this.#resolve(host), signal) : [{ address: host, family: isIP(host) }];
    if (addresses.length === 0) throw new OutboundError('unreachable', `${label} has no address`);
    return this.#checked(host, port, label, addresses);
  }

  #checked(host: string, port: number, label: string, addresses: ResolvedAddress[]): ResolvedAddress[] {
    if (addresses.every(({ address }) => this.#rules.allows(host, address, port))) return addresses;
    throw new OutboundError('refused', `${label} is not at a public address (QUIRE_ALLOW_PRIVATE_NETWORK allows it)`);
  }
}

/** Returns the host; the URL parser has already normalised decimal, octal and hexadecimal notations. */
const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const lengthOf = (body: string | undefined): OutgoingHttpHeaders =>
  body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };

function checkedUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new OutboundError('refused', 'The URL is not valid');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('refused', `Only http and https are supported, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('refused', 'Credentials in URLs are not allowed');
  }
  return url;
}

/** Removes headers for another origin, as they may contain a key. */
function redirected(hop: Hop, status: number, location: string): Hop {
  const url = checkedUrl(location, hop.url);
  const repeats = status === 307 || status === 308;
  return {
    ...hop,
    url,
    method: repeats ? hop.method : 'GET',
    headers: url.origin === hop.url.origin ? hop.headers : {},
    body: repeats && url.origin === hop.url.origin ? hop.body : undefined,
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('aborted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

async function* read(
  answer: IncomingMessage,
  { signal, maxBytes }: OutboundRequest,
  host: string,
  limits: TimeLimits,
): AsyncIterable<Buffer> {
  let size = 0;
  try {
    for await (const chunk of limits.parts(answer as AsyncIterable<Buffer>)) {
      size += chunk.length;
      if (size > maxBytes) throw new OutboundError('too_large', `${host} answered more than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw failure(error, signal, limits.signal, host);
  } finally {
    answer.destroy();
  }
}
