/** The process: which command, signals, exit code; nothing else. */
import { createRootKey } from './commands/keys.ts';
import { models } from './commands/models.ts';
import { reindexAll } from './commands/reindex.ts';
import { rotateSecretKey } from './commands/rotate-secret-key.ts';
import { toConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { createLogger } from './logger.ts';
import { downloadingResolverOptions, openOutbound } from './wiring/foundation.ts';
import { Service } from './service.ts';
import { welcome } from './welcome.ts';

const COMMANDS: Record<string, (args: readonly string[]) => Promise<void>> = {
  serve,
  keys: createRootKey,
  reindex: reindexAll,
  models: manageModels,
  'rotate-secret-key': rotateSecretKey,
};

/** Runs a command to its end; `serve` ends with SIGINT or SIGTERM. Rejects with an error fit to be shown. */
export async function main(command = 'serve', args: readonly string[] = []): Promise<void> {
  const run = COMMANDS[command];
  if (run === undefined) throw new Error(`There is no command '${command}': ${Object.keys(COMMANDS).join(', ')}`);
  await run(args);
}

async function manageModels(args: readonly string[]): Promise<void> {
  const config = toConfig(readEnvironment());
  const outbound = await openOutbound(config);
  try {
    await models(args, { ...downloadingResolverOptions(config, outbound), dataDir: config.dataDir });
  } finally {
    outbound.close();
  }
}

async function serve(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Usage: npm start (without arguments: all settings are environment variables)');
  const config = toConfig(readEnvironment());
  const logger = createLogger({ level: config.logLevel });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping');
      stopping.abort();
    });
  }
  const service = await Service.open(config, logger, stopping.signal);
  try {
    const started = await service.start();
    process.stdout.write(welcome(started));
    if (!stopping.signal.aborted) {
      await new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve(), { once: true }));
    }
  } finally {
    await service.stop();
  }
}
