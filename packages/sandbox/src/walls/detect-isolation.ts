/** Finds the strongest walls that work on this machine, by trying each of them once. */
import { execFile } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { bubblewrapCommand } from './bubblewrap.ts';
import { ISOLATION_LEVELS, type Isolation, type IsolationLevel, type WalledChild } from './isolation.ts';
import { namespacesCommand } from './namespaces.ts';
import { visiblePaths } from './visible-paths.ts';

export interface DetectOptions {
  /** The compiled file that a child runs. */
  entry: string;
  /** Directories of the service that a child must not see. */
  hidden: readonly string[];
  /** The strongest level to try. */
  strongest: IsolationLevel;
  /** Whether there is a directory that children with another user id can enter. */
  otherUsers: boolean;
  /** Flags for Node that must work within the walls. */
  nodeFlags: readonly string[];
}

/** Rejects unless the program ends with 0. */
const run = promisify(execFile);
const PROBE_TIMEOUT_MS = 20_000;
/** Unused by distributions and by systemd, and within the 65,536 ids of a container's user namespace. */
const FIRST_USER_ID = 60_706;
const USER_IDS = 400;

const NO_ISOLATION: Isolation = { level: 'process', program: null, prefix: () => [], owner: () => null };

const detected = new Map<string, Promise<Isolation>>();

/** Takes about 0.1 s at the first call; later calls with the same options return the same answer. */
export function detectIsolation(options: DetectOptions): Promise<Isolation> {
  const key = JSON.stringify([options.entry, options.hidden, options.strongest, options.otherUsers]);
  const known = detected.get(key) ?? firstThatWorks(options);
  detected.set(key, known);
  return known;
}

async function firstThatWorks(options: DetectOptions): Promise<Isolation> {
  for (const isolation of candidates(options)) if (await works(isolation, options)) return isolation;
  return NO_ISOLATION;
}

function candidates(options: DetectOptions): Isolation[] {
  if (process.platform !== 'linux') return [];
  const isRoot = process.geteuid?.() === 0;
  const visible = visiblePaths(options.entry, options.hidden);
  const found: Isolation[] = [];
  const bubblewrap = onPath('bwrap');
  if (bubblewrap !== undefined) {
    const prefix = (child: WalledChild): string[] => bubblewrapCommand(bubblewrap, visible, child);
    found.push({ level: 'namespaces', program: 'bwrap', prefix, owner: () => null });
  }
  const unshare = (child: WalledChild): string[] => namespacesCommand(visible, child, isRoot);
  found.push({ level: 'namespaces', program: 'unshare', prefix: unshare, owner: () => null });
  if (isRoot && options.otherUsers) {
    const owner = ({ number }: WalledChild): number => FIRST_USER_ID + (number % USER_IDS);
    const switchUser = (child: WalledChild): string[] => switchUserCommand(owner(child));
    found.push({ level: 'user', program: 'setpriv', prefix: switchUser, owner });
  }
  const noNewPrivileges = (): string[] => ['setpriv', '--no-new-privs', '--pdeathsig', 'SIGKILL'];
  found.push({ level: 'process', program: 'setpriv', prefix: noNewPrivileges, owner: () => null });
  const strongest = ISOLATION_LEVELS.indexOf(options.strongest);
  return found.filter(({ level }) => ISOLATION_LEVELS.indexOf(level) >= strongest);
}

function switchUserCommand(user: number): string[] {
  const ids = ['--reuid', String(user), '--regid', String(user), '--clear-groups'];
  return ['setpriv', ...ids, '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--pdeathsig', 'SIGKILL'];
}

/** Runs Node within the walls on the entry file, without executing it. */
async function works(isolation: Isolation, options: DetectOptions): Promise<boolean> {
  const place = mkdtempSync(path.join(tmpdir(), 'quire-sandbox-probe-'));
  try {
    const child = prepareDirectories(place, isolation, 1);
    const [program = '', ...args] = [
      ...isolation.prefix(child),
      process.execPath,
      ...options.nodeFlags,
      '--check',
      options.entry,
    ];
    await run(program, args, { cwd: child.directory, timeout: PROBE_TIMEOUT_MS, killSignal: 'SIGKILL' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Makes the directories of one child within a pool's directory. */
export function prepareDirectories(poolDirectory: string, isolation: Isolation, number: number): WalledChild {
  const directory = path.join(poolDirectory, String(number));
  const rootDirectory = path.join(poolDirectory, 'root');
  const child = { directory, inputs: path.join(directory, 'inputs'), rootDirectory, number };
  mkdirSync(child.inputs, { recursive: true });
  mkdirSync(rootDirectory, { recursive: true });
  for (const name of ['task', 'outputs']) mkdirSync(path.join(directory, name), { recursive: true });
  const user = isolation.owner(child);
  if (user !== null) {
    // The umask of the service permits nothing to other accounts.
    for (const each of [poolDirectory, child.inputs]) chmodSync(each, 0o711);
    for (const name of ['', 'task', 'outputs']) chownSync(path.join(directory, name), user, user);
  }
  return child;
}

function onPath(program: string): string | undefined {
  const places = (process.env['PATH'] ?? '').split(path.delimiter).filter((place) => path.isAbsolute(place));
  return places.map((place) => path.join(place, program)).find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
