/**
 * Where node-llama-cpp is, which runs GGUF models. It is no dependency: a plain install brings 725 MB of builds for GPUs.
 * One command (`npm run models -- add gguf`) puts it, with the CPU build of this platform, into the data directory.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

export const RUNTIME_VERSION = '3.22.1';

/** The runtime is not installed; the message says how it is. */
export class RuntimeMissingError extends Error {
  override readonly name = 'RuntimeMissingError';

  constructor() {
    super("GGUF models need a runtime that is not installed: 'npm run models -- add gguf' installs it");
  }
}

/** `dataDir/runtimes/…`: by version, so that another version is another place. */
export const runtimePlace = (dataDir: string): string =>
  path.join(dataDir, 'runtimes', `node-llama-cpp-${RUNTIME_VERSION}`);

/** The module to import. Throws `RuntimeMissingError`. */
export function runtimeModule(dataDir: string): string {
  const file = path.join(runtimePlace(dataDir), 'node_modules', 'node-llama-cpp', 'dist', 'index.js');
  if (!existsSync(file)) throw new RuntimeMissingError();
  return file;
}
