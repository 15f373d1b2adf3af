/** Runs the conformance suite on a real node; `npm run test:opensearch` starts one. */
import { describe, test } from 'vitest';
import { searchIndexConformance } from '../conformance.ts';
import { OpenSearchIndex } from './opensearch-index.ts';
import { parseOpenSearchLocation } from './opensearch-location.ts';

const address = process.env['QUIRE_TEST_OPENSEARCH'];

if (address === undefined) {
  test.skip('OpenSearch: npm run test:opensearch starts a node', () => undefined);
} else {
  for (const pool of [false, true]) {
    describe(pool ? 'OpenSearch, tables in a shared index' : 'OpenSearch, an index per table', () => {
      const prefix = `test-${process.pid}-${pool ? 'pool' : 'own'}`;
      const location = parseOpenSearchLocation(`${address}/${prefix}?replicas=0&pool=${pool}`);
      searchIndexConformance(async () => new OpenSearchIndex({ location }), 5, false);
    });
  }
}
