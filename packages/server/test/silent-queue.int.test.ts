// large: starts whole services and waits for their watchdogs
/**
 * The connections of each kind of process fall silent: statements never settle and notifications do not arrive, without
 * an error. A process recovers by itself or says that it must be restarted, and nothing acknowledged is lost.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { removeDirectory, startService, whenSettled, type ServiceProcess } from './service-process.ts';

const PRELOAD = fileURLToPath(new URL('processes/silent-connections.mjs', import.meta.url));
const PATIENCE = { timeout: 300_000, interval: 500 };

interface Silence {
  names: string;
  /** Whether connections that are opened later fall silent too. */
  all?: boolean;
}

/** Starts a process whose connections fall silent on SIGUSR2. */
function start(database: TestDatabase, role: string, silence?: Silence, dataDir?: string): Promise<ServiceProcess> {
  return startService({
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(silence === undefined ? {} : { nodeArgs: ['--import', PRELOAD] }),
    env: {
      QUIRE_DATABASE_URL: database.connectionString,
      QUIRE_SECRET_KEY: 'the-secret-key-of-the-tests',
      QUIRE_ROLE: role,
      QUIRE_PARSE_PROCESSES: '1',
      QUIRE_LOG_LEVEL: 'fatal',
      ...(silence === undefined ? {} : { SILENT_NAMES: silence.names, SILENT_ALL: String(silence.all ?? false) }),
    },
  });
}

async function createCollection(api: ServiceProcess): Promise<string> {
  const ws = await api.request<{ id: string }>('POST', '/workspaces', { name: 'silence' });
  const { id } = await api.request<{ id: string }>('POST', `/w/${ws.id}/col`, { name: 'silence' });
  return `/w/${ws.id}/col/${id}`;
}

/** Uploads a document and returns its path. */
async function upload(api: ServiceProcess, collection: string): Promise<string> {
  const body = { name: 'a.txt', content: 'The heron waits in the shallow water.', contentType: 'text/plain' };
  const { id } = await api.request<{ id: string }>('POST', `${collection}/docs/raw`, body);
  return `${collection}/docs/${id}`;
}

const isAlive = async (service: ServiceProcess): Promise<boolean> => (await fetch(`${service.address}/healthz`)).ok;
const queueOf = async (service: ServiceProcess): Promise<{ ok: boolean; detail?: string }> =>
  (await service.readiness()).dependencies['queue'] ?? { ok: false };

/** Whether a lane was restarted. One that had just replaced its connection when the others fell silent needs none. */
async function someRestarted(service: ServiceProcess): Promise<boolean> {
  const headers = { authorization: `Bearer ${service.rootKey}` };
  const metrics = await (await fetch(`${service.address}/metrics`, { headers })).text();
  const restarts = Array.from(metrics.matchAll(/^quire_job_lane_restarts\{.*\} (\d+)$/gm), ([, count]) =>
    Number(count),
  );
  return restarts.some((count) => count > 0);
}

/** A worker of its own has an api process beside it. */
async function startKind(kind: string, silence: Silence) {
  const database = await createTestDatabase();
  const silent = await start(database, kind, silence);
  // A shared folder of originals.
  const api = kind === 'worker' ? await start(database, 'api', undefined, silent.dataDir) : silent;
  const collection = await createCollection(api);
  expect((await whenSettled<{ status: string }>(api, await upload(api, collection))).status).toBe('ready');
  return { database, silent, api, collection };
}

describe.each(['worker', 'all'])('a process of kind %s', { concurrent: true }, (kind) => {
  test('whose lanes lose their connections is ready after its watchdog has revived them', async ({ expect }) => {
    const { database, silent, api, collection } = await startKind(kind, { names: '^quire jobs' });
    try {
      process.kill(silent.pid, 'SIGUSR2');
      const document = await upload(api, collection);
      await expect.poll(() => someRestarted(silent), PATIENCE).toBe(true);
      expect(await isAlive(silent)).toBe(true);
      expect((await whenSettled<{ status: string }>(api, document)).status).toBe('ready');
      await expect.poll(async () => (await queueOf(silent)).ok, PATIENCE).toBe(true);
    } finally {
      await silent.kill();
      await api.kill();
      await database.drop();
      removeDirectory(silent.dataDir);
    }
  }, 600_000);

  test('whose lanes stay silent is not ready, then not alive, and its successor finishes its work', async ({
    expect,
  }) => {
    const { database, silent, api, collection } = await startKind(kind, { names: '^quire jobs', all: true });
    let successor: ServiceProcess | undefined;
    try {
      process.kill(silent.pid, 'SIGUSR2');
      const document = await upload(api, collection);
      await expect.poll(async () => (await queueOf(silent)).detail, PATIENCE).toMatch(/^stalled: /);
      expect((await fetch(`${silent.address}/readyz`)).status).toBe(503);
      await expect.poll(() => isAlive(silent), PATIENCE).toBe(false);
      // As a supervisor does that checks /healthz.
      await silent.kill();
      successor = await start(database, kind, undefined, silent.dataDir);
      const reader = kind === 'worker' ? api : successor;
      expect((await whenSettled<{ status: string }>(reader, document)).status).toBe('ready');
      expect(await isAlive(successor)).toBe(true);
    } finally {
      await successor?.kill();
      await silent.kill();
      await api.kill();
      await database.drop();
      removeDirectory(silent.dataDir);
    }
  }, 600_000);
});

describe.each([
  { kind: 'api', names: '^quire api$' },
  { kind: 'all', names: '^quire all$' },
  { kind: 'worker', names: '^quire work$' },
])('a process of kind $kind', { concurrent: true }, ({ kind, names }) => {
  test('whose connections for requests or jobs stay silent is not alive', async ({ expect }) => {
    const database = await createTestDatabase();
    const silent = await start(database, kind, { names, all: true });
    try {
      expect(await isAlive(silent)).toBe(true);
      process.kill(silent.pid, 'SIGUSR2');
      await expect.poll(() => isAlive(silent), PATIENCE).toBe(false);
    } finally {
      await silent.kill();
      await database.drop();
      removeDirectory(silent.dataDir);
    }
  }, 600_000);
});

describe.each(['api', 'worker', 'all'])('the notifications of a process of kind %s', { concurrent: true }, (kind) => {
  test('are received again over another connection', async ({ expect }) => {
    const database = await createTestDatabase();
    const silent = await start(database, kind, { names: '^quire notifications' });
    const listeners = async (): Promise<unknown[]> => {
      const { rows } = await database.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'quire notifications' and datname = current_database()`,
      );
      return rows.map(({ pid }) => pid);
    };
    try {
      const before = await listeners();
      process.kill(silent.pid, 'SIGUSR2');
      await expect.poll(async () => (await listeners()).some((pid) => !before.includes(pid)), PATIENCE).toBe(true);
      await expect.poll(async () => (await fetch(`${silent.address}/readyz`)).status, PATIENCE).toBe(200);
    } finally {
      await silent.kill();
      await database.drop();
      removeDirectory(silent.dataDir);
    }
  }, 600_000);
});
