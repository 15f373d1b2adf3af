// Builds the console into dist/ and compresses its text files, so that the service compresses nothing at run time.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, 'dist');
const COMPRESSED = /\.(?:js|css|svg|json|md)$/;
/** Within 2 % of the size of level 11, in a tenth of its time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

await build({ root, configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' });
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
  const file = path.join(entry.parentPath, entry.name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, BROTLI));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
