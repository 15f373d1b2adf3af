import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveProfile, writeProfiles } from './profiles.ts';

const STORED = { url: 'http://quire.test', key: 'stored', workspaceId: 'workspace-1', collection: 'Contracts' };
let folder: string;
let env: Record<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'quire-profiles-'));
  env = { QUIRE_CONFIG: path.join(folder, 'profiles.json') };
  await writeProfiles(env, { current: 'default', profiles: { default: STORED } });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['no variable', {}, STORED],
  ['the stored address and key', { QUIRE_URL: STORED.url, QUIRE_KEY: STORED.key }, STORED],
  ['a workspace', { QUIRE_WORKSPACE: 'workspace-2' }, { ...STORED, workspaceId: 'workspace-2' }],
  ['another key, which may belong to another workspace', { QUIRE_KEY: 'own' }, { url: STORED.url, key: 'own' }],
  ['another address', { QUIRE_URL: 'http://other.test' }, { url: 'http://other.test', key: '' }],
  [
    'everything',
    { QUIRE_URL: 'http://other.test', QUIRE_KEY: 'own', QUIRE_WORKSPACE: 'workspace-2' },
    { url: 'http://other.test', key: 'own', workspaceId: 'workspace-2' },
  ],
])('the stored profile with %s', async (_, variables: Record<string, string>, profile) => {
  expect(await resolveProfile({ ...env, ...variables })).toEqual(profile);
});
