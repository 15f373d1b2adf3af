/** The data directory: made once by initdb, checked at every start. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '@quire/shared/error-code';
import type { Account } from './account.ts';
import { EmbeddedPostgresError, USE_EXTERNAL, type PostgresBinaries } from './binaries.ts';
import { isNamed, nameAccount, NAMELESS_HINT, type Naming } from './nameless.ts';

export const SUPERUSER = 'quire';
const passwordFile = 'quire.password';

/** Returns the environment of the PostgreSQL programs. It has no setting of Quire and therefore no secret. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

function runInitdb(account: Account, program: string, args: readonly string[], naming: Naming): Promise<void> {
  const { program: file, args: line, ...ids } = account.command(program, args);
  const [command = file, ...rest] = [...naming.prefix, file, ...line];
  const env = { ...childEnvironment(), ...naming.environment };
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { ...ids, cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    const hint = isNamed() ? '' : ` (${NAMELESS_HINT})`;
    const fail = (reason: string): void =>
      reject(new EmbeddedPostgresError(`initdb failed: ${reason}${hint}. ${USE_EXTERNAL}`));
    child.on('error', (error) => fail(error.message));
    child.on('close', (code, signal) => (code === 0 ? resolve() : fail(complaint.trim() || String(code ?? signal))));
  });
}

/** The names and the mode of a folder become durable, as fsync of a file does for its bytes. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Folders that an initdb of this process works in. */
const drafts = new Set<string>();

/** Folders of an initdb that a killed process left behind; in a container the next one may have the same pid. */
async function removeLeftovers(dataDir: string): Promise<void> {
  const prefix = `${path.basename(dataDir)}.init-`;
  for (const name of await readdir(path.dirname(dataDir))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (pid === process.pid ? [...drafts].some((draft) => name.startsWith(draft)) : isAlive(pid)) continue;
    await rm(path.join(path.dirname(dataDir), name), { recursive: true, force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/**
 * initdb works in a folder of its own that is renamed when it is whole, so a killed start leaves nothing half made and
 * of two starts at once one wins. Text sorts by code point, the same on every system and PostgreSQL build.
 */
async function createCluster(dataDir: string, binaries: PostgresBinaries, account: Account): Promise<void> {
  await removeLeftovers(dataDir);
  const draft = `${dataDir}.init-${process.pid}-${randomBytes(4).toString('hex')}`;
  const secret = `${draft}.password`;
  drafts.add(path.basename(draft));
  const naming = await nameAccount(draft);
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(secret, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' });
    if (account.owner !== undefined) {
      for (const file of [draft, secret]) await chown(file, account.owner.uid, account.owner.gid);
    }
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = [`--username=${SUPERUSER}`, `--pwfile=${secret}`, '--auth=scram-sha-256'];
    await runInitdb(account, binaries.initdb, ['-D', draft, ...access, ...locale, '--data-checksums'], naming);
    await rename(secret, path.join(draft, passwordFile));
    await syncFolder(draft);
    await rename(draft, dataDir);
    await syncFolder(path.dirname(dataDir));
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(secret, { force: true });
    await naming.remove();
    drafts.delete(path.basename(draft));
  }
}

async function readMajor(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(dataDir, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(
      `The database in ${dataDir} cannot be read (${code}): it belongs to another user. Start as that user or as root.`,
      { cause: error },
    );
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.length === 0;
}

/** A directory that was copied as root has lost the owner that PostgreSQL insists on. */
async function restoreOwner(dataDir: string, account: Account): Promise<void> {
  if (account.owner === undefined || (await stat(dataDir)).uid === account.owner.uid) return;
  const { uid, gid } = account.owner;
  const names = await readdir(dataDir, { recursive: true });
  for (const name of ['.', ...names]) await lchown(path.join(dataDir, name), uid, gid);
}

/** Makes the data directory at the first start; refuses one that these binaries cannot serve. Returns the password. */
export async function prepareCluster(dataDir: string, binaries: PostgresBinaries, account: Account): Promise<string> {
  if ((await readMajor(dataDir)) === undefined) {
    if (!(await isEmpty(dataDir))) {
      throw new EmbeddedPostgresError(`${dataDir} is not empty and holds no PostgreSQL database. ${USE_EXTERNAL}`);
    }
    await createCluster(dataDir, binaries, account);
  }
  const major = await readMajor(dataDir);
  if (major !== binaries.major) {
    throw new EmbeddedPostgresError(
      `The database in ${dataDir} was made by PostgreSQL ${major}, and this version of Quire brings ${binaries.major}. ` +
        `Start the version of Quire that made it, or load a dump into a server of yours. ${USE_EXTERNAL}`,
    );
  }
  await restoreOwner(dataDir, account);
  return (await readFile(path.join(dataDir, passwordFile), 'utf8')).trim();
}
