import { expect, test } from 'vitest';
import { AddressRules } from '@quire/outbound/address-rules';
import { OutboundClient } from '@quire/outbound/outbound-client';
import { answer, play } from '../../testing/wire-server.ts';
import { fetchThrough } from './fetch-file.ts';

const { signal } = new AbortController();
const fetchFile = fetchThrough(new OutboundClient(new AddressRules(['127.0.0.1'])));

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
}

test('redirects of the hub to its storage are followed', async () => {
  const storage = await play(answer(200, 'weights'));
  const hub = await play(answer(302, '', { location: `${storage.origin}/blob` }));
  expect(await textOf(await fetchFile(`${hub.origin}/a/b/resolve/r/model.safetensors`, signal))).toBe('weights');
  expect([hub.requests[0]?.path, storage.requests[0]?.path]).toEqual(['/a/b/resolve/r/model.safetensors', '/blob']);
});

test('a missing file and an unreachable hub give different errors', async () => {
  const hub = await play(answer(404));
  const failures = [`${hub.origin}/x`, 'http://127.0.0.1:1/x'].map((url) =>
    fetchFile(url, signal).then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  expect(await Promise.all(failures)).toEqual([
    expect.objectContaining({ message: `${new URL(hub.origin).host} answered 404`, answered: true }),
    expect.objectContaining({ kind: 'unreachable' }),
  ]);
});
