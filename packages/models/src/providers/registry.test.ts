import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { adapterOf } from '../provider-descriptor.ts';
import { PROVIDERS, isRemote, providersOf } from './registry.ts';

test('each kind of configuration offers its providers in the order of the API', () => {
  expect(providersOf('models')).toEqual(['provider_a', 'provider_b', 'local']);
  expect(providersOf('embedders')).toEqual(['bm25', 'local', 'provider_a', 'provider_b']);
  expect(providersOf('parsers')).toEqual(['service', 'provider_b', 'provider_c']);
});

test('providers outside of the service have an adapter, built-in ones have none', () => {
  expect(isRemote('parsers', 'provider_c')).toBe(true);
  expect(isRemote('parsers', 'service')).toBe(false);
  expect(() => adapterOf(PROVIDERS, 'models', 'provider_c')).toThrow(
    "the provider 'provider_c' has no adapter for models",
  );
});

test.each([
  ['models', 'models.md'],
  ['embedders', 'embedders-and-parsers.md'],
  ['parsers', 'embedders-and-parsers.md'],
] as const)('the guide names every provider of %s', async (kind, page) => {
  const guide = await readFile(new URL(`../../../../docs/guide/${page}`, import.meta.url), 'utf8');
  expect(providersOf(kind).filter((name) => !guide.includes(name))).toEqual([]);
});
