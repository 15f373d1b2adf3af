// large: starts whole services
/** A collection outgrows the OpenSearch index that it shares, and gets one of its own while searches continue. */
import { expect, test } from 'vitest';
import { createTestDatabase } from './postgres.ts';
import { removeDirectory, startService } from './service-process.ts';

const address = process.env['QUIRE_TEST_OPENSEARCH'];
const DOCUMENTS = 30;
const POOL_ROWS = 20;

interface Found {
  hits: { documentId: string }[];
}

test.skipIf(address === undefined)(
  'a collection moves to an index of its own, and no search misses a document',
  async () => {
    const database = await createTestDatabase();
    const prefix = `move-${process.pid}`;
    const env = {
      QUIRE_DATABASE_URL: database.connectionString,
      QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests',
      QUIRE_INDEX_URL: `${address}/${prefix}?replicas=0&pool=true&poolRows=${POOL_ROWS}`,
    };
    let service = await startService({ env });
    const { dataDir } = service;
    const tables = async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ table_name: string }>(
        'select table_name from collection_indexes order by table_name',
      );
      return rows.map((row) => row.table_name);
    };
    try {
      const { id: ws } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'w' });
      const create = async (name: string, documents: number): Promise<string> => {
        const { id } = await service.request<{ id: string }>('POST', `/w/${ws}/col`, { name });
        const col = `/w/${ws}/col/${id}`;
        for (let at = 0; at < documents; at += 1) {
          const body = { name: `${at}.txt`, content: `heron number ${at}`, contentType: 'text/plain' };
          await service.request('POST', `${col}/docs/raw?wait=60`, body);
        }
        return col;
      };
      const [large, small] = [await create('large', DOCUMENTS), await create('small', 2)];
      const found = async (col: string): Promise<number> =>
        (await service.request<Found>('POST', `${col}/search`, { query: 'heron', mode: 'sparse', limit: 100 })).hits
          .length;
      expect([await found(large), await found(small)]).toEqual([DOCUMENTS, 2]);
      await service.stop();
      // A start checks the sizes, as the service does every five minutes.
      service = await startService({ dataDir, env });
      const counts = new Set<number>();
      const isMoved = async (): Promise<boolean> => (await tables()).some((name) => name.endsWith('_own'));
      while (!(await isMoved())) counts.add(await found(large));
      const indexes = async (): Promise<string[]> => {
        const url = `${address?.replace('opensearch+', '').split(',')[0]}/_cat/count/${prefix}-pool-*?h=count`;
        return (await (await fetch(url)).text()).trim().split('\n');
      };
      // Its rows leave the shared index after the searches that began before the move.
      while ((await indexes())[0] !== '2') counts.add(await found(large));
      expect([...counts]).toEqual([DOCUMENTS]);
      expect(await found(small)).toBe(2);
      expect((await tables()).map((name) => name.endsWith('_own')).toSorted()).toEqual([false, true]);
      await service.request('POST', `${large}/docs/raw?wait=60`, {
        name: 'late.txt',
        content: 'a late heron',
        contentType: 'text/plain',
      });
      expect(await found(large)).toBe(DOCUMENTS + 1);
    } finally {
      await service.kill();
      await database.drop();
      removeDirectory(dataDir);
    }
  },
  600_000,
);
