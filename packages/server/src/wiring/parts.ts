/** All parts of a process: what was opened, and the services on it. */
import type { Config } from '../config/config.ts';
import { type Logger } from '../logger.ts';
import { CONNECTOR_SETTINGS, type ConnectorSettings } from './connectors.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { type Services, buildServices } from './services.ts';

export interface Parts extends Foundation {
  services: Services;
  /** Closes everything that was opened, in reverse order. */
  close(): Promise<void>;
}

/** Rejects, with everything closed again, when a part does not open. */
export async function openParts(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  connectorSettings: Partial<ConnectorSettings> = {},
): Promise<Parts> {
  const settings = { ...CONNECTOR_SETTINGS, ...connectorSettings };
  const { foundation, close } = await openFoundation(config, logger, signal, settings);
  const services = buildServices(foundation);
  foundation.metrics.addGauge('quire_runs', 'Runs that have not ended, by status', ['status'], () =>
    services.runs.pending(),
  );
  return { ...foundation, services, close };
}
