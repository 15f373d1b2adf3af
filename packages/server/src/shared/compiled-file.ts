/** Where a compiled file is. Forked processes cannot load TypeScript on Node 20, so it is always the one in dist/. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = `${path.sep}packages${path.sep}server${path.sep}src${path.sep}`;
const COMPILED = `${path.sep}packages${path.sep}server${path.sep}dist${path.sep}`;

/** The compiled neighbour of a module, also when that runs from src/ (under vitest or tsx). Throws when unbuilt. */
export function compiledFile(moduleUrl: string, name: string): string {
  const place = path.join(path.dirname(fileURLToPath(moduleUrl)), name);
  const at = place.lastIndexOf(SOURCE);
  const file = at < 0 ? place : place.slice(0, at) + COMPILED + place.slice(at + SOURCE.length);
  if (existsSync(file)) return file;
  throw new Error(`${file} is missing: it runs compiled, build it with 'npx tsc -b packages/server'`);
}
