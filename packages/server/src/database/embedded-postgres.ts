/**
 * Runs PostgreSQL 18 for one machine: programs from npm, data in one folder, reached over a Unix socket (or loopback
 * TCP) with a password of its own. A server that outlived its parent is taken over, one that died is started again, and
 * of several processes on one data directory one is the keeper: it holds an advisory lock, and its `stop` stops the server.
 */
import { createServer } from 'node:net';
import { mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../logger.ts';
import { errorCode } from '@quire/shared/error-code';
import { chooseAccount, type Account } from './embedded/account.ts';
import { EmbeddedPostgresError, locateBinaries, useExternal, type PostgresBinaries } from './embedded/binaries.ts';
import { prepareCluster, superuser } from './embedded/cluster.ts';
import {
  findPostmaster,
  launchPostmaster,
  socketAddress,
  stopPostmaster,
  type Address,
  type Postmaster,
} from './embedded/postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** PostgreSQL's own data directory; made when it is not there. */
  dataDir: string;
  logger: Logger;
  signal?: AbortSignal;
  /** Over the defaults below; for tests. */
  settings?: Readonly<Record<string, string>>;
}

export interface ServerConnection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export interface EmbeddedPostgres {
  readonly connection: ServerConnection;
  readonly connectionString: string;
  readonly pid: number;
  /** The server was already running: left over from a killed process, or another process uses it. */
  readonly attached: boolean;
  /** No other live process uses this data directory, so whatever is locked in the database was left by a dead one. */
  readonly sole: boolean;
  /** Stops the server, waiting for it, unless another process keeps it. Close all pools first. */
  stop(): Promise<void>;
  /** Lets go of the server and leaves it running for other processes. */
  leave(): Promise<void>;
}

/** For 2 cores and 1 GB: durable at every commit, few and large checkpoints, and no helpers that a small machine lacks. */
const defaultSettings: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // Parallel workers share memory through /dev/shm, 64 MB in a container; the queries here are short.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  // Statements may carry content and credentials: none is ever logged.
  log_statement: 'none',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

export const databaseName = 'quire';
/** "quire" in ASCII: the advisory lock of the process that keeps the server. */
const keeperLock = '487301149285';

/** Waits a moment, because the server needs some milliseconds to notice that the last holder was killed. */
async function takeLock(client: Client, waitMs: number): Promise<boolean> {
  try {
    await client.query(`set lock_timeout = ${waitMs}`);
    await client.query(`select pg_advisory_lock(${keeperLock})`);
    return true;
  } catch (error) {
    if (errorCode(error) === '55P03') return false;
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No TCP port');
  return address.port;
}

class EmbeddedServer implements EmbeddedPostgres {
  readonly #dataDir: string;
  readonly #binaries: PostgresBinaries;
  readonly #account: Account;
  readonly #password: string;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #postmaster: Postmaster | undefined;
  #keeper: Client | undefined;
  #recovery: Promise<void> = Promise.resolve();
  attached = false;
  sole = false;

  constructor(
    options: EmbeddedPostgresOptions,
    parts: { dataDir: string; binaries: PostgresBinaries; account: Account; password: string },
  ) {
    this.#dataDir = parts.dataDir;
    this.#binaries = parts.binaries;
    this.#account = parts.account;
    this.#password = parts.password;
    this.#logger = options.logger;
    this.#settings = { ...defaultSettings, ...options.settings };
  }

  get pid(): number {
    return this.#running().pid;
  }

  get connection(): ServerConnection {
    return { ...this.#running().address, user: superuser, password: this.#password, database: databaseName };
  }

  get connectionString(): string {
    const { host, port, user, password, database } = this.connection;
    return `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  }

  #running(): Postmaster {
    if (this.#postmaster === undefined) throw new Error('The embedded PostgreSQL has not been started');
    return this.#postmaster;
  }

  async start(signal?: AbortSignal): Promise<void> {
    await this.#ensureRunning(signal);
    await this.#keep(signal);
    await this.#createDatabase();
  }

  async #ensureRunning(signal?: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      signal?.throwIfAborted();
      const found = await findPostmaster(this.#dataDir, signal);
      if (found !== undefined) {
        this.#postmaster = found;
        this.attached = true;
        return;
      }
      const address = await this.#chooseAddress();
      // One that is launched all the same would still be dying in the directory after `stop`.
      signal?.throwIfAborted();
      const launch = { dataDir: this.#dataDir, account: this.#account, settings: this.#settings };
      const result = await launchPostmaster({ ...launch, postgres: this.#binaries.postgres, address, signal });
      if ('postmaster' in result) {
        this.#postmaster = result.postmaster;
        this.attached = false;
        return;
      }
      // A killed server's children hold its memory until they notice, 10 ms to some seconds for a busy one.
      if (attempt === 150) {
        throw new EmbeddedPostgresError(`Processes of an earlier server still use ${this.#dataDir}. ${useExternal}`);
      }
      await delay(200, undefined, { signal });
    }
  }

  /** A restart keeps the address, because pools hold on to it. */
  async #chooseAddress(): Promise<Address> {
    return this.#postmaster?.address ?? socketAddress(this.#dataDir) ?? { host: '127.0.0.1', port: await freePort() };
  }

  /** The keeper's connection holds the lock as long as the process lives, and tells when the server is gone. */
  async #keep(signal?: AbortSignal): Promise<void> {
    const options = { ...this.connection, database: 'postgres', application_name: 'quire keeper', keepAlive: true };
    const client = new Client(options);
    client.on('error', () => undefined);
    await client.connect();
    signal?.throwIfAborted();
    this.sole = await takeLock(client, 1000);
    this.#keeper = client;
    client.once('end', () => {
      if (!this.#stopping.signal.aborted) this.#recovery = this.#recover();
    });
  }

  async #createDatabase(): Promise<void> {
    const found = await this.#keeper?.query('select 1 from pg_database where datname = $1', [databaseName]);
    if (found?.rowCount === 1) return;
    await this.#keeper?.query(`create database ${databaseName}`).catch((error: unknown) => {
      // Another process made it in the same moment.
      if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error;
    });
  }

  async #recover(): Promise<void> {
    const { signal } = this.#stopping;
    this.#keeper = undefined;
    this.#logger.warn({ pid: this.pid }, 'lost the embedded PostgreSQL; starting it again');
    for (let waitMs = 50; !signal.aborted; waitMs = Math.min(waitMs * 2, 5000)) {
      try {
        await this.#ensureRunning(signal);
        await this.#keep(signal);
        this.#logger.info({ pid: this.pid }, 'the embedded PostgreSQL runs again');
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#logger.error({ error }, 'the embedded PostgreSQL did not start');
        await delay(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async stop(): Promise<void> {
    // The process that kept it until now may have ended since.
    if (!this.sole && this.#keeper !== undefined) this.sole = await takeLock(this.#keeper, 1).catch(() => false);
    const running = !this.#stopping.signal.aborted;
    await this.leave();
    if (running && this.sole) await stopPostmaster(this.pid, this.#dataDir);
  }

  async leave(): Promise<void> {
    this.#stopping.abort();
    await this.#recovery;
    const keeper = this.#keeper;
    this.#keeper = undefined;
    await keeper?.end();
  }
}

/**
 * Starts the data directory's server or attaches to the one that runs. Throws `EmbeddedPostgresError` with what to do
 * where this machine, user or directory does not allow it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const parent = path.dirname(path.resolve(options.dataDir));
  await mkdir(parent, { recursive: true });
  const dataDir = path.join(await realpath(parent), path.basename(options.dataDir));
  const binaries = await locateBinaries();
  const account = await chooseAccount(dataDir, binaries.directory);
  const password = await prepareCluster(dataDir, binaries, account);
  const server = new EmbeddedServer(options, { dataDir, binaries, account, password });
  await server.start(options.signal);
  const { pid, attached, sole } = server;
  options.logger.info({ pid, attached, sole, dataDir }, 'the embedded PostgreSQL runs');
  return server;
}
