// root: makes a folder of another account
import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensurePrivateFolder, openRuntimeFolder, tightenEntries } from './private-folder.ts';

const asRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quire-private-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (entry: string): Promise<string> => ((await stat(entry)).mode & 0o777).toString(8);

test('a new folder is entered by its account only, also below new parents', async () => {
  const target = path.join(folder, 'a', 'b');
  await ensurePrivateFolder(target, 'QUIRE_SPOOL_DIR');
  expect([await modeOf(target), await modeOf(path.dirname(target))]).toEqual(['700', '700']);
});

test('an existing folder loses the rights of other accounts', async () => {
  await chmod(folder, 0o755);
  await ensurePrivateFolder(folder, 'QUIRE_SPOOL_DIR');
  expect(await modeOf(folder)).toBe('700');
});

test('a file, a dangling link and a folder in a file are refused with the name of the setting', async () => {
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  await symlink('/nonexistent/folder', path.join(folder, 'link'));
  const refusal = (target: string) =>
    ensurePrivateFolder(target, 'QUIRE_SPOOL_DIR').catch((error: Error) => error.message);
  expect(await refusal(file)).toBe(`Settings:\n  QUIRE_SPOOL_DIR: ${file} cannot be created (EEXIST)`);
  expect(await refusal(path.join(file, 'x'))).toBe(
    `Settings:\n  QUIRE_SPOOL_DIR: ${path.join(file, 'x')} cannot be created (ENOTDIR)`,
  );
  const link = path.join(folder, 'link');
  expect(await refusal(link)).toBe(`Settings:\n  QUIRE_SPOOL_DIR: ${link} cannot be created (ENOENT)`);
});

// Root may write to every folder.
test.skipIf(asRoot)(
  'a folder of this account that is not writable is refused with the name of the setting',
  async () => {
    await chmod(folder, 0o500);
    await expect(ensurePrivateFolder(folder, 'QUIRE_DATA_DIR')).rejects.toThrow(
      `Settings:\n  QUIRE_DATA_DIR: ${folder} is not writable (EACCES)`,
    );
  },
);

test.runIf(asRoot)('a folder of another account is refused, also behind a link', async () => {
  const foreign = path.join(folder, 'foreign');
  await mkdir(foreign);
  await chown(foreign, 65_534, 65_534);
  await symlink(foreign, path.join(folder, 'link'));
  const reason = `Settings:\n  QUIRE_SPOOL_DIR: ${foreign} belongs to another account (uid 65534)`;
  await expect(ensurePrivateFolder(foreign, 'QUIRE_SPOOL_DIR')).rejects.toThrow(reason);
  await expect(ensurePrivateFolder(path.join(folder, 'link'), 'QUIRE_SPOOL_DIR')).rejects.toThrow(reason);
});

test('the entries of a folder lose the rights of other accounts', async () => {
  await mkdir(path.join(folder, 'sub'));
  await writeFile(path.join(folder, 'file'), '');
  await chmod(path.join(folder, 'sub'), 0o755);
  await chmod(path.join(folder, 'file'), 0o644);
  await tightenEntries(folder);
  expect([await modeOf(path.join(folder, 'sub')), await modeOf(path.join(folder, 'file'))]).toEqual(['700', '600']);
});

test('the folder of a process that ended is removed, and those of live processes and other hosts stay', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const abandoned = `${hostname()}-${pid}-0123456789ab`;
  const reused = `${hostname()}-${process.pid}-0123456789ab`;
  const kept = [`${hostname()}-${process.ppid}-0123456789ab`, `other-host-${pid}-0123456789ab`, 'notes'];
  for (const name of [abandoned, reused, ...kept]) await mkdir(path.join(folder, name));
  const first = await openRuntimeFolder(folder, 'QUIRE_SPOOL_DIR');
  const second = await openRuntimeFolder(folder, 'QUIRE_SPOOL_DIR');
  const own = [first.path, second.path].map((each) => path.basename(each));
  expect((await readdir(folder)).toSorted()).toEqual([...kept, ...own].toSorted());
  expect(await modeOf(first.path)).toBe('700');
  await first.remove();
  await second.remove();
  expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted());
});
