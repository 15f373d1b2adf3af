/** Documents with as much metadata as is accepted, listed and searched by many requests at the same time. */
import { call, prepareWorkspace, type SiegeWorkspace } from './api.ts';
import type { SiegeCounts, SiegeLoad, SiegeTarget } from './load.ts';

const DOCUMENTS = 36;
/** Sizes of metadata in bytes, from the largest; the first one that is accepted is used. */
const SIZES = [9_000_000, 500_000, 60_000];
const CLIENTS = 12;
const ROUNDS = 10;

export const largeLists: SiegeLoad = {
  name: 'large lists',
  run: async (target) => {
    const { workspace, bytes } = await prepareDocuments(target);
    const counts: SiegeCounts = { metadataBytes: bytes };
    const client = async (index: number): Promise<void> => {
      for (let round = 0; round < ROUNDS && !target.signal.aborted; round += 1) {
        const name = String(await ask(target, workspace, index + round).catch(() => 'failed'));
        counts[name] = (counts[name] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
    return counts;
  },
};

/** Sends a list or a search and returns the status. */
async function ask({ url, signal }: SiegeTarget, { collection, key }: SiegeWorkspace, turn: number): Promise<number> {
  const target = { url, key, signal };
  const { status } =
    turn % 2 === 0
      ? await call(target, 'GET', `${collection}/docs?limit=100`)
      : await call(target, 'POST', `${collection}/search`, { query: 'lease', limit: 100 });
  return status;
}

/** Stores the documents with the largest metadata that is accepted. */
export async function prepareDocuments(target: SiegeTarget): Promise<{ workspace: SiegeWorkspace; bytes: number }> {
  const workspace = await prepareWorkspace(target, 'large lists');
  const upload = async (count: number, bytes: number): Promise<number> => {
    const content = `A lease of ${count} years.`;
    const json = { name: 'lease.txt', content, contentType: 'text/plain', metadata: { m: 'x'.repeat(bytes) } };
    const writer = { ...target, key: workspace.key };
    return (await call(writer, 'POST', `${workspace.collection}/docs/raw`, json)).status;
  };
  for (const bytes of SIZES) {
    if ((await upload(0, bytes)) >= 300) continue;
    const others = Array.from({ length: DOCUMENTS - 1 }, (_, index) => upload(index + 1, bytes));
    await Promise.all(others);
    return { workspace, bytes };
  }
  return { workspace, bytes: 0 };
}
