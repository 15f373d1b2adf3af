/** Checks of the system at the start, before the modules load: loading them needs many files itself. */
import { readFileSync } from 'node:fs';
import type { Config } from './config/config.ts';
import { ConfigurationError } from './config/env.ts';
import type { Logger } from './logger.ts';
import { megabytes } from '@quire/shared/free-space';

/** Loading the modules opens up to 500 files at once; then each request, connection and stored file needs some. */
export const MIN_OPEN_FILES = 1_024;

const MB = 1_000_000;
/** Resident memory of an idle service, of its embedded PostgreSQL, and of one idle parser process. */
const SERVICE_BYTES = 256 * MB;
const DATABASE_BYTES = 128 * MB;
const PARSER_BYTES = 128 * MB;

export interface Resources {
  /** Maximum number of open files of this process; null if unknown or unlimited. */
  openFiles: number | null;
  /** Memory of the machine or container. */
  memoryBytes: number;
}

type Settings = Pick<Config, 'role' | 'databaseUrl' | 'searchMemoryBytes'> & {
  processing: Pick<Config['processing'], 'parseProcesses' | 'parseMemoryBytes'>;
};

/** Throws `ConfigurationError` with what is needed; warns if the limits of the settings together exceed the memory. */
export function checkResources(config: Settings, { openFiles, memoryBytes }: Resources, logger: Logger): void {
  if (openFiles !== null && openFiles < MIN_OPEN_FILES) {
    throw new ConfigurationError(
      `The limit of open files is ${openFiles}, and ${MIN_OPEN_FILES} are needed: ` +
        `raise it ('ulimit -n ${MIN_OPEN_FILES}', LimitNOFILE of systemd)`,
    );
  }
  const { parseProcesses, parseMemoryBytes } = config.processing;
  const parsers = config.role === 'api' ? 0 : parseProcesses;
  const base = SERVICE_BYTES + (config.databaseUrl === null ? DATABASE_BYTES : 0);
  const least = base + Math.min(parsers, 1) * PARSER_BYTES;
  if (memoryBytes < least)
    throw new ConfigurationError(
      `The machine or container has ${megabytes(memoryBytes)} of memory, and at least ${megabytes(least)} are needed`,
    );
  const most = base + config.searchMemoryBytes + parsers * parseMemoryBytes;
  if (memoryBytes < most) {
    logger.warn(
      { memory: megabytes(memoryBytes), needed: megabytes(most), parseProcesses: parsers },
      'parsers and search index may need more memory than there is: lower QUIRE_PARSE_PROCESSES, ' +
        'QUIRE_PARSE_MEMORY_BYTES or QUIRE_SEARCH_MEMORY, or add memory',
    );
  }
}

/** Returns the limit of open files. Node has raised it to the hard limit already. */
export function readOpenFileLimit(file = '/proc/self/limits'): number | null {
  try {
    const [, limit] = /^Max open files\s+(\d+)\s/m.exec(readFileSync(file, 'utf8')) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    // Other systems than Linux.
    return null;
  }
}
