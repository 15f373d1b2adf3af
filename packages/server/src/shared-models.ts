/**
 * Copies of the recorded embedding model in the object store, so that a process with an empty data folder gets it from
 * there. Keys are `models/<id>/<file>`; the settings are written last, and mark a complete copy.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  MODEL_FILE,
  modelFolder,
  readModelFiles,
  SETTINGS_FILE,
  TOKENIZER_FILE,
} from '@quire/models/local/model-files';
import type { ObjectStore } from './storage/object-store.ts';

/** In the order in which they are stored. */
const FILES = [MODEL_FILE, TOKENIZER_FILE, SETTINGS_FILE];

export class SharedModels {
  readonly #store: ObjectStore;
  readonly #cacheDir: string;
  #pending = 0;

  constructor(store: ObjectStore, cacheDir: string) {
    this.#store = store;
    this.#cacheDir = cacheDir;
  }

  /** True while the recorded model is brought to this machine. */
  get isPending(): boolean {
    return this.#pending > 0;
  }

  /** Runs the work that brings a model here; `isPending` is true meanwhile. */
  async bring(work: () => Promise<void>): Promise<void> {
    this.#pending += 1;
    try {
      await work();
    } finally {
      this.#pending -= 1;
    }
  }

  /** Stores a model of this machine unless it is stored. Does nothing for one that is not here. */
  async keep(modelId: string, signal: AbortSignal): Promise<void> {
    const folder = modelFolder(this.#cacheDir, modelId);
    if ((await readModelFiles(folder)) === undefined) return;
    if ((await this.#store.stat(keyOf(modelId, SETTINGS_FILE))) !== undefined) return;
    for (const name of FILES) {
      await this.#store.put(keyOf(modelId, name), createReadStream(path.join(folder, name)), signal);
    }
  }

  /** Copies a stored model to this machine unless it is here. Does nothing for one that is not stored. */
  async fetch(modelId: string, signal: AbortSignal): Promise<void> {
    const folder = modelFolder(this.#cacheDir, modelId);
    if ((await readModelFiles(folder)) !== undefined) return;
    if ((await this.#store.stat(keyOf(modelId, SETTINGS_FILE))) === undefined) return;
    const work = `${folder}.${process.pid}.fetched`;
    await mkdir(work, { recursive: true });
    try {
      for (const name of FILES) await this.#fetchFile(keyOf(modelId, name), path.join(work, name), signal);
      await rm(folder, { recursive: true, force: true });
      await rename(work, folder);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  async #fetchFile(key: string, file: string, signal: AbortSignal): Promise<void> {
    const [found, body] = [await this.#store.stat(key), await this.#store.get(key, undefined, signal)];
    if (found === undefined || body === undefined) throw new Error(`The object ${key} is missing`);
    await pipeline(body, createWriteStream(file), { signal });
    const { size } = await stat(file);
    if (size !== found.sizeBytes)
      throw new Error(`The object ${key} has ${found.sizeBytes} bytes, of which ${size} came`);
  }
}

const keyOf = (modelId: string, name: string): string => `models/${modelId.replace(/[^a-zA-Z0-9._-]+/g, '-')}/${name}`;
