/**
 * An embedding model of an outside provider. Its id contains the model, the length of its vectors and, for a
 * self-hosted server, the address, so that different vectors have different ids.
 */
import { TextTooLongError, type Embedder } from '../embedder.ts';
import { vectorSettings, type VectorSettings } from '../provider-settings.ts';
import { normalise } from '../local/inference/pooling.ts';
import { embedTexts } from './embed-texts.ts';
import type { TextRole } from './embedding-protocol.ts';
import { isTooLong, ProviderError } from './provider-error.ts';
import type { ProviderConnection, ProviderConnections } from './provider-connections.ts';
import { estimatedTokenCounter } from './estimated-token-counter.ts';

/** `dimensions` is the requested length of the vectors; default: the model's own. */
export interface RemoteEmbedderSettings extends ProviderConnection, VectorSettings {
  model: string;
}

const TIMEOUT_MS = 60_000;
/** Minimum length, in characters, of a text that is divided because the model finds it too long. */
const MIN_PART_LENGTH = 64;
/** Maximum number of concurrent batches of a document, in addition to the configuration's limit. */
const MAX_CONCURRENT_BATCHES = 4;
const MAX_CACHED_QUERIES = 200;
const DIMENSIONS_SAMPLE = 'dimensions';

/**
 * Returns `provider_a/text-embedding-3-small` for the provider's own address, `provider_a/bge-m3@10.0.0.5:8080/v1` for
 * others; with `/1024` after the model if the length of its vectors is known, and `?name=value` for each further
 * setting.
 */
export function remoteModelId(
  settings: VectorSettings & { provider: string; model: string },
  dimensions: number | null,
): string {
  const { provider, model, baseUrl } = settings;
  const url = baseUrl === undefined ? undefined : new URL(baseUrl);
  const place = url === undefined ? '' : `@${url.host}${url.pathname.replace(/\/+$/, '')}`;
  const named: ReadonlySet<string> = new Set(['model', 'baseUrl', 'dimensions']);
  const further = Object.entries(vectorSettings(settings)).filter(([name]) => !named.has(name));
  const query = further.map(([name, value], at) => `${at === 0 ? '?' : '&'}${name}=${String(value)}`).join('');
  return `${provider}/${model}${dimensions === null ? '' : `/${dimensions}`}${place}${query}`;
}

export class RemoteEmbedder implements Embedder {
  readonly modelId: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly tokenCounter = estimatedTokenCounter;
  readonly concurrentBatches: number;
  readonly #settings: RemoteEmbedderSettings;
  readonly #connections: ProviderConnections;
  /** Cache of query vectors, oldest first: pages of a search and parts of an answer repeat queries. */
  readonly #queries = new Map<string, Float32Array>();

  constructor(settings: RemoteEmbedderSettings, dimensions: number, connections: ProviderConnections) {
    this.modelId = remoteModelId(settings, dimensions);
    this.dimensions = dimensions;
    this.maxTokens = connections.embeddingProtocolOf(settings).maxTokens;
    this.concurrentBatches = Math.min(settings.maxConcurrency ?? MAX_CONCURRENT_BATCHES, MAX_CONCURRENT_BATCHES);
    this.#settings = settings;
    this.#connections = connections;
  }

  embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    return this.#embed(texts, 'document', signal);
  }

  async embedQuery(text: string, signal: AbortSignal): Promise<Float32Array> {
    const known = this.#queries.get(text);
    if (known !== undefined) return known;
    const tokens = estimatedTokenCounter.count(text);
    if (tokens > this.maxTokens) throw new TextTooLongError(tokens, this.maxTokens);
    const [vector = new Float32Array()] = await this.#embed([text], 'query', signal);
    const [oldest] = this.#queries.keys();
    if (this.#queries.size >= MAX_CACHED_QUERIES && oldest !== undefined) this.#queries.delete(oldest);
    this.#queries.set(text, vector);
    return vector;
  }

  async close(): Promise<void> {}

  /**
   * Embeds texts. If the server finds the input too long, halves the batch, then the text, whose parts are averaged.
   */
  async #embed(texts: readonly string[], role: TextRole, signal: AbortSignal): Promise<Float32Array[]> {
    try {
      const vectors = await embedRemotely(this.#settings, this.#connections, texts, role, signal);
      const odd = vectors.find((vector) => vector.length !== this.dimensions);
      if (odd === undefined) return vectors;
      const message = `The provider answered vectors of ${odd.length} dimensions, not ${this.dimensions}`;
      throw new ProviderError(200, message);
    } catch (error) {
      const [text = ''] = texts;
      if (!isTooLong(error) || (texts.length <= 1 && text.length <= MIN_PART_LENGTH)) throw error;
      if (texts.length > 1) {
        const half = Math.ceil(texts.length / 2);
        const first = await this.#embed(texts.slice(0, half), role, signal);
        return [...first, ...(await this.#embed(texts.slice(half), role, signal))];
      }
      return [meanOf(await this.#embed(halves(text), role, signal))];
    }
  }
}

/** Determines the length of a model's vectors by a call. Rejects with `ProviderError`. */
export async function findDimensions(
  settings: RemoteEmbedderSettings,
  connections: ProviderConnections,
  signal: AbortSignal,
): Promise<number> {
  const [vector] = await embedRemotely(settings, connections, [DIMENSIONS_SAMPLE], 'query', signal);
  return vector?.length ?? 0;
}

export function embedRemotely(
  settings: RemoteEmbedderSettings,
  connections: ProviderConnections,
  texts: readonly string[],
  role: TextRole,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const client = connections.clientOf(settings, 'embed', TIMEOUT_MS);
  return embedTexts({ protocol: connections.embeddingProtocolOf(settings), settings, client }, texts, role, signal);
}

function halves(text: string): [string, string] {
  const middle = Math.floor(text.length / 2);
  const space = text.lastIndexOf(' ', middle);
  const cut = space > 0 ? space : middle;
  return [text.slice(0, cut), text.slice(cut)];
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(), ...others] = vectors;
  const sum = first.map((value, index) => others.reduce((total, other) => total + (other[index] ?? 0), value));
  normalise(sum);
  return sum;
}
