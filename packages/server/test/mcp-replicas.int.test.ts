// large: starts two whole services
/** The endpoint for assistants has no state: any api process answers any request of a client in the same way. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connect, connectLegacy } from './mcp-clients.ts';
import { createTestDatabase } from './postgres.ts';
import { removeDirectory, startService } from './service-process.ts';

test('two api processes offer the same tools and return the same results', async () => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'quire-replicas-'));
  const env = { QUIRE_DATABASE_URL: database.connectionString, QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests' };
  const start = (role: string) => startService({ dataDir, env: { ...env, QUIRE_ROLE: role } });
  const replicas = await Promise.all([start('all'), start('api')]);
  try {
    const [one] = replicas;
    const { id } = await one.request<{ id: string }>('POST', '/workspaces', { name: 'replicas' });
    const collection = await one.request<{ id: string }>('POST', `/w/${id}/col`, { name: 'Fish' });
    const text = { name: 'trout.md', content: 'The trout swims upstream.', contentType: 'text/markdown' };
    await one.request('POST', `/w/${id}/col/${collection.id}/docs/raw?wait=60`, text);
    const { key } = await one.request<{ key: string }>('POST', `/w/${id}/keys`, { name: 'k', permission: 'read' });
    const seen = await Promise.all(
      replicas
        .flatMap(({ address }) => [connect, connectLegacy].map((open) => open({ address, url: `/v1/w/${id}`, key })))
        .map(async (connecting) => {
          const client = await connecting;
          const listed = await client.call('list_collections');
          const found = await client.call('search', { query: 'Where does the trout swim?' });
          const { results } = found.structuredContent as { results: { documentId: string; score: number }[] };
          const tools = await client.tools();
          await client.close();
          return { tools, listed: listed.structuredContent, hits: results.map(({ documentId }) => documentId) };
        }),
    );
    expect(seen[0]?.hits.length).toBe(1);
    expect(seen.slice(1)).toEqual([seen[0], seen[0], seen[0]]);
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await database.drop();
    removeDirectory(dataDir);
  }
});
