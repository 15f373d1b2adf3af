/**
 * Locates compiled files. Forked processes and threads cannot load TypeScript on Node 20, so they always run from
 * dist/.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The source folder of a package in this repository. */
const SOURCE = /^(.*[\\/]packages[\\/][^\\/]+[\\/])src([\\/].*)$/s;

/**
 * Returns the path of the compiled file `name` beside a module, also when the module itself runs from src/ (under
 * vitest or tsx). Throws when the package is not built.
 */
export function compiledFile(moduleUrl: string, name: string): string {
  const place = path.join(path.dirname(fileURLToPath(moduleUrl)), name);
  const file = place.replace(SOURCE, `$1dist$2`);
  if (existsSync(file)) return file;
  throw new Error(`${file} is missing: it runs compiled, build it with 'npm run build'`);
}
