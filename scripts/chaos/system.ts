/**
 * The system below test: a PostgreSQL of its own, a proxy in front of it, a language model, and the built service in
 * one process or in two, `api` and `worker`. As root on Linux the data is on file systems of limited size.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import pino from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../packages/server/src/database/embedded-postgres.ts';
import { DatabaseProxy } from '../../packages/server/test/database-proxy.ts';
import {
  familyOf,
  removeDirectory,
  startService,
  type ServiceProcess,
} from '../../packages/server/test/service-process.ts';
import { Provider } from './chats.ts';

/** Debian's package `libfaketime`; without it there are no clock jumps. */
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const DATA_MB = 600;
const POSTGRES_MB = 1_500;

export interface SystemOptions {
  /** Whether `api` and `worker` are processes of their own. */
  isSplit: boolean;
  /** Whether the clock of the service can be changed. */
  hasClock: boolean;
  /** Whether the service has one thread for calls to the file system, so that their order is always the same. */
  hasOneFileThread?: boolean;
}

type Role = 'all' | 'api' | 'worker';

export class System {
  readonly folder: string;
  readonly postgres: EmbeddedPostgres;
  readonly proxy: DatabaseProxy;
  readonly provider: Provider;
  readonly options: SystemOptions;
  readonly #processes = new Map<Role, ServiceProcess>();

  private constructor(
    folder: string,
    postgres: EmbeddedPostgres,
    proxy: DatabaseProxy,
    provider: Provider,
    options: SystemOptions,
  ) {
    this.folder = folder;
    this.postgres = postgres;
    this.proxy = proxy;
    this.provider = provider;
    this.options = options;
  }

  static async start(options: SystemOptions): Promise<System> {
    const folder = mkdtempSync(path.join(tmpdir(), 'quire-chaos-'));
    limitSize(path.join(folder, 'data'), DATA_MB);
    limitSize(path.join(folder, 'pg'), POSTGRES_MB);
    writeFileSync(path.join(folder, 'clock'), '+0');
    const logger = pino({ level: 'silent' });
    const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg', 'data'), logger });
    const proxy = await DatabaseProxy.start(postgres.connectionString);
    const system = new System(folder, postgres, proxy, await Provider.start(), options);
    for (const role of options.isSplit ? (['api', 'worker'] as const) : (['all'] as const)) await system.#start(role);
    return system;
  }

  static canChangeClock(): boolean {
    return existsSync(FAKETIME);
  }

  /** The process that answers requests. */
  get service(): ServiceProcess {
    const process_ = this.#processes.get('all') ?? this.#processes.get('api');
    if (process_ === undefined) throw new Error('The service is not running');
    return process_;
  }

  get roles(): readonly Role[] {
    return [...this.#processes.keys()];
  }

  pidOf(role: Role): number {
    return this.#processes.get(role)?.pid ?? 0;
  }

  /** Processes that the service started: parsers and their like. */
  get children(): number[] {
    const own = [...this.#processes.values()].map(({ pid }) => pid);
    return own.flatMap((pid) => familyOf(pid)).filter((pid) => !own.includes(pid));
  }

  /** Whether a folder has a limited size, so that it can be filled. */
  isLimited(name: 'data' | 'pg'): boolean {
    return existsSync(path.join(this.folder, name, '.limited'));
  }

  setClock(offsetSeconds: number): void {
    writeFileSync(path.join(this.folder, 'clock'), `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}`);
  }

  async #start(role: Role): Promise<void> {
    this.#processes.set(role, await startService(this.#serviceOptions(role)));
  }

  /** The settings of the service, also for commands on its data. */
  get environment(): Record<string, string> {
    return { QUIRE_DATA_DIR: path.join(this.folder, 'data'), ...this.#serviceOptions('all').env };
  }

  #serviceOptions(role: Role) {
    const { folder, postgres, proxy, options } = this;
    const clock = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: path.join(folder, 'clock'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    return {
      dataDir: path.join(folder, 'data'),
      log: this.log,
      env: {
        QUIRE_DATABASE_URL: proxy.through(postgres.connectionString),
        QUIRE_SECRET_KEY: 'the-secret-key-of-the-chaos-runs',
        QUIRE_LOG_LEVEL: 'info',
        QUIRE_PARSE_PROCESSES: '1',
        QUIRE_ALLOW_PRIVATE_NETWORK: '127.0.0.1',
        QUIRE_ROLE: role,
        ...(options.hasClock ? clock : {}),
        ...(options.hasOneFileThread === true ? { UV_THREADPOOL_SIZE: '1' } : {}),
      },
    };
  }

  /** Kills a process of the service with its children and starts it again on the same data. */
  async restart(role: Role): Promise<void> {
    await this.#processes.get(role)?.kill();
    await this.#start(role);
  }

  /** The path of the service's log, which `keep` preserves. */
  get log(): string {
    return path.join(this.folder, 'service.log');
  }

  /** The sessions of PostgreSQL that are not idle, for reports. */
  async sessions(): Promise<string> {
    const rows = await this.#query(
      `select pid, application_name, state, wait_event_type, wait_event, now() - xact_start as age, left(query, 150) as query
       from pg_stat_activity where state <> 'idle' and pid <> pg_backend_pid()`,
    );
    return rows.map((row) => JSON.stringify(row)).join('\n');
  }

  /** Waits until no job is overdue, and returns those that are. Periodic and postponed jobs are not due. */
  async unfinishedJobs(until: number): Promise<string[]> {
    for (;;) {
      const rows = await this.#query(
        `select jobs.id, tasks.identifier, jobs.attempts, jobs.locked_at, jobs.run_at, jobs.last_error
         from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = task_id
         where run_at < now() - interval '20 seconds' and attempts < max_attempts`,
      );
      if (rows.length === 0) return [];
      if (performance.now() > until) return rows.map((row) => `job: overdue ${JSON.stringify(row)}`);
      await delay(500);
    }
  }

  async #query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.postgres.connectionString });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async stop(keep: boolean): Promise<void> {
    for (const process_ of this.#processes.values()) await process_.stop();
    await this.provider.close();
    await this.proxy.close();
    await this.postgres.stop();
    if (keep) return;
    for (const name of ['data', 'pg'] as const) {
      // Lazy, because processes that are about to end may still use it.
      if (this.isLimited(name)) execFileSync('umount', ['--lazy', path.join(this.folder, name)]);
    }
    removeDirectory(this.folder);
  }
}

/** Mounts a file system of limited size if this process may; `.limited` marks it. */
function limitSize(folder: string, megabytes: number): void {
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder], { stdio: 'ignore' });
    writeFileSync(path.join(folder, '.limited'), '');
  } catch {
    // An ordinary user cannot mount; the faults of full disks are left out then.
  }
}
