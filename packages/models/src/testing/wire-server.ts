/** A provider on loopback that plays the acts of a test in turn and repeats the last one. Only imported by tests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Act = (response: ServerResponse) => void;

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** Resolves when the connection is closed. */
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

/** Sends an event stream in pieces that end anywhere, even within a character. */
export const events =
  (text: string, pieceBytes = 7): Act =>
  (response) => {
    response.writeHead(200, EVENTS);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes) response.write(bytes.subarray(at, at + pieceBytes));
    response.end();
  };

const stalling = new WeakSet<Act>();

/** Sends the beginning of an event stream, then nothing. */
export function stalled(text: string): Act {
  const act: Act = (response) => {
    response.writeHead(200, EVENTS);
    response.write(text);
  };
  stalling.add(act);
  return act;
}

/** Sends the beginning of an event stream; then cuts the connection, or ends the response normally. */
export const cut =
  (text: string, how: 'destroyed' | 'ended'): Act =>
  (response) => {
    response.writeHead(200, EVENTS);
    if (how === 'ended') response.end(text);
    else response.write(text, () => setImmediate(() => response.destroy()));
  };

export const silence: Act = () => undefined;

/** Returns a time limit for the acts: short if one of them never answers, long otherwise. */
export function timeLimitMs(acts: readonly Act[]): number {
  if (acts.every((act) => act === silence)) return 150;
  return acts.some((act) => act === silence || stalling.has(act)) ? 3000 : 60_000;
}
