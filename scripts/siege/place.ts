/** The service under attack, with the workspace of the attacker and that of the neighbour. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Quire } from '@quire/client';
import { removeDirectory, startService, type ServiceProcess } from '../../packages/server/test/service-process.ts';
import { Neighbour } from './neighbour.ts';
import type { Target } from './attack.ts';

const NOTES = 20;
/** Time in which the service must stop; then it is killed. */
const STOP_MS = 60_000;

export interface Place {
  service: ServiceProcess;
  attacked: Pick<Target, 'url' | 'keys' | 'workspace' | 'collection' | 'chat'>;
  neighbour: Neighbour;
  close: () => Promise<void>;
}

/** Starts the service of this checkout in a temporary data directory, on a free port of the loopback interface. */
export async function openPlace(): Promise<Place> {
  const service = await startService({ env: { QUIRE_HOST: '127.0.0.1' } });
  const root = new Quire({ url: service.address, key: service.rootKey });
  const [attacked, other] = [await openWorkspace(root, 'Attacked'), await openWorkspace(root, 'Neighbour')];
  const { keys, workspace, collection } = attacked;
  for (let at = 0; at < NOTES; at += 1) {
    const content = `The note number ${at}.`;
    await attacked.quire
      .collection(collection)
      .documents.upload({ name: `${at}.txt`, content })
      .ready();
  }
  const admin = new Quire({ url: service.address, key: keys.admin }).workspace(workspace);
  const chat = (await admin.chats.create({ title: 'The secret', collection_id: collection })).id;
  await admin.chat(chat).ask('What is the secret of note number 7?').final;
  return {
    service,
    attacked: { url: service.address, keys, workspace, collection, chat },
    neighbour: new Neighbour({
      url: service.address,
      key: other.keys.write,
      workspace: other.workspace,
      collection: other.collection,
    }),
    close: async () => {
      const ended = new AbortController();
      const late = sleep(STOP_MS, 'late', { signal: ended.signal }).catch(() => 'ended');
      if ((await Promise.race([service.stop(), late])) === 'late') await service.kill();
      ended.abort();
      removeDirectory(service.dataDir);
    },
  };
}

interface OpenWorkspace {
  quire: Quire;
  keys: Target['keys'];
  workspace: string;
  collection: string;
}

async function openWorkspace(root: Quire, name: string): Promise<OpenWorkspace> {
  const { id: workspace } = await root.workspaces.create({ name });
  const quire = root.workspace(workspace);
  const create = async (permission: 'admin' | 'write' | 'read'): Promise<string> =>
    (await quire.keys.create({ name: permission, permission })).key;
  const keys = { admin: await create('admin'), write: await create('write'), read: await create('read') };
  return { quire, keys, workspace, collection: (await quire.collections.create({ name })).id };
}
