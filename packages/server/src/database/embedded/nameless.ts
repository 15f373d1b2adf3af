/**
 * Runs initdb under an account without a name. Container platforms start images with any numeric user id, which has no
 * entry in /etc/passwd. initdb refuses to run then, although it only looks the name up; the server needs no name. Two
 * ways give initdb a name: the library nss_wrapper, which answers the look-up from a file, and a user namespace in
 * which the account has the id of an account with a name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { findUnprivileged } from './account.ts';

export interface Naming {
  /** Precedes the program on the command line. */
  prefix: readonly string[];
  /** Added to the environment of the program. */
  environment: Readonly<Record<string, string>>;
  /** Removes the files that were written for the program. */
  remove(): Promise<void>;
}

const NAME = 'quire';
const LIBRARY = 'libnss_wrapper.so';
const NO_NAMING: Naming = { prefix: [], environment: {}, remove: async () => undefined };

/** Message for an account that no way gives a name to. */
export const NAMELESS_HINT =
  `uid ${process.getuid?.()} has no entry in /etc/passwd, which initdb needs at the first start: ` +
  'install nss_wrapper (Debian: libnss-wrapper), or permit user namespaces';

export function isNamed(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Returns what gives initdb a name; `draft` is the prefix of files that may be written. */
export async function nameAccount(draft: string): Promise<Naming> {
  if (isNamed()) return NO_NAMING;
  const library = findLibrary();
  return library === undefined ? inNamespace() : withLibrary(library, draft);
}

/** Searches the folders of libraries, and those of the machine's architecture below them. */
function findLibrary(): string | undefined {
  for (const folder of ['/usr/lib', '/usr/lib64', '/usr/local/lib']) {
    const names = namesIn(folder);
    if (names.includes(LIBRARY)) return path.join(folder, LIBRARY);
    const below = names.find((name) => name.includes('-linux-') && namesIn(path.join(folder, name)).includes(LIBRARY));
    if (below !== undefined) return path.join(folder, below, LIBRARY);
  }
  return undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns a naming by nss_wrapper, with its files beside the draft. */
export async function withLibrary(library: string, draft: string): Promise<Naming> {
  const files = { passwd: `${draft}.passwd`, group: `${draft}.group` };
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  await writeFile(files.passwd, `${NAME}:x:${uid}:${gid}:${NAME}:/:/bin/false\n`, { mode: 0o600, flag: 'wx' });
  await writeFile(files.group, `${NAME}:x:${gid}:\n`, { mode: 0o600, flag: 'wx' });
  return {
    prefix: [],
    environment: { LD_PRELOAD: library, NSS_WRAPPER_PASSWD: files.passwd, NSS_WRAPPER_GROUP: files.group },
    remove: async () => {
      for (const file of Object.values(files)) await rm(file, { force: true });
    },
  };
}

function inNamespace(): Naming {
  const named = findUnprivileged(readFileSync('/etc/passwd', 'utf8'));
  if (process.platform !== 'linux' || named === undefined) return NO_NAMING;
  const prefix = ['unshare', '--user', `--map-user=${named.uid}`, `--map-group=${named.gid}`, '--'];
  return { ...NO_NAMING, prefix };
}
