// large: starts and kills whole services
/** `api` and `worker` as processes of their own over one database: work moves on when a worker dies. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from './postgres.ts';
import { removeDirectory, startService, whenSettled } from './service-process.ts';

interface DocumentAnswer {
  id: string;
  status: string;
}

test('what an api process accepted is processed by worker processes, also when one of them is killed', async () => {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'quire-roles-'));
  const env = { QUIRE_DATABASE_URL: database.connectionString, QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests' };
  const start = (role: string) => startService({ dataDir, env: { ...env, QUIRE_ROLE: role } });
  const api = await start('api');
  const first = await start('worker');
  try {
    const ws = await api.request<{ id: string }>('POST', '/workspaces', { name: 'roles' });
    const { id } = await api.request<{ id: string }>('POST', `/w/${ws.id}/col`, { name: 'roles' });
    const docs = `/w/${ws.id}/col/${id}/docs`;
    const content = 'some words to read '.repeat(20_000);
    const uploaded = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        api.request<DocumentAnswer>('POST', `${docs}/raw`, {
          name: `${index}.txt`,
          content,
          contentType: 'text/plain',
        }),
      ),
    );
    await first.kill();
    const second = await start('worker');
    try {
      for (const document of uploaded) {
        const found = await whenSettled<DocumentAnswer>(api, `${docs}/${document.id}`);
        expect(found.status).toBe('ready');
      }
    } finally {
      await second.stop();
    }
  } finally {
    await first.kill();
    await api.stop();
    await database.drop();
    removeDirectory(dataDir);
  }
}, 900_000);
