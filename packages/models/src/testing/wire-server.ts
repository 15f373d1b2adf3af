/** A provider on loopback that plays what tests tell it to, in turn, the last act for ever. Only imported by tests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Act = (response: ServerResponse) => void;

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** Resolves when the connection is over. */
  closed: Promise<void>;
}

export interface WireServer {
  origin: string;
  requests: readonly SeenRequest[];
}

export async function play(...acts: readonly Act[]): Promise<WireServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
    request.on('data', (part: Buffer) => parts.push(part));
    request.once('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8') || 'null');
      const act = acts[Math.min(requests.length, acts.length - 1)];
      requests.push({ path: request.url ?? '', headers: request.headers, body, closed });
      act?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const EVENTS = { 'content-type': 'text/event-stream' };

export const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Act =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** An event stream whose bytes come in pieces that end anywhere, also within a character. */
export const events =
  (text: string, pieceBytes = 7): Act =>
  (response) => {
    response.writeHead(200, EVENTS);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes) response.write(bytes.subarray(at, at + pieceBytes));
    response.end();
  };

const stalling = new WeakSet<Act>();

/** The beginning of an event stream; then silence. */
export function stalled(text: string): Act {
  const act: Act = (response) => {
    response.writeHead(200, EVENTS);
    response.write(text);
  };
  stalling.add(act);
  return act;
}

/** The beginning of an event stream; then the connection is cut, or the answer ends as if it were whole. */
export const cut =
  (text: string, how: 'destroyed' | 'ended'): Act =>
  (response) => {
    response.writeHead(200, EVENTS);
    if (how === 'ended') response.end(text);
    else response.write(text, () => setImmediate(() => response.destroy()));
  };

export const silence: Act = () => undefined;

/** How long a test may wait for these acts: no longer than it must for what never comes, and for the rest any time. */
export function patienceMs(acts: readonly Act[]): number {
  if (acts.every((act) => act === silence)) return 150;
  return acts.some((act) => act === silence || stalling.has(act)) ? 3000 : 60_000;
}
