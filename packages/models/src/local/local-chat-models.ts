/** The `local` language models of this process: GGUF files, one shared process for each file. */
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { ChatModel } from '../chat-model.ts';
import type { ProviderObserver } from '../provider-observer.ts';
import type { Clock } from '../remote/clock.ts';
import { findGguf } from './gguf/find-gguf.ts';
import { GgufChatModel } from './gguf/gguf-chat-model.ts';
import { readGgufHeader } from './gguf/gguf-header.ts';
import { GgufHost, type GgufHostOptions } from './gguf/gguf-host.ts';
import { runtimeModule } from './gguf/runtime.ts';
import { ModelNotFoundError, type ResolverOptions } from './model-resolver.ts';

export interface LocalChatModelsOptions {
  resolver: ResolverOptions;
  /** The data directory that contains the runtime. */
  dataDir: string;
  clock: Clock;
  observe: ProviderObserver;
}

/** Maximum context in tokens, regardless of the model: its memory grows with the context. */
const MAX_CONTEXT_TOKENS = 8192;
/** Maximum number of idle models in memory. */
const MAX_LOADED = 2;

export class LocalChatModels {
  readonly #options: LocalChatModelsOptions;
  readonly #hosts = new Map<string, GgufHost>();

  constructor(options: LocalChatModelsOptions) {
    this.#options = options;
  }

  /**
   * Finds the model; the first request loads it. Throws `RuntimeMissingError` if GGUF models cannot be run, and
   * `ModelNotFoundError` if there is no such model or the file is not valid.
   */
  async open(name: string, settings: { maxOutputTokens?: number | undefined }): Promise<ChatModel> {
    const { resolver, dataDir, clock, observe } = this.#options;
    const file = await findGguf(name, resolver, new AbortController().signal);
    const header = await readGgufHeader(file).catch((error: unknown) => {
      throw new ModelNotFoundError(name, [error instanceof Error ? error.message : String(error)]);
    });
    const runtime = runtimeModule(dataDir);
    const contextTokens = Math.min(header.contextTokens, MAX_CONTEXT_TOKENS);
    const host = this.#hostOf({ runtime, modelFile: file, contextTokens, threads: availableParallelism() });
    const { maxOutputTokens } = settings;
    const model = path.basename(file, '.gguf');
    return new GgufChatModel({ host, name: model, contextTokens, maxOutputTokens, observe, now: () => clock.now() });
  }

  close(): void {
    for (const host of this.#hosts.values()) host.close();
  }

  #hostOf(load: GgufHostOptions['load']): GgufHost {
    const known = this.#hosts.get(load.modelFile);
    if (known !== undefined) return known;
    const host = new GgufHost({ load, clock: this.#options.clock, onStart: () => this.#makeRoom() });
    this.#hosts.set(load.modelFile, host);
    return host;
  }

  #makeRoom(): void {
    const loaded = [...this.#hosts.values()].filter((host) => host.isLoaded);
    let tooMany = loaded.length - MAX_LOADED + 1;
    for (const host of loaded) if (tooMany > 0 && host.release()) tooMany -= 1;
  }
}
