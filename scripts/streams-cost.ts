/**
 * `npm run streams-cost [-- STREAMS]`: 200 answers stream at once, each with one viewer at another api process, from a
 * provider on a local port that sends a piece every 50 ms for 30 s. Prints the notifications of an answer and of a
 * second, CPU time of PostgreSQL and of each api process, and the time from the sending of a piece by the provider to
 * its arrival at the client with the question and at the viewer. Exits with 1 if a stream misses a piece.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import pino from 'pino';
import { Fold, LineReader } from '@quire/diffcp';
import { startEmbeddedPostgres } from '../packages/server/src/database/embedded-postgres.ts';
import { cpuMs, removeDirectory, startService, type ServiceProcess } from '../packages/server/test/service-process.ts';

const STREAMS = Number(process.argv[2] ?? 200);
const PIECE_MS = 50;
const PIECES = Number(process.argv[3] ?? 600);
/** Time in which the answers begin. */
const RAMP_MS = 5_000;

const HOURS = 'The library is open from nine to five. On Thursdays it closes at eight.';

/** Pieces carry the time of their sending. */
const PIECE = /<(\d+):(\d+)>/g;

interface ModelRequest {
  messages: { role: string }[];
}

/** Searches first, then thinks aloud in pieces and answers with a sentence. A later request is answered at once. */
async function speak(response: ServerResponse, { messages }: ModelRequest, thinks: boolean): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: Record<string, unknown>, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  if (!messages.some(({ role }) => role === 'tool')) {
    const call = { name: 'retrieve', arguments: JSON.stringify({ query: 'opening hours' }) };
    send({ tool_calls: [{ index: 0, id: 'call-0', type: 'function', function: call }] });
    send({}, 'tool_calls');
  } else {
    const startedAt = performance.now();
    const pieces = thinks ? PIECES : 0;
    for (let piece = 0; piece < pieces; piece += 1) {
      await delay(Math.max(0, startedAt + piece * PIECE_MS - performance.now()));
      send({ reasoning_content: `<${piece}:${Date.now()}> ` });
    }
    send({ content: 'The library is open from nine to five.' });
    send({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}

async function startProvider(): Promise<{ baseUrl: string; close: () => void }> {
  /** Questions whose pieces were sent. */
  const answered = new Set<string>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') return void response.writeHead(404).end();
    const text = await readText(request);
    const question = /Question \d+/.exec(text)?.[0] ?? '';
    const body = JSON.parse(text) as ModelRequest;
    const thinks = !answered.has(question);
    if (body.messages.some(({ role }) => role === 'tool')) answered.add(question);
    await speak(response, body, thinks);
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Reads a stream to its end and returns the delay of each piece, in ms. */
async function readStream(response: Response, begun: (messageId: string) => void): Promise<number[]> {
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const fold = new Fold();
  const reader = new LineReader();
  const delays: number[] = [];
  for await (const bytes of response.body ?? []) {
    const now = Date.now();
    for (const line of reader.push(bytes)) {
      fold.push(line);
      const { messages } = fold.state as unknown as { messages: { id: string; parts: { text?: string }[] }[] };
      const answer = messages.at(-1);
      if (line.seq === 0) begun(answer?.id ?? '');
      const text = JSON.stringify(line.ops);
      for (const [, piece, sentAt] of text.matchAll(PIECE)) delays[Number(piece)] = now - Number(sentAt);
    }
  }
  return delays;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

const describe = (name: string, delays: readonly number[]): string =>
  `${name}: ${delays.length} pieces, p50 ${quantile(delays, 0.5)} ms, p95 ${quantile(delays, 0.95)} ms, ` +
  `p99 ${quantile(delays, 0.99)} ms\n`;

const folder = mkdtempSync(path.join(tmpdir(), 'quire-streams-'));
const postgres = await startEmbeddedPostgres({
  dataDir: path.join(folder, 'postgres'),
  logger: pino({ level: 'silent' }),
});
const provider = await startProvider();
const services: ServiceProcess[] = [];
try {
  for (const role of ['all', 'api']) {
    const env = {
      QUIRE_ROLE: role,
      QUIRE_DATABASE_URL: postgres.connectionString,
      QUIRE_SECRET_KEY: 'the-secret-key-of-the-streams',
      QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
      QUIRE_RATE_LIMIT: '0',
      QUIRE_STORAGE_URL: path.join(folder, 'storage'),
    };
    services.push(await startService({ dataDir: path.join(folder, role), env }));
  }
  const [asking, viewing] = services as [ServiceProcess, ServiceProcess];
  const ws = `/w/${(await asking.request<{ id: string }>('POST', '/workspaces', { name: 'Streams' })).id}`;
  const { id: col } = await asking.request<{ id: string }>('POST', `${ws}/col`, { name: 'Library' });
  const document = { name: 'hours.txt', content: HOURS, contentType: 'text/plain' };
  await asking.request('POST', `${ws}/col/${col}/docs/raw?wait=60`, document);
  const config = { provider: 'provider_a', model: 'm', baseUrl: provider.baseUrl, maxConcurrency: STREAMS };
  const model = await asking.request<{ id: string }>('POST', `${ws}/config/models`, { name: 'M', config });
  const chats: string[] = [];
  for (let at = 0; at < STREAMS; at += 1) {
    const chat = await asking.request<{ id: string }>('POST', `${ws}/chat`, { collection_id: col, modelId: model.id });
    chats.push(`${ws}/chat/${chat.id}`);
  }
  const listener = new Client(postgres.connectionString);
  await listener.connect();
  let notifications = 0;
  listener.on('notification', ({ payload }) => {
    if (payload?.startsWith('message:')) notifications += 1;
  });
  await listener.query('listen quire');
  const statements = async (): Promise<{ commits: number }> => {
    const { rows } = await listener.query<{ commits: string }>(
      'select sum(xact_commit) as commits from pg_stat_database where datname = current_database()',
    );
    return { commits: Number(rows[0]?.commits) };
  };
  const cpu = (): number[] => [postgres.pid, asking.pid, viewing.pid].map((pid) => cpuMs(pid).all);
  const headers = { authorization: `Bearer ${asking.rootKey}` };
  const answered: number[] = [];
  const viewed: number[] = [];
  let missing = 0;
  const add = (target: number[], delays: readonly number[]): void => {
    missing += PIECES - delays.filter((each) => each !== undefined).length;
    target.push(...delays.filter((each) => each !== undefined));
  };
  const before = { cpu: cpu(), commits: (await statements()).commits, at: performance.now() };
  const run = async (chat: string, at: number): Promise<void> => {
    await delay((at * RAMP_MS) / STREAMS);
    const body = JSON.stringify({ query: `Question ${at}: what are the opening hours?` });
    const response = await fetch(`${asking.address}/v1${chat}/message`, { method: 'POST', headers, body });
    let followed: Promise<number[]> = Promise.resolve([]);
    const view = async (id: string): Promise<number[]> =>
      readStream(await fetch(`${viewing.address}/v1${chat}/message/${id}/stream`, { headers }), () => undefined);
    add(answered, await readStream(response, (id) => void (followed = view(id))));
    add(viewed, await followed);
  };
  await Promise.all(chats.map(run));
  const seconds = (performance.now() - before.at) / 1000;
  const [database, first, second] = cpu().map((ms, at) => (ms - (before.cpu[at] ?? 0)) / 1000 / seconds);
  const commits = (await statements()).commits - before.commits;
  process.stdout.write(
    `${STREAMS} answers of ${PIECES} pieces in ${seconds.toFixed(1)} s, load ${loadavg()[0]?.toFixed(1)}\n` +
      `notifications: ${(notifications / STREAMS).toFixed(0)} an answer, ${(notifications / seconds).toFixed(0)}/s; ` +
      `commits: ${(commits / seconds).toFixed(0)}/s\n` +
      `cores: PostgreSQL ${database?.toFixed(2)}, api that answers ${first?.toFixed(2)}, ` +
      `api with the viewers ${second?.toFixed(2)}\n` +
      describe('at the client with the question', answered) +
      describe('at the viewer', viewed) +
      `${missing} pieces are missing\n`,
  );
  await listener.end();
  if (missing > 0) process.exitCode = 1;
} finally {
  await Promise.all(services.map((service) => service.stop()));
  provider.close();
  await postgres.stop();
  removeDirectory(folder);
}
