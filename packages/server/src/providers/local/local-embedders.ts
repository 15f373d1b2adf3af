/**
 * The `local` embedders of this process: one instance a model, opened on first use. `describe` says what a model's name
 * stands for here and now; the caller records that `modelId`, and `open` takes it back, so that a collection keeps its
 * model whatever is found later.
 */
import { readFile } from 'node:fs/promises';
import type { Embedder } from '../embedder.ts';
import { StaticEmbedder } from './static/static-embedder.ts';
import { readStaticModel } from './static/static-model-file.ts';

export interface ModelDescription {
  modelId: string;
  dimensions: number;
}

const STATIC_MODEL = new URL('../../../models/quire-static/model.bin', import.meta.url);

export class LocalEmbedders {
  #open: Promise<Embedder> | undefined;

  /** Throws when there is no such model, or it is not to be found. */
  async describe(modelName: string): Promise<ModelDescription> {
    const { modelId, dimensions } = await this.open(modelName);
    return { modelId, dimensions };
  }

  /** The embedder of a `modelId` that `describe` gave; do not close it, it is shared. */
  open(_modelId: string): Promise<Embedder> {
    this.#open ??= readFile(STATIC_MODEL).then((bytes) => new StaticEmbedder(readStaticModel(bytes)));
    return this.#open;
  }

  async close(): Promise<void> {
    await (await this.#open)?.close();
  }
}
