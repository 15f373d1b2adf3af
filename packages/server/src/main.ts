/** The process: command, signals, temporary files and exit code; nothing else. */
import { homedir } from 'node:os';
import { availableBytes, toConfig, type Config } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { isConnectionLoss } from './shared/connection-loss.ts';
import { createLogger, type Logger } from './logger.ts';
import type { Service } from './service.ts';
import { checkResources, readOpenFileLimit } from './start-checks.ts';
import { ensurePrivateFolder, openRuntimeFolder, removeRuntimeFolders } from './config/private-folder.ts';

type Command = (args: readonly string[]) => Promise<void>;

/** Loaded on use: a command must not wait for the modules of the service. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => serve,
  keys: async () => (await import('./commands/keys.ts')).manageKeys,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/backup.ts')).restore,
  verify: async () => (await import('./commands/backup.ts')).verify,
  reindex: async () => (await import('./commands/reindex.ts')).reindexAll,
  models: async () => (await import('./commands/models.ts')).modelsCommand,
  'rotate-secret-key': async () => (await import('./commands/rotate-secret-key.ts')).rotateSecretKey,
};

/** The service stops within 15 s, which includes 2 s for the last resort. */
const STOP_LIMIT_MS = 12_000;

/** Runs a command to its end; `serve` ends with SIGINT or SIGTERM. Rejects with an error fit to be shown. */
export async function main(command = 'serve', args: readonly string[] = []): Promise<void> {
  // Documents, thumbnails and logs must not be readable by other accounts.
  process.umask(0o077);
  ensureHome();
  const load = COMMANDS[command];
  if (load === undefined) throw new Error(`There is no command '${command}': ${Object.keys(COMMANDS).join(', ')}`);
  const run = await load();
  await run(args);
}

/** Sets a home folder for an account without a name: libraries look it up while they load and would throw. */
function ensureHome(): void {
  try {
    homedir();
  } catch {
    process.env['HOME'] = '/';
  }
}

async function serve(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Usage: npm start (without arguments: all settings are environment variables)');
  const config = toConfig(readEnvironment());
  const logger = createLogger({ level: config.logLevel });
  checkResources(config, { openFiles: readOpenFileLimit(), memoryBytes: availableBytes() }, logger);
  const stopping = stopOnSignals(logger);
  surviveConnectionLoss(logger);
  // Before the spool, which is in it by default, so that the message names the right setting.
  await ensurePrivateFolder(config.dataDir, 'QUIRE_DATA_DIR');
  const temporary = await openRuntimeFolder(config.spoolDir, 'QUIRE_SPOOL_DIR');
  // Applies to libraries and child processes too, so that a killed process leaves nothing in a shared folder.
  process.env['TMPDIR'] = temporary.path;
  try {
    await runService(config, logger, stopping);
  } finally {
    await temporary.remove();
  }
}

async function runService(config: Config, logger: Logger, stopping: AbortController): Promise<void> {
  const [module, { announce }] = await Promise.all([import('./service.ts'), import('./welcome.ts')]);
  const { signal } = stopping;
  let service: Service | undefined;
  let overdue = false;
  const limitStop = (): void =>
    void endAfter(STOP_LIMIT_MS, logger, async () => {
      overdue = true;
      await service?.kill();
      await removeRuntimeFolders();
    });
  signal.addEventListener('abort', limitStop, { once: true });
  try {
    service = await module.Service.open(config, logger, signal);
    const started = await service.start();
    await announce(started, { dataDir: config.dataDir, output: process.stdout, logger });
    if (!signal.aborted) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    }
  } catch (error) {
    // A signal during the start is a requested stop and not a failure.
    if (!signal.aborted) throw error;
    logger.info({ err: error }, 'the start was interrupted');
  } finally {
    await service?.stop().catch((error: unknown) => {
      // The last resort has ended PostgreSQL below the parts that still stop.
      if (!overdue) throw error;
      logger.warn({ err: error }, 'parts of the service were stopped without their database');
    });
  }
}

/**
 * Time after the first signal in which others belong to it, in milliseconds. On Ctrl-C, the terminal sends SIGINT to
 * the service and to npm, which sends it to the service again (13 ms later, measured with npm 11).
 */
const SAME_REQUEST_MS = 200;

/** The first SIGINT or SIGTERM aborts the controller; a later one ends the process at once. */
function stopOnSignals(logger: Logger): AbortController {
  const stopping = new AbortController();
  let firstAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) {
        if (performance.now() - firstAt < SAME_REQUEST_MS) return;
        logger.warn({ signal }, 'ending at once');
        // `process.exit` would abort while native threads compute.
        process.kill(process.pid, 'SIGKILL');
      }
      firstAt = performance.now();
      logger.info({ signal }, 'stopping');
      stopping.abort(new Error(`stopped by ${signal}`));
    });
  }
  return stopping;
}

/** A lost database connection must not end the service, even if a library does not handle its error. */
function surviveConnectionLoss(logger: Logger): void {
  const handle = (error: unknown): void => {
    if (!isConnectionLoss(error)) throw error;
    logger.error({ err: error }, 'an error of a lost database connection was not handled');
  };
  process.on('unhandledRejection', handle);
}

/** Ends the process after the time, if it still runs then. */
async function endAfter(ms: number, logger: Logger, lastResort: () => Promise<void>): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  logger.warn({ afterMs: ms }, 'the stop takes too long; ending at once');
  await lastResort().catch((error: unknown) => logger.error({ err: error }, 'the last resort of the stop failed'));
  process.exit(0);
}
