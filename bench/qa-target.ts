/** The service that a measurement runs against, and the loading of question sets into it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { closeAtSignal } from './close-at-signal.ts';
import { inParallel } from './statistics.ts';
import type { QaSet } from './qa-sets.ts';
import { removeDirectory, startService } from '../packages/server/test/service-process.ts';

export interface Target {
  address: string;
  rootKey: string;
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
    closeAtSignal(close);
    return { ...service, close };
  }
  const request = async <T>(method: string, route: string, body?: unknown): Promise<T> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}/v1${route}`, { method, headers: { authorization: `Bearer ${key}` }, ...sent });
    const answer = (await response.json()) as { data: T };
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${JSON.stringify(answer)}`);
    return answer.data;
  };
  return { address: url, rootKey: key ?? '', request, close: async () => undefined };
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
  await whenIndexed(target, ws, col);
  return { col, evalIds };
}

/** The collection, with the name of each of its documents. */
export async function loadFiles(
  target: Target,
  ws: string,
  name: string,
  files: readonly { file: string; content: Buffer; contentType: string }[],
): Promise<{ col: string; names: Map<string, string> }> {
  const { id: col } = await target.request<{ id: string }>('POST', `/w/${ws}/col`, { name });
  const names = new Map<string, string>();
  for (const { file, content, contentType } of files) {
    const response = await fetch(`${target.address}/v1/w/${ws}/col/${col}/docs/file-binary`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${target.rootKey}`,
        'content-type': contentType,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
      },
      body: new Uint8Array(content),
    });
    const answer = (await response.json()) as { data: { id: string } };
    if (!response.ok) throw new Error(`${file}: ${response.status} ${JSON.stringify(answer)}`);
    names.set(answer.data.id, file);
  }
  await whenIndexed(target, ws, col);
  return { col, names };
}

async function whenIndexed(target: Target, ws: string, col: string): Promise<void> {
  for (;;) {
    const { documentCounts } = await target.request<{ documentCounts: { indexing: number; failed: number } }>(
      'GET',
      `/w/${ws}/col/${col}`,
    );
    if (documentCounts.indexing === 0) return;
    await sleep(200);
  }
}
