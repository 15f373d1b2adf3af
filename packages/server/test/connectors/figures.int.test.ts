// large: measures every kind with QUIRE_CONNECTOR_FIGURES, and does nothing otherwise
/**
 * Measures each kind through the whole service. Runs only with QUIRE_CONNECTOR_FIGURES, a file to which it appends one
 * line of JSON for each source: `npm run connector-servers -- --figures`.
 */
import { appendFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createCollection, createWorkspace, type AnyRecord } from '../factories.ts';
import { startTestService } from '../server.ts';
import type { Sync } from './connector-requests.ts';
import { KINDS_OF_SOURCES, SETUPS } from './kind-sources.ts';
import { steadyCall } from './steady-call.ts';

const OUTPUT = process.env['QUIRE_CONNECTOR_FIGURES'];
/** Files that are listed, and those of them that are imported. */
const LISTED = 1000;
const IMPORTED = 100;
const POLL_MS = 50;

const TEXT = 'The walrus sleeps on the ice while the heron waits in the reeds. '.repeat(20);

test.skipIf(OUTPUT === undefined).each(SETUPS.filter(({ missing }) => missing === null))(
  'figures of $name',
  async ({ name, start }) => {
    const source = await start();
    onTestFinished(() => source.close());
    for (let at = 0; at < LISTED; at += 1) {
      const folder = at < IMPORTED ? 'ready' : `others ${at % 9}`;
      await source.write(`${folder}/file ${at}.txt`, Buffer.from(`Report ${at}. ${TEXT}`));
    }
    const service = await startTestService({ QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' }, undefined, {
      kinds: KINDS_OF_SOURCES,
    });
    onTestFinished(() => service.stop());
    const workspace = await createWorkspace(service);
    const collection = await createCollection(service, workspace, { name });
    const call = <T = AnyRecord>(method: string, url: string, json?: unknown): Promise<T> =>
      steadyCall<T>(service, method, `${workspace.url}${url}`, {
        key: workspace.admin,
        ...(json === undefined ? {} : { json }),
      });
    const { kind, config } = source;
    const isSite = kind === 'web';
    const { id } = await call('POST', '/connectors', {
      collectionId: collection.id,
      name,
      kind,
      include: ['**/ready/**', 'ready/**'],
      config: isSite ? { ...config, maxPages: 2 * LISTED } : config,
    });
    const sync = async (): Promise<Sync> => {
      const { id: syncId } = await call('POST', `/connectors/${id}/sync`);
      for (;;) {
        const ended = await call<Sync>('GET', `/connectors/${id}/syncs/${syncId}?wait=60`);
        if (ended.status !== 'running') return ended;
      }
    };
    const startedMs = performance.now();
    const first = await sync();
    expect([first.status, first.counts['added']]).toEqual(['done', IMPORTED]);
    for (;;) {
      const { total } = await call<{ total: number }>('GET', `/col/${collection.id}/docs?status=ready&limit=1`);
      if (total === IMPORTED) break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const readyMs = performance.now() - startedMs;
    // A feed reports no unchanged files, so that a dry run lists them.
    const before = process.cpuUsage();
    const againMs = performance.now();
    const { id: dryId } = await call('POST', `/connectors/${id}/sync?dryRun=true`);
    const again = await call<Sync>('GET', `/connectors/${id}/syncs/${dryId}?wait=60`);
    const seconds = (performance.now() - againMs) / 1000;
    const { user, system } = process.cpuUsage(before);
    const listed = again.counts['listed'] ?? 0;
    expect([again.status, listed >= LISTED]).toEqual(['done', true]);
    const figures = {
      source: name,
      listedPerSecond: listed / seconds,
      readyPerSecond: IMPORTED / (readyMs / 1000),
      cpuMicrosPerUnchanged: (user + system) / listed,
    };
    appendFileSync(OUTPUT ?? '', `${JSON.stringify(figures)}\n`);
  },
);
