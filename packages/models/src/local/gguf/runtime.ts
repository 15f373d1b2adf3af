/**
 * Locates node-llama-cpp, which runs GGUF models. It is not a dependency, as a plain install brings 725 MB of GPU
 * builds. `npm run models -- add gguf` installs it with the CPU build of this platform into the data directory.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

export const RUNTIME_VERSION = '3.22.1';

/** The runtime is not installed; the message names the command that installs it. */
export class RuntimeMissingError extends Error {
  override readonly name = 'RuntimeMissingError';

  constructor() {
    super("GGUF models need a runtime that is not installed: 'npm run models -- add gguf' installs it");
  }
}

/** Returns `dataDir/runtimes/…`, which contains the version, so that versions do not share a place. */
export const runtimePlace = (dataDir: string): string =>
  path.join(dataDir, 'runtimes', `node-llama-cpp-${RUNTIME_VERSION}`);

/** Returns the path of the module to import. Throws `RuntimeMissingError`. */
export function runtimeModule(dataDir: string): string {
  const file = path.join(runtimePlace(dataDir), 'node_modules', 'node-llama-cpp', 'dist', 'index.js');
  if (!existsSync(file)) throw new RuntimeMissingError();
  return file;
}
