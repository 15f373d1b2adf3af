/** Measures deliveries of many concurrent events to one fast receiver on this machine, with the built service. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectDatabase } from '../packages/server/src/database/connect.ts';
import { startEmbeddedPostgres } from '../packages/server/src/database/embedded-postgres.ts';
import { createLogger } from '../packages/server/src/logger.ts';
import { startReceiver } from '@quire/outbound/testing/receiver';
import { cpuMs, removeDirectory, startService } from '../packages/server/test/service-process.ts';
import type { Figures } from './measures.ts';
import { round } from './statistics.ts';

/** Uses a new PostgreSQL with default settings (with fsync). The receiver shares the machine's cores. */
export async function measureWebhooks(events: number): Promise<Figures> {
  const postgresDir = mkdtempSync(path.join(tmpdir(), 'quire-webhooks-'));
  const logger = createLogger({ level: 'silent' });
  const server = await startEmbeddedPostgres({ dataDir: postgresDir, logger });
  const receiver = await startReceiver();
  const connection = server.connectionString;
  const database = connectDatabase({ connection, poolSize: 1, applicationName: 'bench', logger });
  const service = await startService({
    env: {
      QUIRE_DATABASE_URL: connection,
      QUIRE_SECRET_KEY: 'the-secret-key-of-the-bench',
      QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
      QUIRE_EXTRA_CA_FILE: receiver.caFile,
    },
  });
  try {
    const { id: ws } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'bench' });
    const webhook = { name: 'bench', url: receiver.url, signingSecret: 'a-secret-of-the-bench' };
    await service.request('POST', `/w/${ws}/webhooks`, { ...webhook, events: ['document.ready'] });
    const cpuBefore = cpuMs(service.pid);
    const startedAt = performance.now();
    await database.pool.query(
      `insert into events (id, workspace_id, type, data)
       select gen_random_uuid(), $1, 'document.ready', '{"name": "lease.pdf", "status": "ready"}'
       from generate_series(1, $2)`,
      [ws, events],
    );
    await database.pool.query(`select pg_notify('quire', 'events')`);
    await receiver.wait(1);
    const firstMs = performance.now() - startedAt;
    await receiver.wait(events);
    const totalMs = performance.now() - startedAt;
    const cpuAfter = cpuMs(service.pid);
    return {
      'deliveries per s': round(events / (totalMs / 1000)),
      'first one after ms': round(firstMs),
      'CPU ms per delivery, service process': round((cpuAfter.own - cpuBefore.own) / events, 3),
      'connections opened': receiver.connections(),
    };
  } finally {
    await service.stop();
    await database.close();
    await receiver.close();
    await server.stop();
    removeDirectory(service.dataDir);
    removeDirectory(postgresDir);
  }
}
