import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { adoptNextKey, deriveSecrets, isKeyLost, loadSecrets, prepareNextKey } from './secrets.ts';

test('a key in the data directory is made once, for its owner only, and replaced by the prepared one', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quire-secrets-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const config = { secretKey: null, dataDir };
  const first = await loadSecrets(config);
  expect((await loadSecrets(config)).keyId).toBe(first.keyId);
  expect((await stat(path.join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
  const next = await prepareNextKey(dataDir);
  expect(await prepareNextKey(dataDir)).toBe(next);
  expect((await loadSecrets(config)).keyId).toBe(first.keyId);
  await adoptNextKey(dataDir);
  expect((await loadSecrets(config)).keyId).toBe(deriveSecrets(next).keyId);
});

test('a data directory with a database and without its key has lost it, unless the settings hold the key', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quire-secrets-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const config = { secretKey: null, dataDir };
  expect(isKeyLost(config)).toBe(false);
  await mkdir(path.join(dataDir, 'postgres'));
  expect([isKeyLost(config), isKeyLost({ ...config, secretKey: 'of the settings' })]).toEqual([true, false]);
  await loadSecrets(config);
  expect(isKeyLost(config)).toBe(false);
});
