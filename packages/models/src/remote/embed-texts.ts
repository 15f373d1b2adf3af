/**
 * Embeds texts with a provider; vectors are L2-normalised, in the order of the texts. Texts are sent in batches. A
 * retry repeats only the failed batch, and after a partial answer only the missing texts are requested again.
 */
import type { EmbeddingProtocol, EmbeddingSettings, TextRole } from './embedding-protocol.ts';
import { estimatedTokenCounter } from './estimated-token-counter.ts';
import { ProviderError, type ProviderClient } from './provider-client.ts';

export interface RemoteEmbedding {
  protocol: EmbeddingProtocol;
  settings: EmbeddingSettings;
  client: Pick<ProviderClient, 'postJson'>;
}

export async function embedTexts(
  remote: RemoteEmbedding,
  texts: readonly string[],
  role: TextRole,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors = new Map<number, Float32Array>();
  let open = texts.map((text, index) => ({ text, index }));
  while (open.length > 0) {
    const batch = firstBatch(open, remote.protocol);
    const found = await embedBatch(
      remote,
      batch.map(({ text }) => text),
      role,
      signal,
    );
    if (found.size === 0) throw new ProviderError(200, 'The provider answered without any vector');
    for (const [place, vector] of found) {
      const member = batch[place];
      if (member !== undefined) vectors.set(member.index, vector);
    }
    open = open.filter(({ index }) => !vectors.has(index));
  }
  return texts.map((_, index) => vectors.get(index) ?? new Float32Array());
}

/** Returns at least one text, and as many more as a request may contain. */
function firstBatch<T extends { text: string }>(open: readonly T[], protocol: EmbeddingProtocol): T[] {
  let tokens = 0;
  const most = open.slice(0, protocol.batchSize);
  const end = most.findIndex(({ text }, index) => {
    tokens += estimatedTokenCounter.count(text);
    return index > 0 && tokens > protocol.batchTokens;
  });
  return end < 0 ? most : most.slice(0, end);
}

async function embedBatch(
  { protocol, settings, client }: RemoteEmbedding,
  texts: readonly string[],
  role: TextRole,
  signal: AbortSignal,
): Promise<Map<number, Float32Array>> {
  const request = protocol.request(settings, texts, role);
  const inputTokens = (answer: unknown): number => protocol.tokens?.(answer) ?? 0;
  const urgent = role === 'query';
  const answer = await client.postJson({ ...request, signal, apiKey: settings.apiKey, urgent, inputTokens });
  let read: Map<number, number[]>;
  try {
    read = protocol.read(answer);
  } catch {
    throw new ProviderError(200, 'The provider answered something that is not a list of vectors');
  }
  const inside = [...read].filter(([place]) => place < texts.length);
  return new Map(inside.map(([place, values]) => [place, normalise(values, settings.dimensions)]));
}

function normalise(values: readonly number[], dimensions: number | undefined): Float32Array {
  if (values.length === 0 || (dimensions !== undefined && values.length !== dimensions)) {
    throw new ProviderError(
      200,
      `The provider answered vectors of ${values.length} dimensions, not ${dimensions ?? 'any'}`,
    );
  }
  const length = Math.hypot(...values);
  if (!Number.isFinite(length) || length === 0) {
    throw new ProviderError(200, 'The provider answered a vector without direction');
  }
  return Float32Array.from(values, (value) => value / length);
}
