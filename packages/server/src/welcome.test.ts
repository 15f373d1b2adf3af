import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { announce } from './welcome.ts';

let dataDir: string;
let printed: string;
let log: string;
const first = { rootKey: 'the-root-key', sample: { workspaceId: 'w', collectionId: 'c', key: 'the-workspace-key' } };

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'quire-welcome-'));
  printed = '';
  log = '';
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const options = (isTTY: boolean) => ({
  dataDir,
  output: { isTTY, write: (text: string) => (printed += text) },
  logger: pino({ level: 'info' }, { write: (line: string) => (log += line) }),
});

test('a terminal shows the keys of a first start and a search to paste', async () => {
  await announce({ address: 'http://localhost:8080', first }, options(true));
  expect(printed).toContain('Root key (shown once, keep it): the-root-key\n');
  expect(printed).toContain('Workspace key (shown once):     the-workspace-key\n');
  expect(printed).toContain('Console, signed in:             http://localhost:8080/#key=the-workspace-key\n');
  expect(printed).toContain("-H 'Authorization: Bearer the-workspace-key'");
  expect(log).toBe('');
});

test('without a terminal the keys go to a file of mode 600, which the log names', async () => {
  await announce({ address: 'http://localhost:8080', first }, options(false));
  const file = path.join(dataDir, 'first-keys.txt');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).toBe(
    'Root key (shown once, keep it): the-root-key\nWorkspace key (shown once):     the-workspace-key\n' +
      'Console, signed in:             http://localhost:8080/#key=the-workspace-key\n',
  );
  expect(JSON.parse(log)).toMatchObject({ file });
  expect(printed).toContain(file);
  expect(`${printed}${log}`).not.toMatch(/the-root-key|the-workspace-key/);
});

test('a later start writes no file', async () => {
  await announce({ address: 'http://localhost:8080', first: { rootKey: null, sample: null } }, options(false));
  await expect(stat(path.join(dataDir, 'first-keys.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(printed).toBe(
    '\nQuire is ready at http://localhost:8080\n  API documentation: http://localhost:8080/docs\n\n',
  );
});
