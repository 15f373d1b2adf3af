/** Connectors through the client, over a source in memory. */
import { expect, test } from 'vitest';
import { ScriptedSource } from '../../connectors/scripted-source.ts';
import { quire, sources } from './service.ts';

test('a connector is synchronised, held back, approved, cancelled, deleted and restored', async () => {
  const source = new ScriptedSource();
  sources.set('source', source);
  for (const name of ['a', 'b', 'c', 'd']) source.put(`${name}.txt`, `Content of ${name}.`);
  const collection = await quire.collections.create({ name: 'Sources' });
  const fields = { collectionId: collection.id, name: 'Files', kind: 'ftp' as const, config: { host: 'source' } };
  const { id } = await quire.connectors.create(fields);
  expect(await quire.connectors.test(id)).toMatchObject({ ok: true });
  expect(await quire.connectors.update(id, { name: 'Other' })).toMatchObject({ name: 'Other' });
  expect((await quire.connectors.list().all()).map((each) => each.id)).toContain(id);
  const ended = async (options: { dryRun?: boolean } = {}) => {
    const started = await quire.connectors.sync(id, options);
    return quire.connectors.getSync(id, started.id, { wait: 60 });
  };
  expect(await ended()).toMatchObject({ status: 'done', counts: { listed: 4, added: 4 } });
  const synced = await quire.connectors.items(id, { path: 'a' }).all();
  expect(synced).toMatchObject([{ path: 'a.txt', status: 'synced' }]);

  source.files.clear();
  const held = await ended();
  expect(held).toMatchObject({ status: 'held' });
  expect((await quire.connectors.syncs(id).page()).items[0]).toMatchObject({ id: held.id });
  await quire.connectors.approveSync(id, held.id);
  expect(await quire.connectors.getSync(id, held.id, { wait: 60 })).toMatchObject({ counts: { deleted: 4 } });

  let list: () => void = () => undefined;
  source.beforePage = () => new Promise((resolve) => (list = resolve));
  const running = await quire.connectors.sync(id);
  await quire.connectors.cancelSync(id, running.id);
  list();
  expect(await quire.connectors.getSync(id, running.id, { wait: 60 })).toMatchObject({ status: 'cancelled' });
  await quire.connectors.delete(id);
  expect(await quire.connectors.undelete(id)).toMatchObject({ deletedAt: null });
  expect(await quire.connectors.get(id)).toMatchObject({ name: 'Other' });
});
