/** The running service: which parts run in which role, in which order they start, and how they stop. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { checkPort } from './check-port.ts';
import type { Config } from './config/config.ts';
import { resolveDefaultModel } from './default-model.ts';
import { oneAtATime, unlessRunning } from './database/one-at-a-time.ts';
import { IndexCheckHeld } from './domain/collections/index-check.ts';
import { foldUsage } from './domain/workspaces/quota.ts';
import { firstStart, type FirstStart } from './first-start.ts';
import { subsystem, type Logger } from './logger.ts';
import { Instance } from './queue/instance.ts';
import { Sweeper } from './queue/sweeper.ts';
import type { Worker } from './queue/worker.ts';
import { reclaimAll } from './queue/locks.ts';
import { Periodic } from './shared/periodic.ts';
import { connectionsOf, requireConnections } from './wiring/connections.ts';
import type { ConnectorSettings } from './wiring/connectors.ts';
import { startTracing } from './tracing.ts';
import { VERSION } from './version.ts';
import { appDeps } from './wiring/app-deps.ts';
import { downloadingResolverOptions } from './wiring/outbound.ts';
import { startLanes } from './wiring/lanes.ts';
import { openParts, type Parts } from './wiring/parts.ts';
import { buildDeliverer } from './wiring/webhooks.ts';

/** Work that no process continues is found within this time. */
const REAP_MS = 15_000;
/** Interval that makes a chat usable again soon after its process died. */
const ANSWER_REAP_MS = 5_000;
const RETENTION_MS = 60 * 60_000;
const AUDIT_FLUSH_MS = 1_000;
const USAGE_MS = 60_000;
const MOVE_MS = 5 * 60_000;

export interface Started {
  address: string;
  first: FirstStart;
}

export class Service {
  readonly #parts: Parts;
  readonly #signal: AbortSignal;
  readonly #stops: (() => Promise<unknown>)[] = [];
  #lanes: readonly Worker[] = [];
  #heldIndexes = 0;

  private constructor(parts: Parts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Opens everything; nothing is served or worked on before `start`. */
  static async open(
    config: Config,
    logger: Logger,
    signal: AbortSignal,
    connectorSettings: Partial<ConnectorSettings> = {},
  ): Promise<Service> {
    return new Service(await openParts(config, logger, signal, connectorSettings), signal);
  }

  async start(): Promise<Started> {
    const { config, logger, database, services } = this.#parts;
    if (config.tracing !== null)
      this.#stops.push(await startTracing({ ...config.tracing, version: VERSION, logger: subsystem(logger, 'http') }));
    const { db } = database;
    const connections = connectionsOf(config);
    const instance = await Instance.start({ db, role: config.role, logger: subsystem(logger, 'queue'), connections });
    this.#stops.push(() => instance.stop());
    await requireConnections(db, instance);
    this.#signal.throwIfAborted();
    if (database.sole) await Promise.all([reclaimAll(database.db), services.deliveryClaims.reclaimAll()]);
    await services.answers.start(instance.id, database.sole);
    this.#stops.push(() => services.answers.close());
    if (config.role !== 'api') await this.#startWorker(instance);
    this.#signal.throwIfAborted();
    await this.#startMaintenance();
    this.#signal.throwIfAborted();
    await this.#resolveModel();
    // Before keys are created: a start that fails after that would not show them.
    await checkPort(config.http);
    this.#signal.throwIfAborted();
    const first = config.role === 'worker' ? { rootKey: null, sample: null } : await this.#firstStart();
    const app = await buildApp(appDeps(this.#parts, this.#lanes));
    // Together, because the server waits for the streams of answers, whose provider may never end them.
    this.#stops.push(() => Promise.all([app.close(), services.answers.close()]));
    // Before the server waits for its requests, because event streams have no end of their own.
    this.#stops.push(() => services.changes.close());
    await app.listen({ host: config.http.host, port: config.http.port });
    if (config.role !== 'api') this.#parts.sandbox.standBy();
    if (isExposed(config.http)) logger.warn({ host: config.http.host }, EXPOSED_WARNING);
    return { address: addressOf(app, config.http), first };
  }

  /** Creates the root key and the sample; of several processes that start on an empty database, one does. */
  async #firstStart(): Promise<FirstStart> {
    const { config, database, services } = this.#parts;
    const { rootKey, sample } = config;
    let first: FirstStart = { rootKey: null, sample: null };
    await oneAtATime(database.db, 'first start', async () => {
      first = await firstStart(services, { rootKey, sample, spoolDir: this.#parts.spoolDir });
    });
    return first;
  }

  /**
   * Ends the parser processes, and PostgreSQL if it is the embedded one and this process's, without waiting for other
   * parts.
   */
  async kill(): Promise<void> {
    await Promise.all([this.#parts.database.kill(), this.#parts.sandbox.close()]);
  }

  /** Accepts no more requests or jobs, lets current ones finish, closes everything. */
  async stop(): Promise<void> {
    const failures: unknown[] = [];
    for (const stop of this.#stops.splice(0).toReversed()) await stop().catch((error: unknown) => failures.push(error));
    await this.#parts.close().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'the service did not stop cleanly');
  }

  /** Downloads the default model in the background until the service stops. */
  async #resolveModel(): Promise<void> {
    const { config, logger, services, outbound } = this.#parts;
    const stopping = new AbortController();
    this.#stops.push(async () => stopping.abort(new Error('The service is stopping')));
    const resolver = config.modelDownload ? downloadingResolverOptions(config, outbound) : null;
    const deps = {
      embedders: services.embedders,
      resolver,
      logger: subsystem(logger, 'models'),
      output: process.stderr,
      shared: this.#parts.sharedModels,
    };
    await resolveDefaultModel(deps, AbortSignal.any([stopping.signal, this.#signal]));
  }

  async #startWorker(instance: Instance): Promise<void> {
    const lanes = await startLanes(this.#parts, instance, this.#reportExhausted);
    this.#lanes = lanes.all;
    const deliverer = buildDeliverer(this.#parts).start();
    this.#stops.push(() => Promise.all([deliverer.stop(), lanes.stop()]));
  }

  async #startMaintenance(): Promise<void> {
    const { logger, database, services } = this.#parts;
    const queueLogger = subsystem(logger, 'queue');
    const sweeper = new Sweeper({ db: database.db, logger: queueLogger, onExhausted: this.#reportExhausted });
    const { rateBudgets, metrics, connectorSettings } = this.#parts;
    metrics.addGauge('quire_held_indexes', 'Incomplete search indexes that wait for an operator', [], async () => [
      { value: this.#heldIndexes },
    ]);
    this.#stops.push(() => sweeper.stop());
    this.#repeat('the reaper', REAP_MS, () => services.reaper.run());
    this.#repeat('tending runs', REAP_MS, () => services.runReaper.run());
    this.#repeat('tending builds of indexes', REAP_MS, () => services.indexReaper.run());
    this.#repeat('ending abandoned answers', ANSWER_REAP_MS, () => services.answers.reap());
    this.#repeat('counting the usage of workspaces', USAGE_MS, () => foldUsage(database.db));
    this.#repeat('removing old events', RETENTION_MS, () => services.webhookRetention.run());
    this.#repeat('removing old changes', RETENTION_MS, () => services.changes.removeOld());
    this.#repeat('removing old audit entries', RETENTION_MS, () => services.audit.prune());
    this.#repeat('removing idle limits', RETENTION_MS, async () => rateBudgets?.removeIdle());
    this.#repeat('writing refusals to the audit log', AUDIT_FLUSH_MS, () => services.audit.flush());
    this.#repeat('starting due synchronisations', connectorSettings.scheduleMs, () =>
      services.connectorMaintenance.run(),
    );
    if (this.#parts.searchIndex.sharedRows !== undefined) {
      this.#repeat('moving grown collections', MOVE_MS, () =>
        unlessRunning(database.db, 'index check', () => this.#moveGrown()),
      );
    }
    // Other processes serve meanwhile, and the check of many collections takes minutes.
    if (this.#parts.config.databaseUrl === null) await this.#checkIndexes();
    else this.#startIndexCheck();
  }

  /** Repeats a task of maintenance in every process until the service stops; a failure is logged. */
  #repeat(name: string, intervalMs: number, task: () => Promise<unknown>): void {
    const logger = subsystem(this.#parts.logger, 'queue');
    const report = (error: unknown): void => logger.warn({ err: error }, `${name} failed`);
    const periodic = new Periodic(task, intervalMs, report).start();
    this.#stops.push(() => periodic.stop());
  }

  /** Gives collections that have outgrown a shared index one of their own. */
  async #moveGrown(): Promise<void> {
    const moved = await this.#parts.services.indexCheck.moveGrown();
    const logger = subsystem(this.#parts.logger, 'search');
    if (moved.length > 0) logger.info({ collections: moved.length }, 'collections move to an index of their own');
  }

  #startIndexCheck(): void {
    const stopping = new AbortController();
    const checking = this.#checkIndexes(stopping.signal);
    this.#stops.push(async () => {
      stopping.abort(new Error('The service is stopping'));
      await checking;
    });
  }

  /** A search index that cannot be reached does not keep the service from starting. */
  async #checkIndexes(signal?: AbortSignal): Promise<void> {
    if (this.#parts.searchIndex.reload !== undefined) return;
    const { indexCheck } = this.#parts.services;
    const logger = subsystem(this.#parts.logger, 'search');
    const { db } = this.#parts.database;
    try {
      // One process checks for all of them.
      await unlessRunning(db, 'index check', async () => {
        const lost = await indexCheck.run(undefined, signal);
        if (lost.length > 0) logger.warn({ collections: lost.length }, 'indexes with missing rows are rebuilt');
        await this.#moveGrown();
        const orphans = await indexCheck.dropOrphans(Date.now());
        if (orphans.length > 0) logger.info({ tables: orphans.length }, 'index tables without a record were dropped');
      });
      this.#heldIndexes = 0;
    } catch (error) {
      if (signal?.aborted === true) return;
      if (error instanceof IndexCheckHeld) this.#heldIndexes = error.lost;
      logger.error({ err: error }, 'the search index could not be checked');
    }
  }

  /** Logs jobs that used up their attempts. Documents have a reaper of their own. */
  readonly #reportExhausted = (name: string, payload: unknown, error: Error): Promise<void> => {
    this.#parts.logger.error({ err: error, job: name, payload }, 'a job used up its attempts');
    return Promise.resolve();
  };
}

const EXPOSED_WARNING =
  'listening beyond this machine without TLS: API keys and documents cross the network unencrypted. Put a reverse ' +
  'proxy with TLS in front (docs/guide/deployment.md) and name it in QUIRE_TRUST_PROXY, or set QUIRE_TLS_CERT_FILE ' +
  'and QUIRE_TLS_KEY_FILE';

/** Whether clients on other machines can connect without TLS. */
function isExposed({ host, tls, trustProxy }: Config['http']): boolean {
  return tls === null && trustProxy === false && host !== 'localhost' && host !== '::1' && !host.startsWith('127.');
}

function addressOf(app: FastifyInstance, { host, tls, basePath }: Config['http']): string {
  const { port } = app.server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls === null ? 'http' : 'https'}://${name}:${port}${basePath}`;
}
