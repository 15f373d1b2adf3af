/** The command line flags of Node for a child. */
import { pathToFileURL } from 'node:url';
import { compiledFile } from '@quire/shared/compiled-file';

/**
 * A document tree stays in the young generation until it is complete. In V8's initial 1 MB it would be copied often.
 */
const YOUNG_HEAP = '--min-semi-space-size=8';
/**
 * Raises the run time after which V8 optimises a function: three times the default for JavaScript, sixteen times for
 * WebAssembly. Most children end, or wait, before more optimisation pays off. The values fit only the V8 of Node 20.
 */
const TIERING = process.versions.v8.startsWith('11.')
  ? ['--interrupt-budget=200000', '--wasm-tiering-budget=28800000']
  : [];

export function nodeFlags(memoryBytes: number): string[] {
  // V8 counts only its own heap; the watchdog's limit on the whole process comes first.
  const heapMegabytes = Math.ceil(memoryBytes / 1024 ** 2);
  const noNetwork = pathToFileURL(compiledFile(import.meta.url, 'no-network.js')).href;
  return [`--max-old-space-size=${heapMegabytes}`, YOUNG_HEAP, ...TIERING, '--import', noNetwork];
}
