/** The production install that an operator makes from the packed folder, and its size. */
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The largest permitted install; Node itself is not part of it. */
export const MAX_INSTALL_MB = 450;

/** Installs the packed folder of this checkout without development dependencies, and prunes the result. */
export function installPacked(checkout: string, folder: string): void {
  cpSync(path.join(checkout, 'dist-packages'), folder, { recursive: true });
  run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  run('node', ['prune-install.mjs'], folder);
}

const run = (program: string, args: string[], cwd: string): void =>
  void execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

/** Returns the disk space in MB of a folder's files, and of its largest packages. */
export function measure(modules: string): { totalMb: number; largest: [string, number][] } {
  const packages = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(path.join(modules, name)).map((each) => `${name}/${each}`) : [name],
  );
  const sizes = packages.map((name): [string, number] => [name, bytesOf(path.join(modules, name)) / 1024 ** 2]);
  const largest = sizes.toSorted(([, one], [, other]) => other - one).slice(0, 15);
  return { totalMb: sizes.reduce((sum, [, size]) => sum + size, 0), largest };
}

function bytesOf(file: string): number {
  const { blocks } = lstatSync(file);
  const own = blocks * 512;
  if (!lstatSync(file).isDirectory()) return own;
  return readdirSync(file).reduce((sum, name) => sum + bytesOf(path.join(file, name)), own);
}
