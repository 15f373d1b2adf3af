/** Orders the best hits of a search by a reranker: a cross-encoder on this server, or a provider's rerank API. */
import { performance } from 'node:perf_hooks';
import type { Kysely } from 'kysely';
import type { Database, RerankChoice } from '../../database/tables.ts';
import type { LocalRerankers } from '@quire/models/local/local-rerankers';
import { isRemote } from '@quire/models/providers/registry';
import type { ProviderConnections } from '@quire/models/remote/provider-connections';
import { RemoteReranker } from '@quire/models/remote/remote-reranker';
import type { Reranker } from '@quire/models/reranker';
import { withLogContext } from '../../logger.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import { openKey } from '../configurations/api-key.ts';
import { ConfigurationRepository } from '../configurations/repository.ts';
import type { ProviderConfig } from '../configurations/types.ts';

export interface RerankingDeps {
  database: Kysely<Database>;
  secretBox: SecretBox;
  connections: ProviderConnections;
  local: Pick<LocalRerankers, 'open'>;
}

/** `scores` are those of the first texts, 0..1; `problem` says why there are none. */
export type RerankOutcome = { scores: number[]; tookMs: number } | { problem: string };

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
/** Time limit of a reranking in ms, the loading of a local model included. */
const DEADLINE_MS = 15_000;

export class Reranking {
  readonly #deps: RerankingDeps;

  constructor(deps: RerankingDeps) {
    this.#deps = deps;
  }

  /** Scores the texts; a search whose reranker fails keeps its order. Rejects only with the signal's reason. */
  async score(
    workspaceId: string,
    { model }: RerankChoice,
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<RerankOutcome> {
    const startedAt = performance.now();
    try {
      const reranker = await this.#open(workspaceId, model);
      if (reranker === undefined) return { problem: `the reranker '${model}' is not available` };
      const until = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
      // Searches have no context, and the threads of a local model are shared out by it.
      const scores = await withLogContext({ workspaceId }, () => reranker.score(query, texts, until));
      return { scores, tookMs: Math.round((performance.now() - startedAt) * 10) / 10 };
    } catch (error) {
      signal.throwIfAborted();
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  /** `model` is the id of a language model's configuration with a base URL, or the name of a folder of models. */
  async #open(workspaceId: string, model: string): Promise<Reranker | undefined> {
    if (!UUID.test(model)) return this.#deps.local.open(model);
    const record = await new ConfigurationRepository(this.#deps.database).findById(workspaceId, 'models', model);
    if (record === undefined || record.deleted_at !== null) return undefined;
    const config = record.config as unknown as ProviderConfig;
    const { provider, model: name, baseUrl } = config;
    if (!isRemote('models', provider) || baseUrl === undefined || name === undefined) return undefined;
    const apiKey = openKey(this.#deps.secretBox, record);
    const settings = { ...config, configurationId: record.id, model: name, baseUrl, apiKey };
    return new RemoteReranker(settings, this.#deps.connections);
  }
}
