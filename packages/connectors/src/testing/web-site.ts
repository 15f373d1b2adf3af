/** A web site in memory, with faults of the conformance suite. Only imported by tests. */
import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { Fault } from '../conformance/source.ts';

export interface Page {
  body: Buffer | string;
  type?: string;
  status?: number;
  headers?: Record<string, string>;
  /** Whether the page has an ETag and answers 304. Default: true. */
  hasEtag?: boolean;
}

export interface WebSite {
  port: number;
  origin: string;
  /** Pages by path and query. */
  pages: Map<string, Page>;
  /** Answers what is no page. */
  fallback: ((url: string) => Page | null) | null;
  fault: Fault | null;
  /** `<path> <status>` of each request. */
  requests: string[];
  /** Headers of each request. */
  headers: http.IncomingHttpHeaders[];
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

function faultStatus(site: WebSite, path: string): [number, Record<string, string>] | null {
  const { fault } = site;
  if (fault?.kind === 'credentials') return [401, {}];
  if (fault?.kind === 'unavailable') return [503, { 'retry-after': String(fault.retryAfterMs / 1000) }];
  if (fault?.kind === 'missing-root') return [404, {}];
  if (fault?.kind === 'file' && path === `/${encodeURI(fault.path)}`) return [403, {}];
  return null;
}

function answer(site: WebSite, request: IncomingMessage, response: ServerResponse, served: { count: number }): void {
  const path = request.url ?? '/';
  const done = (status: number, headers: Record<string, string | number>, body: Buffer): void => {
    site.requests.push(`${path} ${status}`);
    site.headers.push(request.headers);
    response.writeHead(status, headers);
    pipeline(Readable.from(chunksOf(body)), response, () => undefined);
  };
  const failed = faultStatus(site, path);
  if (failed !== null) return done(...failed, Buffer.alloc(0));
  const page = site.pages.get(path) ?? site.fallback?.(path) ?? null;
  if (page === null) return done(404, {}, Buffer.alloc(0));
  if (!path.endsWith('.xml') && path !== '/robots.txt') served.count += 1;
  if (site.fault?.kind === 'cut' && served.count > site.fault.afterEntries) return void request.socket.destroy();
  const body = Buffer.from(page.body);
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  const headers = {
    'content-type': page.type ?? 'text/html; charset=utf-8',
    ...(page.hasEtag === false ? {} : { etag }),
    ...page.headers,
  };
  if (page.hasEtag !== false && request.headers['if-none-match'] === etag) return done(304, headers, Buffer.alloc(0));
  done(page.status ?? 200, { ...headers, 'content-length': body.length }, body);
}

export async function startWebSite(): Promise<WebSite> {
  const served = { count: 0 };
  const server = http.createServer((request, response) => answer(site, request, response, served));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site: WebSite = {
    port,
    origin: `http://127.0.0.1:${port}`,
    pages: new Map(),
    fallback: null,
    fault: null,
    requests: [],
    headers: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return site;
}
