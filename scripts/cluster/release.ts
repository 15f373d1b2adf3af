/** Another release of Quire, built from a commit of this repository. The builds are kept in the user's cache folder. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Release {
  /** Hash of the commit, and its time. */
  name: string;
  /** URL of the built `main.js` of the server. */
  program: string;
  /** Names of its migrations. */
  migrations: string[];
}

const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'quire', 'releases');

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** Builds the server of a commit, unless it was built before. */
export function buildRelease(revision: string): Release {
  const hash = git('rev-parse', '--verify', `${revision}^{commit}`);
  const folder = path.join(cache, hash);
  if (!existsSync(folder)) build(hash, folder);
  const server = path.join(folder, 'packages', 'server');
  return {
    name: git('log', '-1', '--format=%h of %cI', hash),
    program: pathToFileURL(path.join(server, 'dist', 'main.js')).href,
    migrations: migrationsIn(path.join(server, 'migrations')),
  };
}

export const migrationsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();

function build(hash: string, folder: string): void {
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    const archive = path.join(work, 'release.tar');
    git('archive', '--output', archive, hash);
    const run = (...command: [string, ...string[]]): void =>
      void execFileSync(command[0], command.slice(1), { cwd: work, stdio: 'inherit' });
    run('tar', '--extract', '--file', archive);
    rmSync(archive);
    run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund');
    run('npx', 'tsc', '-b', 'packages/server');
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
