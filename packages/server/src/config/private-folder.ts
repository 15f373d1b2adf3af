/**
 * Folders that only the account of the service may enter: other accounts of the machine must neither read documents nor
 * put files where the service expects its own.
 */
import { randomBytes } from 'node:crypto';
import { access, chmod, constants, lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { errorCode } from '@quire/shared/error-code';
import { ConfigurationError } from './env.ts';
import { isAlive } from '../database/embedded/cluster.ts';

const OTHERS = 0o077;
/** Lets the group of PostgreSQL's account pass, and nothing else; see `admitGroup` of the embedded server. */
const PASSABLE_BY_GROUP = 0o710;

function refuse(setting: string, folder: string, reason: string): never {
  throw new ConfigurationError(`Settings:\n  ${setting}: ${folder} ${reason}`);
}

/**
 * Creates the folder with mode 700, or takes rights of other accounts away from an existing one. Throws a
 * `ConfigurationError` that names the setting if it is not a folder of this account.
 */
export async function ensurePrivateFolder(folder: string, setting: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    refuse(setting, folder, `cannot be created (${errorCode(error) ?? String(error)})`);
  }
  const found = await lstat(folder);
  const uid = process.getuid?.();
  if (found.isSymbolicLink()) {
    // A link that the administrator made is followed; the folder behind it must be ours all the same.
    const target = await realpath(folder).catch(() => refuse(setting, folder, 'is a link that leads nowhere'));
    return ensurePrivateFolder(target, setting);
  }
  if (!found.isDirectory()) refuse(setting, folder, 'is not a folder');
  if (uid !== undefined && found.uid !== uid) refuse(setting, folder, `belongs to another account (uid ${found.uid})`);
  const mode = found.mode & 0o777;
  if ((mode & OTHERS) !== 0 && !(uid === 0 && mode === PASSABLE_BY_GROUP)) await chmod(folder, 0o700);
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) =>
    refuse(setting, folder, `is not writable (${errorCode(error) ?? String(error)})`),
  );
}

/** Takes the rights of other accounts away from the direct entries of a folder that belong to this account. */
export async function tightenEntries(folder: string): Promise<void> {
  const uid = process.getuid?.();
  for (const name of await readdir(folder)) {
    const entry = path.join(folder, name);
    const found = await lstat(entry).catch(() => undefined);
    if (found === undefined || found.isSymbolicLink() || found.uid !== uid || (found.mode & OTHERS) === 0) continue;
    await chmod(entry, found.mode & 0o700);
  }
}

/** A folder for the files of one process, inside a private one. */
export interface RuntimeFolder {
  path: string;
  remove(): Promise<void>;
}

/** Creates a folder for this process, and removes those of processes of this host that ended without doing so. */
export async function openRuntimeFolder(parent: string, setting: string): Promise<RuntimeFolder> {
  await ensurePrivateFolder(parent, setting);
  await removeAbandoned(parent);
  const folder = path.join(parent, `${hostname()}-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  opened.add(folder);
  return {
    path: folder,
    remove: async () => {
      opened.delete(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Folders of this process: a predecessor in a container may have had the same process id. */
const opened = new Set<string>();

/** Removes all folders of this process, for an end without the usual order. */
export async function removeRuntimeFolders(): Promise<void> {
  for (const folder of opened) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function removeAbandoned(parent: string): Promise<void> {
  const prefix = `${hostname()}-`;
  for (const name of await readdir(parent)) {
    const pid = /^(\d+)-[0-9a-f]{12}$/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '')?.[1];
    if (pid === undefined) continue;
    const folder = path.join(parent, name);
    const inUse = Number(pid) === process.pid ? opened.has(folder) : isAlive(Number(pid));
    if (!inUse) await rm(folder, { recursive: true, force: true });
  }
}
