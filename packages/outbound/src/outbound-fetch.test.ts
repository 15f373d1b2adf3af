import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { AddressRules } from './address-rules.ts';
import { OutboundClient } from './outbound-client.ts';
import { outboundFetch, type FetchLimits } from './outbound-fetch.ts';

const LIMITS = { timeoutMs: 60_000, maxBytes: 1000 };

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const fetchWith = (limits: Partial<FetchLimits> = {}) =>
  outboundFetch(new OutboundClient(new AddressRules(['127.0.0.1'])), { ...LIMITS, ...limits });

test('method, headers and text are sent; status, headers and body are returned', async () => {
  const url = await serve((request, response) => {
    response.setHeader('x-seen', `${request.method} ${String(request.headers['x-key'])}`);
    response.statusCode = 418;
    request.pipe(response);
  });
  const response = await fetchWith()(url, { method: 'POST', headers: { 'X-Key': 'k' }, body: 'täxt' });
  expect([response.status, response.headers.get('x-seen'), await response.text()]).toEqual([418, 'POST k', 'täxt']);
});

test('a body is streamed while it is produced', async () => {
  let finish = (): void => undefined;
  const url = await serve((_request, response) => {
    response.write('first');
    finish = () => void response.end('last');
  });
  const reader = (await fetchWith()(url)).body!.getReader();
  const text = ({ value }: { value?: Uint8Array | undefined }) => new TextDecoder().decode(value);
  expect(text(await reader.read())).toBe('first');
  finish();
  expect(text(await reader.read())).toBe('last');
  expect((await reader.read()).done).toBe(true);
});

test('an address that is not allowed is refused', async () => {
  await expect(fetchWith()('http://169.254.169.254/')).rejects.toMatchObject({ kind: 'refused' });
});

test.each<[string, Partial<FetchLimits>, string]>([
  ['silence before the head', { firstByteMs: 50 }, 'timeout'],
  ['silence before the body', { firstByteMs: 50 }, 'timeout'],
  ['silence within the body', { idleMs: 50 }, 'timeout'],
  ['too many bytes', {}, 'too_large'],
])('%s ends the call', async (trouble, limits, kind) => {
  const url = await serve((_request, response) => {
    if (trouble === 'silence before the body') response.flushHeaders();
    if (trouble === 'silence within the body') response.write('some');
    if (trouble === 'too many bytes') response.end('x'.repeat(2000));
  });
  const read = async () => (await fetchWith(limits)(url)).text();
  await expect(read()).rejects.toMatchObject({ kind });
});

test('an abort, and a reader that stops early, close the connection', async () => {
  let closed = Promise.resolve();
  const url = await serve((_request, response) => {
    closed = new Promise((resolve) => response.once('close', () => resolve()));
    response.write('some');
  });
  const controller = new AbortController();
  const response = await fetchWith()(url, { signal: controller.signal });
  controller.abort();
  await expect(response.text()).rejects.toMatchObject({ kind: 'cancelled' });
  await closed;
  await (await fetchWith()(url)).body!.cancel();
  await closed;
});
