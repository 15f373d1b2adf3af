// large: starts and kills whole services
/** If the embedded PostgreSQL is killed, shut down or suspended under load, the service continues and all work ends. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeDirectory, startService, whenSettled, type ServiceProcess } from './service-process.ts';

const DOCUMENTS = 24;
let service: ServiceProcess;
let collection: string;

beforeAll(async () => {
  service = await startService({ env: { QUIRE_LOG_LEVEL: 'fatal' } });
  const workspace = await service.request<{ id: string }>('POST', '/workspaces', { name: 'outage' });
  const { id } = await service.request<{ id: string }>('POST', `/w/${workspace.id}/col`, { name: 'outage' });
  collection = `/w/${workspace.id}/col/${id}`;
});
afterAll(async () => {
  await service.stop();
  removeDirectory(service.dataDir);
});

function signalDatabase(signal: NodeJS.Signals): void {
  const file = path.join(service.dataDir, 'postgres', 'postmaster.pid');
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), signal);
}

async function signalTwice(first: NodeJS.Signals, pauseMs: number, second: NodeJS.Signals): Promise<void> {
  signalDatabase(first);
  await delay(pauseMs);
  signalDatabase(second);
}

/** Alternates between small texts and longer documents, which have a lane each. */
function upload(name: string, index: number): Promise<{ id: string }> {
  const paragraphs = Array.from({ length: index % 2 === 0 ? 1 : 120 }, (_, part) => `# ${part}\n\n${name} ${part}`);
  const content = `${paragraphs.join('\n\n')}\n${index % 2 === 0 ? '' : 'lorem ipsum dolor '.repeat(6_000)}`;
  return service.request('POST', `${collection}/docs/raw`, {
    name: `${name}.md`,
    contentType: 'text/markdown',
    content,
  });
}

/** Uploads until `stopped` and returns the acknowledged documents. Failed requests are not acknowledged. */
async function load(round: string, stopped: AbortSignal): Promise<string[]> {
  const acknowledged: string[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (!stopped.aborted || next < DOCUMENTS) {
      const index = next++;
      const record = await upload(`${round}-${index}`, index).catch(() => delay(50).then(() => undefined));
      if (record !== undefined) acknowledged.push(record.id);
    }
  };
  await Promise.all([client(), client(), client(), client()]);
  return acknowledged;
}

const faults: [string, () => Promise<void>][] = [
  ['killed', async () => signalDatabase('SIGKILL')],
  ['shut down', async () => signalDatabase('SIGINT')],
  ['killed twice', () => signalTwice('SIGKILL', 1_500, 'SIGKILL')],
  ['suspended for 3 s', () => signalTwice('SIGSTOP', 3_000, 'SIGCONT')],
];

test.each(faults)('every acknowledged document is ready after PostgreSQL was %s', async (name, fault) => {
  const stop = new AbortController();
  const loading = load(name.replaceAll(' ', '-'), stop.signal);
  await delay(700);
  await fault();
  await delay(1_000);
  stop.abort();
  const acknowledged = await loading;
  expect(acknowledged.length).toBeGreaterThan(0);
  await expect.poll(async () => (await service.readiness()).dependencies['database']?.ok).toBe(true);
  const states = acknowledged.map((id) => whenSettled<{ status: string }>(service, `${collection}/docs/${id}`));
  expect(new Set((await Promise.all(states)).map(({ status }) => status))).toEqual(new Set(['ready']));
  const { dependencies } = await service.readiness();
  expect(dependencies['queue']).toMatchObject({ ok: true });
});
