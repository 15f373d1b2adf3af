import type { Kysely } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { Embedder } from '@quire/models/embedder';
import type { DenseEmbedders } from './dense-embedders.ts';
import { ConfigurationRepository } from './repository.ts';

export interface DefaultEmbedderDeps {
  database: Kysely<Database>;
  embedders: Pick<DenseEmbedders, 'localModel' | 'openLocal'>;
}

const BUILT_IN = 'default';

/**
 * Opens the workspace's default dense embedder for runs. If the default is an outside provider, the built-in model
 * replaces it: comparing labels and sentences does not justify a call for each.
 */
export async function openDefaultEmbedder(workspaceId: string, deps: DefaultEmbedderDeps): Promise<Embedder> {
  const config = (await new ConfigurationRepository(deps.database).defaults(workspaceId)).get('dense_embedder')?.config;
  const named = config?.['provider'] === 'local' ? config['model'] : undefined;
  const { modelId } = await deps.embedders.localModel(typeof named === 'string' ? named : BUILT_IN);
  return deps.embedders.openLocal(modelId);
}
