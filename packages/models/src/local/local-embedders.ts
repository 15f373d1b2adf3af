/**
 * The `local` embedders of this process: one instance per model, opened on first use. `describe` resolves a name to a
 * `modelId`, which the caller records; `open` takes a recorded id, so that a collection keeps its model.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Embedder } from '../embedder.ts';
import { STATIC_NAME } from './catalogue.ts';
import { ModelResolver, ModelNotFoundError, type ResolverOptions } from './model-resolver.ts';
import { readModelFiles } from './model-files.ts';
import { OnnxEmbedder } from './onnx-embedder.ts';
import { DEFAULT_HUB } from './sources/hub.ts';
import { StaticEmbedder } from './static/static-embedder.ts';
import { readStaticModel } from './static/static-model-file.ts';

export interface ModelDescription {
  modelId: string;
  dimensions: number;
  /** Source of the model, as text. */
  source: string;
}

export interface LocalEmbeddersOptions extends Partial<ResolverOptions> {
  /** Returns on whose behalf the caller works; threads are shared out fairly among owners. Default: one owner. */
  presentOwner?: () => string;
}

const STATIC_MODEL = new URL('../../assets/quire-static/model.bin', import.meta.url);
/** Only compares sentences: it has no name, and no collection uses it. */
const GERMAN_FRENCH_SPANISH = new URL('../../assets/quire-static-de-fr-es/model.bin', import.meta.url);
const ALL_MINILM = { folder: 'all-minilm-l6-v2', unrelated: 0 };
const MULTILINGUAL_E5 = { folder: 'multilingual-e5-small', unrelated: 0.8 };
/** Transformers for comparing sentences by language; collections find models by the resolver. */
const TRANSFORMERS = new Map([
  ['en', ALL_MINILM],
  ['de', MULTILINGUAL_E5],
  ['fr', MULTILINGUAL_E5],
  ['es', MULTILINGUAL_E5],
]);
/**
 * One thread besides that for queries: the sentences of an answer take about half the time on two idle cores, for the
 * memory of another copy of the model (65 and 100 MB).
 */
const TRANSFORMER_THREADS = 1;

/** A transformer for comparing sentences. */
export interface ComparingTransformer {
  embedder: Promise<Embedder>;
  /** Cosine at which texts count as unrelated. */
  unrelated: number;
}

export class LocalEmbedders {
  readonly #resolver: ModelResolver | null;
  readonly #presentOwner: (() => string) | undefined;
  readonly #described = new Map<string, Promise<ModelDescription>>();
  readonly #opened = new Map<string, Promise<Embedder>>();
  readonly #stopping = new AbortController();
  /** Static models by their file, and transformers by their folder. */
  readonly #static = new Map<string, Promise<StaticEmbedder>>();
  readonly #transformers = new Map<string, Promise<OnnxEmbedder>>();

  /** Without a cache directory, only the static model is available. */
  constructor({ presentOwner, ...options }: LocalEmbeddersOptions = {}) {
    const { cacheDir } = options;
    const rest = { modelDir: null, hubUrl: DEFAULT_HUB, fetchFile: null, downloadArchive: null, ...options };
    this.#presentOwner = presentOwner;
    this.#resolver = cacheDir === undefined ? null : new ModelResolver({ ...rest, cacheDir });
  }

  /**
   * Resolves `default`, a listed name or a folder, and downloads the model if the options allow. Rejects with
   * `ModelNotFoundError` and its reasons. The result is kept for the life of the process.
   */
  describe(modelName: string): Promise<ModelDescription> {
    return remember(this.#described, modelName, () => this.#describe(modelName));
  }

  /** Returns the embedder of a `modelId` of `describe`. It is shared: do not close it. */
  open(modelId: string): Promise<Embedder> {
    return remember(this.#opened, modelId, () => this.#open(modelId));
  }

  /** Returns the static model that ships with the service. It is shared: do not close it. */
  shipped(): Promise<Embedder> {
    return this.#openStatic(STATIC_MODEL);
  }

  /** Returns the static model for comparing texts in a language, null if none ships. It is shared: do not close it. */
  shippedFor(language: string): Promise<Embedder> | null {
    switch (language) {
      case 'en':
        return this.#openStatic(STATIC_MODEL);
      case 'de':
      case 'fr':
      case 'es':
        return this.#openStatic(GERMAN_FRENCH_SPANISH);
      default:
        return null;
    }
  }

  /**
   * Returns the transformer for comparing sentences in a language, null if none ships. It is loaded with the first call
   * and shared: do not close it.
   */
  transformerFor(language: string): ComparingTransformer | null {
    const known = TRANSFORMERS.get(language);
    if (known === undefined) return null;
    const embedder = remember(this.#transformers, known.folder, () =>
      openTransformer(known.folder, this.#presentOwner),
    );
    return { embedder, unrelated: known.unrelated };
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error('The service is stopping'));
    const opened = await Promise.allSettled([...this.#opened.values(), ...this.#transformers.values()]);
    await Promise.all(opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value.close()] : [])));
  }

  async #describe(modelName: string): Promise<ModelDescription> {
    const files = this.#resolver === null ? null : await this.#resolver.resolve(modelName, this.#stopping.signal);
    if (files !== null) return { modelId: files.modelId, dimensions: files.dimensions, source: files.source };
    const embedder = await this.#openStatic(STATIC_MODEL);
    if (this.#resolver === null && modelName !== STATIC_NAME && modelName !== 'default') {
      throw new ModelNotFoundError(modelName, ['there is no model cache']);
    }
    return { modelId: embedder.modelId, dimensions: embedder.dimensions, source: 'shipped with the service' };
  }

  async #open(modelId: string): Promise<Embedder> {
    if (!modelId.startsWith(`${STATIC_NAME}/`)) {
      if (this.#resolver === null) throw new ModelNotFoundError(modelId, ['there is no model cache']);
      const files = await this.#resolver.reopen(modelId, this.#stopping.signal);
      return OnnxEmbedder.open(files, undefined, this.#presentOwner);
    }
    const embedder = await this.#openStatic(STATIC_MODEL);
    if (embedder.modelId !== modelId) throw new ModelNotFoundError(modelId, [`this version has ${embedder.modelId}`]);
    return embedder;
  }

  #openStatic(file: URL): Promise<StaticEmbedder> {
    return remember(this.#static, file.href, async () => new StaticEmbedder(readStaticModel(await readFile(file))));
  }
}

async function openTransformer(name: string, presentOwner: (() => string) | undefined): Promise<OnnxEmbedder> {
  const folder = fileURLToPath(new URL(`../../assets/${name}/`, import.meta.url));
  const files = await readModelFiles(folder);
  if (files === undefined) throw new Error(`The model in ${folder} is incomplete`);
  return OnnxEmbedder.open(files, TRANSFORMER_THREADS, presentOwner);
}

/** Shares one attempt among concurrent calls; a failed attempt may be repeated. */
function remember<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}
