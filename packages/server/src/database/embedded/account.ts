/**
 * Selects the account that PostgreSQL runs under. PostgreSQL refuses to run as root, but most containers and many first
 * tries run as root. In that case an existing unprivileged account is used; if a folder on the path has mode 700 (a
 * clone below /root), the programs keep the one capability that lets them pass it.
 */
import { readFileSync } from 'node:fs';
import { chmod, chown, stat } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError, USE_EXTERNAL } from './binaries.ts';

export interface Account {
  /** Undefined for the account of this process. */
  owner: { uid: number; gid: number } | undefined;
  /** Returns the command line that runs a program under the account, and the ids for `spawn` to switch to. */
  command(program: string, args: readonly string[]): { program: string; args: string[]; uid?: number; gid?: number };
}

interface Owner {
  uid: number;
  gid: number;
}

/** Returns an account for daemons: `postgres`, else `nobody`. PostgreSQL needs an account with a name. */
export function findUnprivileged(passwd: string): Owner | undefined {
  for (const wanted of ['postgres', 'nobody']) {
    for (const line of passwd.split('\n')) {
      const [name, , uid, gid] = line.split(':');
      if (name === wanted && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
    }
  }
  return undefined;
}

/** Returns whether the permission bits alone let the owner pass every folder on the path to `target`. */
async function canReach(target: string, owner: Owner): Promise<boolean> {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const { uid, gid, mode } = await stat(folder);
    const needed = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

const CAP_DAC_OVERRIDE = 1n;
const CAP_DAC_READ_SEARCH = 2n;
const CAP_SETPCAP = 8n;

/**
 * Returns the weakest available capability that passes folders without permission. Containers often keep only the
 * stronger.
 */
export function passingCapability(status: string): string | undefined {
  const mask = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const has = (bit: bigint): boolean => (mask & (1n << bit)) !== 0n;
  if (!has(CAP_SETPCAP)) return undefined;
  if (has(CAP_DAC_READ_SEARCH)) return 'dac_read_search';
  return has(CAP_DAC_OVERRIDE) ? 'dac_override' : undefined;
}

function passingAccount(owner: Owner, blocked: string): Account {
  const capability =
    process.platform === 'linux' ? passingCapability(readFileSync('/proc/self/status', 'utf8')) : undefined;
  if (capability === undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and uid ${owner.uid} may not enter the folders above ${blocked}. ` +
        `Run Quire as another user, or move it and QUIRE_DATA_DIR to a folder that others may enter. ${USE_EXTERNAL}`,
    );
  }
  // `no_setuid_fixup` keeps the capability in effect for access(2) too, which PostgreSQL calls on its own
  // programs.
  const switches = [
    '--securebits=+no_setuid_fixup',
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
  ];
  return { owner, command: (program, args) => ({ program: 'setpriv', args: [...switches, program, ...args] }) };
}

/** Returns the owner of an existing data directory, so that a start as root uses the same account as before. */
async function ownerOf(dataDir: string): Promise<Owner | undefined> {
  try {
    const { uid, gid } = await stat(path.join(dataDir, 'PG_VERSION'));
    return uid === 0 ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

/**
 * Lets the group of PostgreSQL's account pass the private folder above its data directory (mode 710), so that the
 * server needs no capability to reach it.
 */
async function admitGroup(folder: string, { gid }: Owner): Promise<void> {
  const found = await stat(folder);
  if (found.uid !== 0 || (found.mode & 0o077) !== 0) return;
  await chown(folder, 0, gid);
  await chmod(folder, 0o710);
}

/** Chooses the account; the parent folder of `dataDir` must exist. */
export async function chooseAccount(dataDir: string, programs: string): Promise<Account> {
  if (process.getuid?.() !== 0) {
    return { owner: undefined, command: (program, args) => ({ program, args: [...args] }) };
  }
  const owner = (await ownerOf(dataDir)) ?? findUnprivileged(readFileSync('/etc/passwd', 'utf8'));
  if (owner === undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it. ${USE_EXTERNAL}`,
    );
  }
  await admitGroup(path.dirname(dataDir), owner);
  for (const target of [path.join(programs, 'postgres'), dataDir]) {
    if (!(await canReach(target, owner))) return passingAccount(owner, target);
  }
  return { owner, command: (program, args) => ({ program, args: [...args], ...owner }) };
}
