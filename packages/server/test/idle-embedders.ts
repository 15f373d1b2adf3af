import type { Kysely } from 'kysely';
import type { Database } from '../src/database/tables.ts';
import { DenseEmbedders } from '../src/domain/configurations/dense-embedders.ts';

/** For tests in which collections have a model, but nothing is embedded. */
export function idleEmbedders(database: Kysely<Database>): DenseEmbedders {
  const reject = () => Promise.reject(new Error('nothing is embedded here'));
  const source = { describe: () => Promise.resolve({ modelId: 'a model', dimensions: 4 }), open: reject };
  return new DenseEmbedders({ database, source, remote: { open: reject } });
}
