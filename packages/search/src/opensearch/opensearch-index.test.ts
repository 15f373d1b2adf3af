/** The failures of a cluster, shown by a server with scripted answers. The conformance suite runs on a real node. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IndexUnavailableError } from '../search-index.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { OpenSearchIndex } from './opensearch-index.ts';
import { parseOpenSearchLocation } from './opensearch-location.ts';

type Answer = { status: number; body: unknown } | 'no answer';

let requests: { method: string; path: string; body: string }[];
let answer: (request: { method: string; path: string; body: string }) => Answer;
let server: http.Server;
let index: OpenSearchIndex;

const table = { name: 'c_1', dimensions: null };
const row = { chunkKey: 1n, documentKey: 2n ** 60n + 1n, revision: 3, terms: 'wing' };
const whole = { total: 1, successful: 1, failed: 0 };
const failure = (status: number, type: string): Answer => ({ status, body: { error: { type, reason: type }, status } });
const written: Answer = { status: 200, body: { errors: false, items: [{ index: { status: 201 } }] } };
const bulks = (): typeof requests => requests.filter(({ path }) => path.includes('_bulk'));

beforeEach(async () => {
  requests = [];
  answer = () => ({ status: 200, body: {} });
  const respond = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: (await buffer(request)).toString(),
    };
    requests.push(received);
    const given = answer(received);
    if (given === 'no answer') return;
    response.writeHead(given.status, { 'content-type': 'application/json' }).end(JSON.stringify(given.body));
  };
  server = http.createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const location = parseOpenSearchLocation(`opensearch+http://127.0.0.1:${port}`);
  index = new OpenSearchIndex({ location, requestMs: 200, backOffMs: 1 });
});
afterEach(async () => {
  await index.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('repeats a refused request and only the refused rows of a bulk request', async () => {
  const busy = { index: { status: 429, error: { type: 'rejected_execution_exception', reason: 'busy' } } };
  const answers: Answer[] = [
    failure(429, 'rejected_execution_exception'),
    { status: 200, body: { errors: true, items: [{ index: { status: 201 } }, busy] } },
    written,
  ];
  answer = ({ path }) => (path.includes('_bulk') ? (answers.shift() ?? written) : { status: 200, body: {} });
  await index.add(table, [row, { ...row, chunkKey: 2n }]);
  const ids = bulks().map(({ body }) => [...body.matchAll(/"_id":"(\d+)"/g)].map(([, id]) => id));
  expect(ids).toEqual([['1', '2'], ['1', '2'], ['2']]);
});

test('fails with a typed error when the cluster stays overloaded', async () => {
  answer = ({ path }) =>
    path.includes('_bulk') ? failure(429, 'rejected_execution_exception') : { status: 200, body: {} };
  await expect(index.add(table, [row])).rejects.toThrow(IndexUnavailableError);
  expect(bulks()).toHaveLength(6);
});

test('a row that was removed or written later is not written again, and is no failure', async () => {
  const late = { index: { status: 409, error: { type: 'version_conflict_engine_exception', reason: 'newer' } } };
  answer = () => ({ status: 200, body: { errors: true, items: [late] } });
  await index.add(table, [row]);
  expect(bulks()).toHaveLength(1);
  expect(bulks()[0]?.body).toContain('"version":3,"version_type":"external_gte"');
});

test('creates the index again when another process has dropped it, and never one without our fields', async () => {
  const missing = { index: { status: 404, error: { type: 'index_not_found_exception', reason: 'none' } } };
  const answers: Answer[] = [{ status: 200, body: { errors: true, items: [missing] } }, written];
  answer = ({ method, path }) => {
    if (path.includes('_bulk')) return answers.shift() ?? written;
    return { status: method === 'HEAD' ? 404 : 200, body: {} };
  };
  await index.add(table, [row]);
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'PUT', 'PUT', 'HEAD', 'PUT', 'PUT']);
  for (const { path } of bulks()) expect(path).toContain('require_alias=true');
});

test('an index with an earlier version of the fields serves until it is dropped', async () => {
  answer = ({ method, path }) => {
    if (path.includes('_bulk')) return written;
    return { status: 200, body: method === 'GET' ? { 'quire-t-c_1-v0': { aliases: { 'quire-t-c_1': {} } } } : {} };
  };
  await index.add(table, [row]);
  expect(requests.filter(({ path }) => !path.includes('_bulk')).map(({ method }) => method)).toEqual(['HEAD']);
  await index.drop(table);
  expect(requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/quire-t-c_1-v0' });
  answer = () => ({ status: 404, body: { error: 'alias [quire-t-c_1] missing', status: 404 } });
  await index.drop(table);
});

test('a build ends no segment with each batch, and is refreshed once by optimising', async () => {
  answer = ({ path }) => (path.includes('_bulk') ? written : { status: 200, body: { _shards: whole, _all: {} } });
  await index.add(table, [row], { isBuild: true });
  await index.add(table, [row]);
  expect(bulks().map(({ path }) => /refresh=(\w+)/.exec(path)?.[1])).toEqual(['false', 'true']);
  await index.optimize(table);
  expect(requests.filter(({ path }) => path.endsWith('/_refresh'))).toHaveLength(1);
  // A replica on a node that is away.
  answer = () => ({ status: 200, body: { _shards: { total: 2, successful: 1, failed: 0 }, _all: {} } });
  await index.optimize(table);
  answer = () => ({ status: 200, body: { _shards: { total: 3, successful: 2, failed: 1 } } });
  await expect(index.optimize(table)).rejects.toThrow(IndexUnavailableError);
});

test('of tables that share an index, one that has outgrown it has its own, and an orphan is dropped by its name', async () => {
  const { port } = server.address() as AddressInfo;
  const location = parseOpenSearchLocation(`opensearch+http://127.0.0.1:${port}/quire?pool=true&poolRows=5000`);
  const shared = new OpenSearchIndex({ location, requestMs: 200, backOffMs: 1 });
  answer = ({ path }) => (path.includes('_bulk') ? written : { status: 200, body: { _shards: whole } });
  await shared.add(table, [row]);
  await shared.add({ ...table, name: 'c_1_own' }, [row]);
  expect(bulks().map(({ path }) => path.split('/_bulk')[0])).toEqual(['/quire-pool-terms', '/quire-t-c_1_own']);
  expect(bulks().map(({ path }) => path.includes('routing=c_1'))).toEqual([true, false]);
  await shared.drop(table);
  const removal = requests.at(-1);
  expect(removal?.path).toMatch(/^\/quire-pool-(?:\*|%2A)\/_delete_by_query/);
  expect(removal?.body).toContain('{"term":{"table":"c_1"}}');
  expect([shared.sharedRows, index.sharedRows]).toEqual([5000, undefined]);
  await shared.close();
});

test('a partial answer of a search or a count is an error', async () => {
  const partial = { total: 3, successful: 2, failed: 1 };
  answer = () => ({ status: 200, body: { _shards: partial, count: 7, hits: { hits: [] } } });
  await expect(index.stats(table)).rejects.toThrow('The search cluster answered from 2 of 3 shards only');
  await expect(index.searchSparse(table, ['wing'], 5)).rejects.toThrow(IndexUnavailableError);
  answer = () => ({ status: 200, body: { _shards: whole, timed_out: true, hits: { hits: [] } } });
  await expect(index.searchSparse(table, ['wing'], 5)).rejects.toThrow(IndexUnavailableError);
  answer = () => failure(503, 'search_phase_execution_exception');
  await expect(index.searchSparse(table, ['wing'], 5)).rejects.toThrow(IndexUnavailableError);
});

test('a search of an index whose shards are starting is repeated', async () => {
  const starting = failure(503, 'search_phase_execution_exception');
  const answers: Answer[] = [starting, starting];
  answer = () => answers.shift() ?? { status: 200, body: { _shards: whole, hits: { hits: [] } } };
  expect(await index.searchSparse(table, ['wing'], 5)).toEqual([]);
  expect(requests).toHaveLength(3);
});

test('an index that does not exist is empty; a refused query is not', async () => {
  answer = () => failure(404, 'index_not_found_exception');
  expect([await index.searchSparse(table, ['wing'], 5), await index.stats(table)]).toEqual([[], undefined]);
  answer = () => failure(400, 'parsing_exception');
  await expect(index.searchSparse(table, ['wing'], 5)).rejects.toMatchObject({ name: 'ResponseError' });
});

test('a cluster that does not answer in time or refuses connections is unavailable', async () => {
  answer = () => 'no answer';
  await expect(index.stats(table)).rejects.toThrow(IndexUnavailableError);
  const refused = new OpenSearchIndex({ location: parseOpenSearchLocation('opensearch+http://127.0.0.1:9') });
  await expect(refused.stats(table)).rejects.toMatchObject({ name: 'IndexUnavailableError', retryAfterSeconds: 2 });
  await refused.close();
});

test('a search that a node does not answer in time is answered by another one', async () => {
  const hanging = http.createServer(() => undefined);
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const ports = [hanging, server].map((each) => (each.address() as AddressInfo).port);
  const location = parseOpenSearchLocation(`opensearch+http://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
  const patient = new OpenSearchIndex({ location, requestMs: 60_000, searchMs: 100 });
  answer = () => ({ status: 200, body: { _shards: whole, hits: { hits: [] } } });
  for (let search = 0; search < 3; search += 1) expect(await patient.searchSparse(table, ['wing'], 5)).toEqual([]);
  await patient.close();
  hanging.closeAllConnections();
  await new Promise((resolve) => hanging.close(resolve));
});

test('keys above the precise numbers of JSON are exact', async () => {
  const fields = { chunk_key: ['1'], document_key: [String(2n ** 60n + 1n)], revision: ['3'] };
  answer = () => ({ status: 200, body: { _shards: whole, hits: { hits: [{ _score: 1.5, fields }] } } });
  const hits = await index.searchSparse(table, ['wings1'], 5, { includeDocuments: [2n ** 60n + 1n] });
  expect(hits).toEqual([{ chunkKey: 1n, documentKey: 2n ** 60n + 1n, revision: 3, score: 1.5 }]);
  expect(requests.at(-1)?.body).toContain(`"document_key":["${2n ** 60n + 1n}"]`);
});

test('an open circuit refuses calls at once, and lets one through after its pause', async () => {
  let now = 0;
  const breaker = new CircuitBreaker(() => now);
  const refused = new OpenSearchIndex({ location: parseOpenSearchLocation('opensearch+http://127.0.0.1:9') });
  for (let call = 0; call < 5; call += 1) await expect(refused.stats(table)).rejects.toThrow('cannot be reached');
  await refused.close();
  const { errors } = await import('@opensearch-project/opensearch');
  const lost = (): Promise<string> => Promise.reject(new errors.ConnectionError('refused'));
  for (let call = 0; call < 5; call += 1) await expect(breaker.run(lost)).rejects.toThrow('refused');
  let calls = 0;
  const works = async (): Promise<string> => `call ${(calls += 1)}`;
  await expect(breaker.run(works)).rejects.toThrow(IndexUnavailableError);
  now = 2_001;
  expect([await breaker.run(works), await breaker.run(works)]).toEqual(['call 1', 'call 2']);
});
