/** Models, embedders and parsers through the client. */
import { expect, test } from 'vitest';
import { quire } from './service.ts';

/** A configuration of each kind that works without a provider. */
const CONFIGS = {
  models: { provider: 'local', model: 'extractive' },
  embedders: { provider: 'bm25' },
  parsers: { provider: 'service' },
} as const;

const KINDS = ['models', 'embedders', 'parsers'] as const;

test.each(KINDS)('%s are created, changed, tested, deleted and restored', async (kind) => {
  const made = await quire[kind].create({ name: 'Mine', config: CONFIGS[kind] as never });
  expect(await quire[kind].test(made.id)).toMatchObject({ ok: true });
  expect(await quire[kind].update(made.id, { name: 'Yours' })).toMatchObject({ id: made.id, name: 'Yours' });
  await quire[kind].delete(made.id);
  expect((await quire[kind].list().all()).map(({ id }) => id)).not.toContain(made.id);
  expect(await quire[kind].undelete(made.id)).toMatchObject({ deletedAt: null });
  expect(await quire[kind].get(made.id)).toMatchObject({ name: 'Yours', config: CONFIGS[kind] });
});
