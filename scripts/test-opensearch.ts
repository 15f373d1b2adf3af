/**
 * `npm run test:opensearch`: starts OpenSearch and runs the conformance suite of the search index on it.
 * `--nodes N`: starts N processes (2 or more) with a replica of each shard. After the suite it ends the cluster manager
 * with SIGKILL while rows are written and searched.
 * `--halt`: measures instead how long searches and writes wait for a node that hangs, with `--defaults` by OpenSearch's
 * own limits.
 * `--ranks DIR`: measures instead what a shared index does to ranks.
 * `--build N`: measures what it costs to write N rows with and without a refresh of each batch.
 */
import { parseArgs } from 'node:util';
import { runGroup } from './child-process/run-group.mjs';
import { measureBuild } from './cluster/build-cost.ts';
import { haltNode } from './cluster/halt-node.ts';
import { killManager } from './cluster/kill-manager.ts';
import { OpenSearchServers } from './cluster/opensearch-node.ts';
import { measurePooledRanks } from './cluster/pooled-ranks.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1' },
    halt: { type: 'boolean', default: false },
    defaults: { type: 'boolean', default: false },
    ranks: { type: 'string' },
    build: { type: 'string' },
  },
});
const MOVE = 'packages/server/test/opensearch-move.int.test.ts';
const nodes = Number(values.nodes);
const servers = await OpenSearchServers.start({ nodes, fastDetection: !values.defaults });

async function test(): Promise<boolean> {
  process.env['QUIRE_TEST_OPENSEARCH'] = servers.address;
  process.env['QUIRE_TEST_OPENSEARCH_NODES'] = String(nodes);
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'packages/search/src/opensearch', MOVE];
  const status = await runGroup(process.execPath, args);
  const isServed = nodes === 1 || (await killManager(servers));
  return status === 0 && isServed;
}

try {
  if (values.halt) await haltNode(servers);
  else if (values.ranks !== undefined) await measurePooledRanks(servers, values.ranks);
  else if (values.build !== undefined) await measureBuild(servers, Number(values.build));
  else if (!(await test())) process.exitCode = 1;
} finally {
  await servers.stop();
}
