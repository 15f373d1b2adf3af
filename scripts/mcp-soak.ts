/**
 * `npm run mcp-soak`: 1,000 calls of tools on connections of both generations of clients, and the memory of the service
 * before and after. Exits with 1 if a call takes more than 20 kB that stay.
 */
import { connect, connectLegacy, type ConnectedClient } from '../packages/server/test/mcp-clients.ts';
import { memoryMb, removeDirectory, startService } from '../packages/server/test/service-process.ts';

const CALLS = 1_000;
const CALLS_PER_CONNECTION = 50;
const MAX_GROWTH_MB = 20;

const service = await startService({ nodeArgs: ['--max-semi-space-size=16'] });
try {
  const { id } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'Soak' });
  const collection = await service.request<{ id: string }>('POST', `/w/${id}/col`, { name: 'Library' });
  const text = { name: 'hours.md', content: 'The library closes at eight.', contentType: 'text/markdown' };
  const document = await service.request<{ id: string }>(
    'POST',
    `/w/${id}/col/${collection.id}/docs/raw?wait=60`,
    text,
  );
  const target = { address: service.address, url: `/v1/w/${id}`, key: service.rootKey };

  /** Calls the tools in turn, on new connections of alternating generations. */
  const callTools = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += CALLS_PER_CONNECTION) {
      const open = (done / CALLS_PER_CONNECTION) % 2 === 0 ? connect : connectLegacy;
      const client: ConnectedClient = await open(target);
      for (let call = 0; call < CALLS_PER_CONNECTION; call += 5)
        await Promise.all([
          client.tools(),
          client.call('search', { query: 'When does the library close?' }),
          client.call('fetch', { id: document.id }),
          client.call('list_documents', { collection: collection.id }),
          client.call('ask', { question: 'When does the library close?' }),
        ]);
      await client.close();
    }
  };
  await callTools(CALLS);
  const before = memoryMb(service.pid).own;
  for (let round = 1; round <= 3; round += 1) {
    await callTools(CALLS);
    console.log(`after ${(round + 1) * CALLS} calls: ${memoryMb(service.pid).own} MB (after ${CALLS}: ${before} MB)`);
  }
  if (memoryMb(service.pid).own - before > MAX_GROWTH_MB) process.exitCode = 1;
} finally {
  await service.stop();
  removeDirectory(service.dataDir);
}
