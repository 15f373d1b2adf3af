import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Embedder } from '../../providers/embedder.ts';
import type { DenseEmbedders, EmbedderSource } from './dense-embedders.ts';
import { ConfigurationRepository } from './repository.ts';

export interface DefaultEmbedderDeps {
  database: Kysely<Database>;
  embedders: Pick<DenseEmbedders, 'localModel'>;
  source: Pick<EmbedderSource, 'open'>;
}

/** The workspace's default dense embedder; null when it is not one of this process. */
export async function openDefaultEmbedder(workspaceId: string, deps: DefaultEmbedderDeps): Promise<Embedder | null> {
  const defaults = await new ConfigurationRepository(deps.database).defaults(workspaceId);
  const config = defaults.get('dense_embedder')?.config;
  if (config?.['provider'] !== 'local') return null;
  const { modelId } = await deps.embedders.localModel(
    typeof config['model'] === 'string' ? config['model'] : 'default',
  );
  return deps.source.open(modelId);
}
