/** The service that a measurement runs against, and the loading of question sets into it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from './statistics.ts';
import type { QaSet } from './qa-sets.ts';
import { removeDirectory, startService } from '../packages/server/test/service-process.ts';

export interface Target {
  request<T>(method: string, url: string, body?: unknown): Promise<T>;
  close(): Promise<void>;
}

/** Opens the service at `url` with its root key, or a new one without `url`. */
export async function openTarget(url: string | undefined, key: string | undefined): Promise<Target> {
  if (url === undefined) {
    const service = await startService();
    const close = async (): Promise<void> => {
      await service.stop();
      removeDirectory(service.dataDir);
    };
    return { ...service, close };
  }
  const request = async <T>(method: string, route: string, body?: unknown): Promise<T> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}/v1${route}`, { method, headers: { authorization: `Bearer ${key}` }, ...sent });
    const answer = (await response.json()) as { data: T };
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(answer)}`);
    return answer.data;
  };
  return { request, close: async () => undefined };
}

/** The collection, with the set's document for each of its documents. */
export async function loadSet(
  target: Target,
  ws: string,
  set: QaSet,
): Promise<{ col: string; evalIds: Map<string, string> }> {
  const { id: col } = await target.request<{ id: string }>('POST', `/w/${ws}/col`, { name: set.name });
  const evalIds = new Map<string, string>();
  await inParallel(set.documents, 8, async ({ _id, title = '', text }) => {
    if (text.trim() === '') return;
    const content = title === '' ? text : `# ${title}\n\n${text}`;
    const body = { name: `${_id.replaceAll(/[^\p{L}\p{N} #()-]/gu, '_')}.md`, content, contentType: 'text/markdown' };
    const { id } = await target.request<{ id: string }>('POST', `/w/${ws}/col/${col}/docs/raw`, body);
    evalIds.set(id, _id);
  });
  for (;;) {
    const { documentCounts } = await target.request<{ documentCounts: { indexing: number; failed: number } }>(
      'GET',
      `/w/${ws}/col/${col}`,
    );
    if (documentCounts.indexing === 0) return { col, evalIds };
    await sleep(200);
  }
}
