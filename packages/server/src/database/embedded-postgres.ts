/**
 * Runs PostgreSQL 18 for one machine: programs from npm, data in one folder, reached over a Unix socket (or loopback
 * TCP) with a generated password. A server that outlived its parent is taken over, and one that died is started again.
 * One of the processes on a data directory is the keeper: it holds an advisory lock, and its `stop` stops the server.
 * A second lock makes sure that only one service, beside any commands, uses the data directory.
 */
import { createServer } from 'node:net';
import { mkdir, realpath, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from '../logger.ts';
import { errorCode } from '@quire/shared/error-code';
import { chooseAccount, type Account } from './embedded/account.ts';
import { EmbeddedPostgresError, locateBinaries, USE_EXTERNAL, type PostgresBinaries } from './embedded/binaries.ts';
import { prepareCluster, SUPERUSER } from './embedded/cluster.ts';
import { describeHolder, KEEPER_LOCK, KEEPER_NAME, SERVICE_LOCK, takeLock } from './embedded/locks.ts';
import {
  findPostmaster,
  launchPostmaster,
  socketAddress,
  stopPostmaster,
  type Address,
  type Postmaster,
} from './embedded/postmaster.ts';
import { DEFAULT_SETTINGS, walSize } from './embedded/settings.ts';

export interface EmbeddedPostgresOptions {
  /** PostgreSQL's own data directory; created if it does not exist. */
  dataDir: string;
  logger: Logger;
  signal?: AbortSignal;
  /** Refuses to start while another process with this option uses the data directory. Default false. */
  exclusive?: boolean;
  /** Override the defaults below; for tests. */
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
  /** The server was already running: left over from a killed process, or used by another process. */
  readonly attached: boolean;
  /** No other live service uses this data directory, so every lock in the database was left by a dead one. */
  readonly sole: boolean;
  /**
   * Stops the server and waits for its end, unless another process uses it. Close all pools first. After `patienceMs`
   * the server ends without a shutdown checkpoint.
   */
  stop(patienceMs?: number): Promise<void>;
  /** Disconnects from the server and leaves it running for other processes. */
  leave(): Promise<void>;
}

/** A killed predecessor's session may take this long to end on a busy server. */
const SERVICE_WAIT_MS = 3_000;
const KEEPER_WAIT_MS = 1_000;
const MAX_LAUNCHES = 150;
const RELAUNCH_MS = 200;
const DATABASE_NAME = 'quire';

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
  readonly #exclusive: boolean;
  readonly #stopping = new AbortController();
  /** This process holds the keeper lock. */
  #keeps = false;
  #postmaster: Postmaster | undefined;
  #keeper: Client | undefined;
  #recovery: Promise<void> = Promise.resolve();
  attached = false;

  constructor(
    options: EmbeddedPostgresOptions,
    parts: { dataDir: string; binaries: PostgresBinaries; account: Account; password: string },
  ) {
    this.#dataDir = parts.dataDir;
    this.#binaries = parts.binaries;
    this.#account = parts.account;
    this.#password = parts.password;
    this.#logger = options.logger;
    this.#exclusive = options.exclusive ?? false;
    this.#settings = { ...DEFAULT_SETTINGS, ...options.settings };
  }

  get pid(): number {
    return this.#running().pid;
  }

  get sole(): boolean {
    return this.#exclusive || this.#keeps;
  }

  get connection(): ServerConnection {
    return { ...this.#running().address, user: SUPERUSER, password: this.#password, database: DATABASE_NAME };
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
    if (this.#exclusive) await this.#refuseSecondService();
    await this.#createDatabase();
  }

  async #refuseSecondService(): Promise<void> {
    const keeper = this.#keeper;
    if (keeper === undefined || (await takeLock(keeper, SERVICE_LOCK, SERVICE_WAIT_MS))) return;
    const holder = await describeHolder(keeper);
    await this.leave();
    const folder = path.dirname(this.#dataDir);
    throw new EmbeddedPostgresError(
      `${holder} uses the data directory ${folder}. Stop it first, or set QUIRE_DATA_DIR to another folder.`,
    );
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
      // A server launched after an abort would still be ending in the directory after `stop`.
      signal?.throwIfAborted();
      const launch = { dataDir: this.#dataDir, account: this.#account, settings: this.#settings };
      const result = await launchPostmaster({ ...launch, postgres: this.#binaries.postgres, address, signal });
      if ('postmaster' in result) {
        this.#postmaster = result.postmaster;
        this.attached = false;
        return;
      }
      // The children of a killed server keep its shared memory until they notice: 10 ms, or seconds if they are busy.
      if (attempt === MAX_LAUNCHES) {
        throw new EmbeddedPostgresError(`Processes of an earlier server still use ${this.#dataDir}. ${USE_EXTERNAL}`);
      }
      await delay(RELAUNCH_MS, undefined, { signal });
    }
  }

  /** A restart keeps the address, because pools keep using it. */
  async #chooseAddress(): Promise<Address> {
    return this.#postmaster?.address ?? socketAddress(this.#dataDir) ?? { host: '127.0.0.1', port: await freePort() };
  }

  /** The keeper's connection holds the locks while the process lives, and ends when the server does. */
  async #keep(signal?: AbortSignal): Promise<void> {
    const name = `${KEEPER_NAME} ${process.pid}`;
    const options = { ...this.connection, database: 'postgres', application_name: name, keepAlive: true };
    const client = new Client(options);
    client.on('error', () => undefined);
    await client.connect();
    signal?.throwIfAborted();
    this.#keeps = await takeLock(client, KEEPER_LOCK, KEEPER_WAIT_MS);
    this.#keeper = client;
    client.once('end', () => {
      if (!this.#stopping.signal.aborted) this.#recovery = this.#recover();
    });
  }

  async #createDatabase(): Promise<void> {
    const found = await this.#keeper?.query('select 1 from pg_database where datname = $1', [DATABASE_NAME]);
    if (found?.rowCount === 1) return;
    await this.#keeper?.query(`create database ${DATABASE_NAME}`).catch((error: unknown) => {
      // Another process created it at the same moment.
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
        await this.#reclaimService();
        this.#logger.info({ pid: this.pid }, 'the embedded PostgreSQL runs again');
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.#logger.error({ err: error }, 'the embedded PostgreSQL did not start');
        await delay(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #reclaimService(): Promise<void> {
    if (!this.#exclusive || this.#keeper === undefined) return;
    if (await takeLock(this.#keeper, SERVICE_LOCK, SERVICE_WAIT_MS)) return;
    this.#logger.error({ dataDir: this.#dataDir }, 'another service took over the data directory');
  }

  async stop(patienceMs?: number): Promise<void> {
    const running = !this.#stopping.signal.aborted;
    const last = await this.#isLast();
    await this.leave();
    if (running && last) await stopPostmaster(this.pid, this.#dataDir, patienceMs);
  }

  /** Whether no other process uses the server: neither a keeper nor, while this is a command, a service. */
  async #isLast(): Promise<boolean> {
    const keeper = this.#keeper;
    if (keeper === undefined) return this.#keeps;
    try {
      // The process that was the keeper may have ended since.
      this.#keeps ||= await takeLock(keeper, KEEPER_LOCK, 1);
      return this.#keeps && (this.#exclusive || (await takeLock(keeper, SERVICE_LOCK, 1)));
    } catch (error) {
      this.#logger.debug({ err: error }, 'the keeper lost its connection while it stopped');
      return this.#keeps;
    }
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
 * Starts the data directory's server, or attaches to the one that runs. Throws an `EmbeddedPostgresError` that names
 * the remedy if the machine, the account or the directory does not allow it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const parent = path.dirname(path.resolve(options.dataDir));
  await mkdir(parent, { recursive: true });
  const dataDir = path.join(await realpath(parent), path.basename(options.dataDir));
  const binaries = await locateBinaries();
  const account = await chooseAccount(dataDir, binaries.directory);
  const password = await prepareCluster(dataDir, binaries, account);
  const { blocks, bsize } = await statfs(dataDir);
  const settings = { max_wal_size: walSize(blocks * bsize), ...options.settings };
  const server = new EmbeddedServer({ ...options, settings }, { dataDir, binaries, account, password });
  await server.start(options.signal);
  const { pid, attached, sole } = server;
  options.logger.info({ pid, attached, sole, dataDir }, 'the embedded PostgreSQL runs');
  return server;
}
