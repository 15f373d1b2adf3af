/** The default configurations of a new workspace: chat model, parser, dense embedder and sparse embedder. */
import type { ConfigurationKind, ConfigurationRole } from '../../database/tables.ts';
import type { Executor } from '../../database/transaction.ts';
import { newId } from '../../shared/uuid.ts';

interface DefaultConfiguration {
  kind: ConfigurationKind;
  role: ConfigurationRole;
  name: string;
  config: Record<string, unknown>;
}

const defaults: readonly DefaultConfiguration[] = [
  { kind: 'models', role: 'model', name: 'Extractive answers', config: { provider: 'local', model: 'extractive' } },
  { kind: 'parsers', role: 'parser', name: 'Built-in parser', config: { provider: 'service' } },
  {
    kind: 'embedders',
    role: 'dense_embedder',
    name: 'Local embeddings',
    config: { provider: 'local', model: 'default' },
  },
  { kind: 'embedders', role: 'sparse_embedder', name: 'BM25', config: { provider: 'bm25' } },
];

export async function createDefaultConfigurations(executor: Executor, workspaceId: string): Promise<void> {
  await executor
    .insertInto('configurations')
    .values(
      defaults.map((entry) => ({
        id: newId(),
        workspace_id: workspaceId,
        kind: entry.kind,
        role: entry.role,
        name: entry.name,
        config: JSON.stringify(entry.config),
        is_default: true,
      })),
    )
    .execute();
}
