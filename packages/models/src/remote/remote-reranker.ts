/** The rerank API that many servers share: `POST {baseUrl}/rerank` with the query and the texts. */
import { z } from 'zod';
import { probabilityOf, type Reranker } from '../reranker.ts';
import { under } from './embedding-protocol.ts';
import type { ProviderConnection, ProviderConnections } from './provider-connections.ts';
import { ProviderError } from './provider-error.ts';

export interface RemoteRerankerSettings extends ProviderConnection {
  model: string;
  baseUrl: string;
}

const TIMEOUT_MS = 10_000;
/** Servers differ in the names of the list and of the score; some return the list itself. */
const resultShape = z.object({
  index: z.int().min(0),
  relevance_score: z.number().optional(),
  score: z.number().optional(),
});
const listShape = z.array(resultShape);
const answerShape = z.union([
  listShape,
  z.object({ results: listShape }).transform(({ results }) => results),
  z.object({ data: listShape }).transform(({ data }) => data),
]);

export class RemoteReranker implements Reranker {
  readonly modelId: string;
  readonly #settings: RemoteRerankerSettings;
  readonly #connections: ProviderConnections;

  constructor(settings: RemoteRerankerSettings, connections: ProviderConnections) {
    this.modelId = `${settings.provider}/${settings.model}`;
    this.#settings = settings;
    this.#connections = connections;
  }

  /** Rejects with `ProviderError`, also if the answer lacks a text. */
  async score(query: string, texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const { model, apiKey, baseUrl } = this.#settings;
    const answer = await this.#connections.clientOf(this.#settings, 'rerank', TIMEOUT_MS).postJson({
      url: under(baseUrl, 'rerank'),
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: { model, query, documents: texts, top_n: texts.length },
      signal,
      apiKey,
      urgent: true,
    });
    const results = answerShape.safeParse(answer).data ?? [];
    const scores = new Map(results.map((each) => [each.index, each.relevance_score ?? each.score]));
    const raw = texts.map((_, index) => scores.get(index));
    if (raw.includes(undefined)) throw new ProviderError(200, 'The provider did not score every text');
    // Some servers return logits.
    const isProbability = raw.every((score = 0) => score >= 0 && score <= 1);
    return raw.map((score = 0) => (isProbability ? score : probabilityOf(score)));
  }
}
