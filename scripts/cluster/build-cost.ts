/** Measures what a build costs OpenSearch: rows written with a refresh of each batch, and with one at the end. */
import { OpenSearchIndex } from '@quire/search/opensearch/opensearch-index';
import { parseOpenSearchLocation } from '@quire/search/opensearch/opensearch-location';
import type { IndexRow } from '@quire/search/search-index';
import { cpuMs } from '../../packages/server/test/service-process.ts';
import { Random } from '../chaos/random.ts';
import type { OpenSearchServers } from './opensearch-node.ts';

const DIMENSIONS = 384;
const TERMS = 110;
const VOCABULARY = 60_000;
const BATCH = 2_000;

export async function measureBuild(servers: OpenSearchServers, rows: number): Promise<void> {
  const index = new OpenSearchIndex({
    location: parseOpenSearchLocation(`${servers.address}/build?shards=1&replicas=0`),
  });
  // The first pass is left out: the Java virtual machine compiles then.
  for (const [pass, isBuild] of [true, false, true, false, true].entries()) {
    const table = { name: `c_${pass}`, dimensions: DIMENSIONS };
    const random = new Random(1);
    const makeRow = (key: number): IndexRow => ({
      chunkKey: BigInt(key),
      documentKey: BigInt(key),
      revision: 1,
      terms: Array.from({ length: TERMS }, () => `t${Math.floor(VOCABULARY ** random.next())}`).join(' '),
      vector: Float32Array.from({ length: DIMENSIONS }, () => random.between(-1, 1)),
    });
    const cpu = (): number => servers.nodes.reduce((sum, node) => sum + cpuMs(node.process.pid ?? 0).own, 0);
    const [startedAt, cpuBefore] = [performance.now(), cpu()];
    for (let start = 0; start < rows; start += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, rows - start) }, (_, at) => makeRow(start + at));
      await index.add(table, batch, { isBuild });
    }
    await index.optimize(table);
    const [wallMs, usedMs] = [performance.now() - startedAt, cpu() - cpuBefore];
    if (pass > 0) {
      process.stdout.write(
        `${isBuild ? 'one refresh at the end' : 'a refresh of each batch'}: ${rows} rows, ` +
          `${(usedMs / rows).toFixed(2)} ms of CPU a row, ${Math.round((rows / wallMs) * 1000)} rows/s\n`,
      );
    }
    await index.drop(table);
  }
  await index.close();
}
