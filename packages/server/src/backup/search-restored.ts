/** Starts the service on restored data and searches it for texts that it must find. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { connectDatabase } from '../database/connect.ts';
import type { Config } from '../config/config.ts';
import { createLogger } from '../logger.ts';
import { BackupError } from './archive.ts';

const SEARCHES = 50;
const WORDS = 8;
/** Time for the service to start and to rebuild its index. */
const LIMIT_MS = 600_000;

interface Sample {
  workspaceId: string;
  collectionId: string;
  documentId: string;
  query: string;
}

/** Returns the number of searches, each of which found the document that its words come from. */
export async function searchRestored(dataDir: string, config: Config): Promise<number> {
  const samples = await chooseSamples(dataDir);
  if (samples.length === 0) return 0;
  const rootKey = randomBytes(24).toString('base64url');
  const child = startOn(dataDir, rootKey, config.secretKey);
  try {
    const address = await addressOf(child);
    const until = performance.now() + LIMIT_MS;
    for (const sample of samples) await untilFound(address, rootKey, sample, until);
    return samples.length;
  } finally {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await ended;
  }
}

async function chooseSamples(dataDir: string): Promise<Sample[]> {
  const logger = createLogger({ level: 'silent' });
  const server = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres'), logger });
  const options = { connection: server.connection, poolSize: 1, applicationName: 'quire verify', logger };
  const database = connectDatabase(options);
  try {
    const { rows } = await database.pool.query<Sample & { text: string }>(
      `select distinct on (documents.id) documents.workspace_id as "workspaceId",
         documents.collection_id as "collectionId", documents.id as "documentId", chunks.text
       from documents join chunks on chunks.document_id = documents.id
       where documents.status = 'ready' and documents.deleted_at is null limit $1`,
      [SEARCHES],
    );
    return rows.map(({ text, ...sample }) => ({ ...sample, query: text.split(/\s+/).slice(0, WORDS).join(' ') }));
  } finally {
    await database.close();
    await server.stop();
  }
}

function startOn(dataDir: string, rootKey: string, secretKey: string | null): ChildProcess {
  const main = new URL('../main.js', import.meta.url).href;
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('QUIRE_'));
  // Standard input, a pipe of this process, closes when this process ends in any way; then the service stops.
  const script = `process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume().unref();
    import(${JSON.stringify(main)}).then(({ main }) => main('serve'));`;
  return spawn(process.execPath, ['-e', script], {
    env: {
      ...Object.fromEntries(own),
      QUIRE_DATA_DIR: dataDir,
      QUIRE_PORT: '0',
      QUIRE_ROOT_KEY: rootKey,
      QUIRE_SAMPLE: 'false',
      QUIRE_MODEL_DOWNLOAD: 'false',
      QUIRE_LOG_LEVEL: 'fatal',
      ...(secretKey === null ? {} : { QUIRE_SECRET_KEY: secretKey }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function addressOf(child: ChildProcess): Promise<string> {
  let printed = '';
  for await (const piece of child.stdout ?? []) {
    printed += String(piece);
    const address = /Quire is ready at (\S+)/.exec(printed)?.[1];
    if (address === undefined) continue;
    child.stdout?.resume();
    return address;
  }
  throw new BackupError(`The service did not start on the restored data: ${printed}`);
}

async function untilFound(address: string, key: string, sample: Sample, until: number): Promise<void> {
  const { workspaceId, collectionId, documentId, query } = sample;
  for (;;) {
    // oxlint-disable-next-line eslint/no-restricted-globals -- the service that was started here, on loopback
    const response = await fetch(`${address}/v1/w/${workspaceId}/col/${collectionId}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, mode: 'sparse', limit: 50 }),
    });
    const answer = (await response.json()) as { data?: { hits: { documentId: string }[] } };
    if (answer.data?.hits.some((hit) => hit.documentId === documentId) === true) return;
    if (performance.now() > until) throw new BackupError(`A search for '${query}' did not find document ${documentId}`);
    await delay(500);
  }
}
