/**
 * Checkouts of revisions for `bench:compare`, in a temporary folder whose name holds the id of the process. A process
 * that is killed leaves its folder; the next one removes it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const PREFIX = 'quire-compare-';

/** Creates the folder of this process in `parent`. */
export const createWorkFolder = (parent: string): string => mkdtempSync(path.join(parent, `${PREFIX}${process.pid}-`));

/** Removes the folders of processes that have ended, with their worktrees of the repository at `root`. */
export function removeAbandonedFolders(root: string, parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1] : undefined;
    if (pid !== undefined && !isRunning(Number(pid))) removeWorkFolder(root, path.join(parent, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Removes the folder and the worktrees in it. */
export function removeWorkFolder(root: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  // Forgets worktrees whose folder is gone.
  spawnSync('git', ['-C', root, 'worktree', 'prune']);
}

/** Checks the revision of the repository at `root` out. */
export function addTree(root: string, tree: string, revision: string): void {
  execFileSync('git', ['-C', root, 'worktree', 'add', '--quiet', '--detach', tree, revision], { stdio: 'inherit' });
}

/** Gives the tree the installed packages of `root`. Returns false, and does nothing, if their lock files differ. */
export function shareModules(root: string, tree: string): boolean {
  const lock = (folder: string): string => readFileSync(path.join(folder, 'package-lock.json'), 'utf8');
  if (lock(tree) !== lock(root)) return false;
  for (const place of ['.', ...readdirSync(path.join(root, 'packages')).map((name) => path.join('packages', name))]) {
    const modules = path.join(root, place, 'node_modules');
    const wanted = path.join(tree, place);
    if (existsSync(modules) && existsSync(wanted)) copyModules(modules, path.join(wanted, 'node_modules'));
  }
  return true;
}

/** Links the files of installed packages, or copies them where the file systems differ or `cp` has no such option. */
function copyModules(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
