/** `npm run test:opensearch`: starts an OpenSearch node and runs the conformance suite of the search index on it. */
import { spawnSync } from 'node:child_process';
import { startOpenSearchNode } from './cluster/opensearch-node.ts';

const node = await startOpenSearchNode();
try {
  const env = { ...process.env, QUIRE_TEST_OPENSEARCH: node.address };
  const args = ['node_modules/vitest/vitest.mjs', 'run', 'packages/search/src/opensearch'];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit', env }).status ?? 1;
} finally {
  await node.stop();
}
