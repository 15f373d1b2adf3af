/**
 * An embedding model of an outside provider behind the interface of every embedder. Its id names the model, the length of
 * its vectors and, for a server of one's own, where that is: other vectors, another id.
 */
import { TextTooLongError, type Embedder } from '../embedder.ts';
import { normalise } from '../local/inference/pooling.ts';
import { embedTexts } from './embed-texts.ts';
import type { TextRole } from './embedding-protocol.ts';
import { isTooLong, ProviderError } from './provider-error.ts';
import type { ProviderConnection, ProviderConnections } from './provider-connections.ts';
import { estimatedTokenCounter } from './estimated-token-counter.ts';

export interface RemoteEmbedderSettings extends ProviderConnection {
  model: string;
  /** Asked of the provider; without it the model's own. */
  dimensions?: number | undefined;
}

const TIMEOUT_MS = 60_000;
/** What cannot be halved any more in search of what a model reads. */
const SHORTEST_PART = 64;
/** Parts of a document that are embedded at the same time; the gate of the configuration has the last word. */
const MAX_BATCHES_AT_ONCE = 4;
const QUERIES_KEPT = 200;
const DIMENSIONS_SAMPLE = 'dimensions';

/**
 * `provider_a/text-embedding-3-small` at the provider's own address, `provider_a/bge-m3@10.0.0.5:8080/v1` elsewhere; with
 * `/1024` behind the model when its vectors' length is known.
 */
export function remoteModelId(
  { provider, model, baseUrl }: Pick<RemoteEmbedderSettings, 'provider' | 'model' | 'baseUrl'>,
  dimensions: number | null,
): string {
  const url = baseUrl === undefined ? undefined : new URL(baseUrl);
  const place = url === undefined ? '' : `@${url.host}${url.pathname.replace(/\/+$/, '')}`;
  return `${provider}/${model}${dimensions === null ? '' : `/${dimensions}`}${place}`;
}

export class RemoteEmbedder implements Embedder {
  readonly modelId: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly tokenCounter = estimatedTokenCounter;
  readonly concurrentBatches: number;
  readonly #settings: RemoteEmbedderSettings;
  readonly #connections: ProviderConnections;
  /** Vectors of the last queries, oldest first: the pages of a search and the parts of an answer ask for the same ones. */
  readonly #queries = new Map<string, Float32Array>();

  constructor(settings: RemoteEmbedderSettings, dimensions: number, connections: ProviderConnections) {
    this.modelId = remoteModelId(settings, dimensions);
    this.dimensions = dimensions;
    this.maxTokens = connections.embeddingProtocolOf(settings).maxTokens;
    this.concurrentBatches = Math.min(settings.maxConcurrency ?? MAX_BATCHES_AT_ONCE, MAX_BATCHES_AT_ONCE);
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
    if (this.#queries.size >= QUERIES_KEPT && oldest !== undefined) this.#queries.delete(oldest);
    this.#queries.set(text, vector);
    return vector;
  }

  async close(): Promise<void> {}

  /** What a server finds too long is read in parts; which text of a batch that is, halving the batch finds out. */
  async #embed(texts: readonly string[], role: TextRole, signal: AbortSignal): Promise<Float32Array[]> {
    try {
      const vectors = await embedRemotely(this.#settings, this.#connections, texts, role, signal);
      const odd = vectors.find((vector) => vector.length !== this.dimensions);
      if (odd === undefined) return vectors;
      const message = `The provider answered vectors of ${odd.length} dimensions, not ${this.dimensions}`;
      throw new ProviderError(200, message);
    } catch (error) {
      const [text = ''] = texts;
      if (!isTooLong(error) || (texts.length <= 1 && text.length <= SHORTEST_PART)) throw error;
      if (texts.length > 1) {
        const half = Math.ceil(texts.length / 2);
        const first = await this.#embed(texts.slice(0, half), role, signal);
        return [...first, ...(await this.#embed(texts.slice(half), role, signal))];
      }
      return [meanOf(await this.#embed(halves(text), role, signal))];
    }
  }
}

/** How long the vectors of a model are: the first call to it tells. Rejects with `ProviderError`. */
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
