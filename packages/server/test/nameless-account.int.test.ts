// large: starts whole services
// root: runs the service as an account without a name
/** The service runs under a numeric user id without an entry in /etc/passwd, as container platforms start it. */
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withLibrary } from '../src/database/embedded/nameless.ts';
import { removeDirectory, startService, whenSettled } from './service-process.ts';

const ACCOUNT = { uid: 12_345, gid: 12_345 };

/** Whether the account may run a program as root started it, read this checkout, and get a name for initdb. */
function canRun(): boolean {
  if (process.getuid?.() !== 0) return false;
  const read = spawnSync('cat', [fileURLToPath(new URL('../package.json', import.meta.url))], ACCOUNT);
  const namespace = spawnSync('unshare', ['--user', '--map-user=65534', '--map-group=65534', 'true'], ACCOUNT);
  const library = readdirSync('/usr/lib').some((name) => existsSync(`/usr/lib/${name}/libnss_wrapper.so`));
  return read.status === 0 && (namespace.status === 0 || library);
}

test.runIf(canRun())('an account without a name starts the service with its own PostgreSQL, twice', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-nameless-'));
  chownSync(folder, ACCOUNT.uid, ACCOUNT.gid);
  const options = { dataDir: path.join(folder, 'data'), env: { TMPDIR: folder }, account: ACCOUNT };
  const first = await startService(options);
  const { id } = await first.request<{ id: string }>('POST', '/workspaces', { name: 'nameless' });
  await first.stop();
  const second = await startService(options);
  const collection = await second.request<{ id: string }>('POST', `/w/${id}/col`, { name: 'nameless' });
  const body = { name: 'a.txt', contentType: 'text/plain', content: 'a gate without a name' };
  const url = `/w/${id}/col/${collection.id}/docs`;
  const document = await second.request<{ id: string }>('POST', `${url}/raw`, body);
  expect((await whenSettled(second, `${url}/${document.id}`)).status).toBe('ready');
  expect((await stat(path.join(folder, 'data', 'postgres'))).uid).toBe(ACCOUNT.uid);
  await second.stop();
  expect(readdirSync(path.join(folder, 'data')).filter((name) => name.includes('init'))).toEqual([]);
  removeDirectory(folder);
});

test('nss_wrapper gets files with a name for this account, which are removed afterwards', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quire-nss-'));
  const naming = await withLibrary('/lib/libnss_wrapper.so', path.join(folder, 'draft'));
  const { LD_PRELOAD, NSS_WRAPPER_PASSWD = '' } = naming.environment;
  expect(LD_PRELOAD).toBe('/lib/libnss_wrapper.so');
  expect(await readFile(NSS_WRAPPER_PASSWD, 'utf8')).toBe(
    `quire:x:${process.getuid?.()}:${process.getgid?.()}:quire:/:/bin/false\n`,
  );
  await naming.remove();
  expect(readdirSync(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
