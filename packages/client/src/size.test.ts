import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const MAX_BYTES = 12 * 1024;

test('all of the client has at most 12 kB, minified and gzipped', async () => {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../dist/index.js', import.meta.url)),
    platform: 'browser',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  expect(output).toHaveLength(1);
  expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(MAX_BYTES);
  // Nothing of Node is imported, so that bundlers for browsers need no settings.
  expect(output[0].imports).toEqual([]);
});
