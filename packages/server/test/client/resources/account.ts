/** Workspaces, keys, the audit log and the state of the service through the client. */
import { NotFoundError, PermissionError } from '@quire/client';
import { expect, test } from 'vitest';
import { connect, quire, root } from './service.ts';

test('workspaces and keys', async () => {
  const made = await root.workspaces.create({ name: 'One' });
  expect(await root.workspaces.update(made.id, { name: 'Two' })).toMatchObject({ id: made.id, name: 'Two' });
  expect((await root.workspaces.list().all()).map(({ id }) => id)).toContain(made.id);
  expect(await root.workspaces.get(made.id)).toMatchObject({ name: 'Two' });
  const inside = root.workspace(made.id);
  const { key, id } = await inside.keys.create({ name: 'reader', permission: 'read' });
  const reader = connect(key);
  expect(await reader.whoami()).toMatchObject({ keyId: id, permission: 'read', workspaceId: made.id });
  expect(await reader.workspaceId()).toBe(made.id);
  await expect(reader.collections.create({ name: 'C' })).rejects.toThrow(PermissionError);
  await expect(quire.workspaces.get(made.id)).rejects.toThrow(NotFoundError);
  await inside.keys.revoke(id);
  expect((await inside.keys.list().all()).map((each) => each.id)).not.toContain(id);
  await root.workspaces.delete(made.id);
  expect(await quire.health()).toMatchObject({});
  expect((await quire.readiness()).dependencies).toMatchObject({ database: { ok: true } });
  expect(await root.metrics()).toContain('# HELP');
});

test('the audit log names who did what', async () => {
  const { id } = await quire.collections.create({ name: 'Audited' });
  const { keyId } = await quire.whoami();
  const { items } = await quire.audit.list({ resourceId: id }).page();
  expect(items).toMatchObject([{ action: 'createCollection', resourceType: 'collection', keyId, outcome: 'done' }]);
});
