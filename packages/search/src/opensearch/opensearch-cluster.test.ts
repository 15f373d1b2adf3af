/** Runs the conformance suite on a real cluster; `npm run test:opensearch` starts one. */
import { describe, test } from 'vitest';
import { searchIndexConformance } from '../conformance.ts';
import { OpenSearchIndex } from './opensearch-index.ts';
import { parseOpenSearchLocation } from './opensearch-location.ts';

const address = process.env['QUIRE_TEST_OPENSEARCH'];
const nodes = Number(process.env['QUIRE_TEST_OPENSEARCH_NODES'] ?? 1);
const copies = nodes > 1 ? 'shards=3&replicas=1' : 'replicas=0';

if (address === undefined) {
  test.skip('OpenSearch: npm run test:opensearch starts one', () => undefined);
} else {
  for (const pool of [false, true]) {
    describe(pool ? 'OpenSearch, tables in a shared index' : 'OpenSearch, an index per table', () => {
      const prefix = `test-${process.pid}-${pool ? 'pool' : 'own'}`;
      const location = parseOpenSearchLocation(`${address}/${prefix}?${copies}&pool=${pool}`);
      searchIndexConformance(async () => new OpenSearchIndex({ location }), 5, false);
    });
  }
}
