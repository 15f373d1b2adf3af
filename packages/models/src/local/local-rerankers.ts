/** The `local` rerankers of this process: one instance per model folder, opened on first use. */
import type { Reranker } from '../reranker.ts';
import { readCrossEncoder } from './model-folder.ts';
import { OnnxReranker } from './onnx-reranker.ts';

export class LocalRerankers {
  readonly #modelDir: string | null;
  readonly #opened = new Map<string, Promise<OnnxReranker>>();
  readonly #presentOwner: (() => string) | undefined;

  /**
   * `modelDir`: QUIRE_MODEL_DIR, a folder of model folders. `presentOwner` returns on whose behalf the caller works;
   * threads are shared out fairly among owners.
   */
  constructor(modelDir: string | null, presentOwner?: () => string) {
    this.#modelDir = modelDir;
    this.#presentOwner = presentOwner;
  }

  /** Returns undefined if the operator has not provided the model. A model that failed to open is tried again. */
  async open(name: string): Promise<Reranker | undefined> {
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const folder = this.#modelDir === null ? undefined : await readCrossEncoder(this.#modelDir, name);
    if (folder === undefined) return undefined;
    const opening = this.#opened.get(name) ?? OnnxReranker.open(folder, this.#presentOwner);
    this.#opened.set(name, opening);
    opening.catch(() => this.#opened.delete(name));
    return opening;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#opened.values());
    await Promise.all(opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value.close()] : [])));
  }
}
