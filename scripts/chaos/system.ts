/** The system below test: a PostgreSQL of its own, a proxy in front of it, and the built service as a process. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import pino from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../packages/server/src/database/embedded-postgres.ts';
import { DatabaseProxy } from '../../packages/server/test/database-proxy.ts';
import { removeDirectory, startService, type ServiceProcess } from '../../packages/server/test/service-process.ts';

export class System {
  readonly #folder: string;
  readonly postgres: EmbeddedPostgres;
  readonly proxy: DatabaseProxy;
  service: ServiceProcess;

  private constructor(folder: string, postgres: EmbeddedPostgres, proxy: DatabaseProxy, service: ServiceProcess) {
    this.#folder = folder;
    this.postgres = postgres;
    this.proxy = proxy;
    this.service = service;
  }

  static async start(): Promise<System> {
    const folder = mkdtempSync(path.join(tmpdir(), 'quire-chaos-'));
    const logger = pino({ level: 'silent' });
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), logger });
    const proxy = await DatabaseProxy.start(postgres.connectionString);
    const service = await startService(serviceOptions(folder, proxy.through(postgres.connectionString)));
    return new System(folder, postgres, proxy, service);
  }

  /** Kills the service with its children and starts it again on the same data. */
  async restartService(): Promise<void> {
    await this.service.kill();
    this.service = await startService(serviceOptions(this.#folder, this.proxy.through(this.postgres.connectionString)));
  }

  /** The path of the service's log, which `keep` preserves. */
  get log(): string {
    return path.join(this.#folder, 'service.log');
  }

  /** The sessions of PostgreSQL that are not idle, for reports. */
  async sessions(): Promise<string> {
    const client = new Client({ connectionString: this.postgres.connectionString });
    await client.connect();
    const { rows } = await client.query(
      `select pid, application_name, state, wait_event_type, wait_event, now() - xact_start as age, left(query, 150) as query
       from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid()`,
    );
    await client.end();
    return rows.map((row) => JSON.stringify(row)).join('\n');
  }

  async stop(keep: boolean): Promise<void> {
    await this.service.stop();
    await this.proxy.close();
    await this.postgres.stop();
    if (!keep) removeDirectory(this.#folder);
  }
}

const serviceOptions = (folder: string, databaseUrl: string) => ({
  dataDir: path.join(folder, 'data'),
  log: path.join(folder, 'service.log'),
  env: {
    QUIRE_DATABASE_URL: databaseUrl,
    QUIRE_SECRET_KEY: 'the-secret-key-of-the-chaos-runs',
    QUIRE_LOG_LEVEL: 'info',
    QUIRE_PARSE_PROCESSES: '1',
  },
});
