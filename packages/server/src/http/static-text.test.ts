import { brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerCompression } from './plugins/compression.ts';
import { serveStatic, StaticText } from './static-text.ts';

const TEXT = 'A text of the service. '.repeat(1_000);
const options = { contentType: 'text/plain; charset=utf-8' };

test('a text is made once and compressed once in each coding, for any number of concurrent requests', async () => {
  let made = 0;
  const text = new StaticText(() => {
    made += 1;
    return TEXT;
  }, options);
  const [first, second, ...others] = await Promise.all([
    text.variant('br'),
    text.variant('br'),
    text.variant(),
    text.variant('gzip'),
  ]);
  expect(made).toBe(1);
  expect(first).toBe(second);
  expect(await text.variant('br')).toBe(first);
  expect(brotliDecompressSync(first.bytes).toString()).toBe(TEXT);
  expect(new Set([first, ...others].map(({ etag }) => etag)).size).toBe(3);
});

test('a text that could not be made is made again', async () => {
  let made = 0;
  const text = new StaticText(() => {
    made += 1;
    if (made === 1) throw new Error('not yet');
    return TEXT;
  }, options);
  await expect(text.variant('br')).rejects.toThrow('not yet');
  expect((await text.variant()).bytes.toString()).toBe(TEXT);
});

test('it is sent in the accepted coding with an ETag that revalidates, also where any coding is accepted', async () => {
  const app = Fastify();
  registerCompression(app);
  const text = new StaticText(() => TEXT, options);
  serveStatic(app, '/text', () => text);
  const get = (headers: Record<string, string>) => app.inject({ url: '/text', headers });
  const [plain, any, packed] = [await get({}), await get({ 'accept-encoding': '*' }), await text.variant('br')];
  expect([plain.body, plain.headers['content-encoding']]).toEqual([TEXT, undefined]);
  expect([any.rawPayload.equals(packed.bytes), any.headers['content-encoding']]).toEqual([true, 'br']);
  expect(any.headers).toMatchObject({ etag: packed.etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
  const again = await get({ 'accept-encoding': 'br', 'if-none-match': packed.etag });
  expect([again.statusCode, again.body, again.headers['content-encoding']]).toEqual([304, '', undefined]);
  expect((await get({ 'if-none-match': packed.etag })).statusCode).toBe(200);
});

test('a short text, a picture, and one that does not get smaller are sent as they are', async () => {
  const noise = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7919 * (index + 13)) % 251));
  const texts = [
    new StaticText(() => 'short', options),
    new StaticText(() => TEXT, { contentType: 'image/png', compressible: false }),
    new StaticText(() => noise, { ...options, coded: { br: Buffer.alloc(4_000) } }),
  ];
  for (const text of texts) expect(await text.variant('br')).toBe(await text.variant());
});
