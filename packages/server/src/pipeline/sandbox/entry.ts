/** Where the compiled child is. Forked processes cannot load TypeScript on Node 20, so it is always the one in dist/. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The compiled neighbour of this file, also when this file runs from src/ (under vitest or tsx). Throws when unbuilt. */
export function compiledNeighbour(name: string): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const marker = `${path.sep}src${path.sep}pipeline${path.sep}`;
  const at = here.lastIndexOf(marker);
  const directory = at < 0 ? here : `${here.slice(0, at)}${path.sep}dist${here.slice(at + 4)}`;
  const file = path.join(directory, name);
  if (existsSync(file)) return file;
  throw new Error(`${file} is missing: the sandbox runs compiled code, build it with 'npx tsc -b packages/server'`);
}
