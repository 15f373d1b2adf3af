/** Each operation of the API is reachable by a method of the client, which sends it to the documented address. */
import { Quire } from '@quire/client';
import { expect, test } from 'vitest';
import { CALLS } from './calls.ts';
import { operationOf, OPERATIONS } from './operations.ts';

const ID = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';
const IDS = [ID, ID, ID];

/** Query parameters that the client has no option for, as it sets them itself or offers the same in another form. */
const NO_OPTION: ReadonlySet<string> = new Set([
  // Parts of the complete URLs that `links()` returns.
  'expires',
  'signature',
  // The position of a stream, which an answer keeps itself.
  'after',
  // Sent as a header.
  'idempotency_key',
  // `runs.stage()`.
  'staged',
]);
/** `upload().ready()` waits in place of the request. */
const UPLOADS = /^(?:upload|replace)Document(?:Multipart|Binary)$/;

test('every operation has a call', () => {
  expect(OPERATIONS.map(({ operationId }) => operationId).filter((id) => CALLS[id] === undefined)).toEqual([]);
});

/** Returns a value of a query parameter. */
const valueOf = (name: string): unknown => (name === 'box' ? [0, 0, 1, 1] : 'x');

test.each(OPERATIONS)('$operationId is sent as $method $path', async ({ operationId, method, query }) => {
  const sent: { method: string; url: URL }[] = [];
  const quire = new Quire({
    url: 'http://quire.test/base',
    key: 'key',
    retries: 0,
    fetch: (url, init) => {
      sent.push({ method: init.method ?? 'GET', url: new URL(url) });
      const isWhoami = url.endsWith('/whoami');
      // All other calls fail at once: only their request counts.
      const body = isWhoami ? { data: { workspaceId: ID }, status: 'ok' } : { detail: [] };
      return Promise.resolve(Response.json(body, { status: isWhoami ? 200 : 404 }));
    },
  });
  const given = Object.fromEntries(query.map((name) => [name, valueOf(name)]));
  const call = CALLS[operationId]?.(quire, { ids: IDS, query: given as never, json: {} as never });
  await call?.catch(() => undefined);
  const found = sent.find(
    (each) => operationOf(each.method, each.url.pathname.slice('/base'.length))?.operation.operationId === operationId,
  );
  expect(found?.method).toBe(method);
  const names = new Set(found?.url.searchParams.keys());
  const options = query.filter((name) => !NO_OPTION.has(name) && !(name === 'wait' && UPLOADS.test(operationId)));
  expect([...names].toSorted()).toEqual(options.toSorted());
});
