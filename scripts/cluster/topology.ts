/**
 * The processes of a cluster on this machine: PostgreSQL, an S3 server, OpenSearch nodes, api and worker processes.
 * They share nothing but the addresses of the first three; each process of Quire has a data folder of its own.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import type { Random } from '../chaos/random.ts';
import { findProgram, freePort, startProgram, type RunningProgram } from '@quire/connectors/testing/programs';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../packages/server/src/database/embedded-postgres.ts';
import {
  cpuMs,
  familyOf,
  removeDirectory,
  startService,
  type ServiceProcess,
} from '../../packages/server/test/service-process.ts';
import { OpenSearchServers } from './opensearch-node.ts';
import type { Release } from './release.ts';

const BUCKET = 'documents';
const KEYS = { access: 'cluster-access', secret: 'cluster-secret' };
const API_PROCESSES = 2;
const POSTGRES_START_MS = 8_000;
/** Maximum number of starts of a process. */
const STARTS = 10;

export interface TopologyOptions {
  workers: number;
  /** Number of OpenSearch nodes; 0 for the index in the memory of each api process. */
  nodes: number;
  /** Release of the processes of Quire. Default: the present one. */
  release?: Release;
}

export class Topology {
  readonly folder: string;
  readonly #options: TopologyOptions;
  readonly #postgres: EmbeddedPostgres;
  readonly #search: OpenSearchServers | null;
  readonly #s3Port: number;
  #s3: RunningProgram;
  /** Whether no OpenSearch node is away or starting. */
  isSearchWhole = true;
  #returning: Promise<void> = Promise.resolve();
  #release: Release | undefined;
  readonly #services = new Map<string, ServiceProcess>();

  private constructor(
    folder: string,
    options: TopologyOptions,
    parts: { postgres: EmbeddedPostgres; search: OpenSearchServers | null; s3: RunningProgram; s3Port: number },
  ) {
    this.folder = folder;
    this.#options = options;
    this.#postgres = parts.postgres;
    this.#search = parts.search;
    this.#s3 = parts.s3;
    this.#s3Port = parts.s3Port;
    this.#release = options.release;
  }

  static async start(options: TopologyOptions): Promise<Topology> {
    const folder = mkdtempSync(path.join(tmpdir(), 'quire-cluster-'));
    mkdirSync(path.join(folder, 's3', BUCKET), { recursive: true });
    const s3Port = await freePort();
    const [postgres, s3, search] = await Promise.all([
      startEmbeddedPostgres({
        dataDir: path.join(folder, 'postgres'),
        logger: pino({ level: 'silent' }),
        settings: { max_connections: '400' },
      }),
      startS3(folder, s3Port),
      options.nodes > 0 ? OpenSearchServers.start({ nodes: options.nodes }) : null,
    ]);
    const topology = new Topology(folder, options, { postgres, search, s3, s3Port });
    for (let at = 1; at <= API_PROCESSES; at += 1) await topology.startService(`api ${at}`);
    for (let at = 1; at <= options.workers; at += 1) await topology.startService(`worker ${at}`);
    return topology;
  }

  get connectionString(): string {
    return this.#postgres.connectionString;
  }

  get searchNodes(): string[] {
    return this.#search?.nodes.map(({ name }) => name) ?? [];
  }

  get apis(): ServiceProcess[] {
    return [...this.#services].flatMap(([name, service]) => (name.startsWith('api') ? [service] : []));
  }

  get names(): string[] {
    return [...this.#services.keys()];
  }

  /** Returns the CPU time in ms that the processes of each kind have used, those that they started included. */
  cpuMs(): Map<string, number> {
    const used = new Map<string, number>();
    const add = (kind: string, pid: number | undefined): void => {
      if (pid !== undefined) used.set(kind, (used.get(kind) ?? 0) + cpuMs(pid).all);
    };
    for (const [name, { pid }] of this.#services) add(name.split(' ')[0] ?? '', pid);
    add('PostgreSQL', this.#postgres.pid);
    for (const { process: node } of this.#search?.nodes ?? []) add('OpenSearch', node.pid);
    return used;
  }

  async startService(name: string): Promise<void> {
    this.#services.set(name, await this.#startProcess(name, this.#release));
  }

  /** Drains a process of Quire with SIGTERM, then starts it as the present release on a fresh data folder. */
  async upgradeService(name: string): Promise<void> {
    await this.#services.get(name)?.stop();
    removeDirectory(this.#folderOf(name));
    this.#services.set(name, await this.#startProcess(name, undefined));
  }

  /** Starts one more process of a release and stops it again. Rejects if it does not start. */
  async tryRelease(role: 'api' | 'worker', release: Release): Promise<void> {
    const service = await this.#startProcess(`${role} of another release`, release);
    await service.stop();
  }

  #folderOf(name: string): string {
    return path.join(this.folder, name.replaceAll(' ', '-'));
  }

  #startProcess(name: string, release: Release | undefined): Promise<ServiceProcess> {
    const dataDir = this.#folderOf(name);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const index =
      this.#search === null
        ? {}
        : { QUIRE_INDEX_URL: `${this.#search.address}/quire?replicas=${Math.min(1, this.#options.nodes - 1)}` };
    const env = {
      QUIRE_ROLE: name.split(' ')[0] ?? '',
      QUIRE_DATABASE_URL: this.#postgres.connectionString,
      QUIRE_SECRET_KEY: 'the-secret-key-of-the-cluster',
      QUIRE_STORAGE_URL: `s3://${BUCKET}/quire?endpoint=http://127.0.0.1:${this.#s3Port}`,
      QUIRE_PARSE_PROCESSES: '1',
      QUIRE_LOG_LEVEL: 'warn',
      AWS_ACCESS_KEY_ID: KEYS.access,
      AWS_SECRET_ACCESS_KEY: KEYS.secret,
      ...index,
    };
    const program = release === undefined ? {} : { program: release.program };
    return startService({ dataDir, env, log: path.join(this.folder, `${name}.log`), ...program });
  }

  /** Kills a process of Quire with its children, and starts it again on its data folder. */
  async restartService(name: string): Promise<void> {
    await this.#services.get(name)?.kill();
    // A process does not start while PostgreSQL or the S3 server is down; a supervisor would repeat it too.
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.startService(name);
      } catch (error) {
        if (attempt === STARTS) throw error;
        await delay(2_000);
      }
    }
  }

  /** Ends PostgreSQL at once; its keeper, this process, starts it again. Resolves when that must be over. */
  async restartPostgres(): Promise<void> {
    process.kill(this.#postgres.pid, 'SIGQUIT');
    await delay(POSTGRES_START_MS);
  }

  /** Ends the S3 server and starts it again after the time, on the same port and files. */
  async withoutS3(durationMs: number): Promise<void> {
    await this.#s3.stop();
    await delay(durationMs);
    this.#s3 = await startS3(this.folder, this.#s3Port);
  }

  /** Ends an OpenSearch node and starts it again after the time. Does not wait until it has started. */
  async withoutSearchNode(name: string, durationMs: number): Promise<void> {
    await this.searchNodesReturned();
    this.isSearchWhole = false;
    await this.#search?.kill(name);
    await delay(durationMs);
    this.#returning = this.#search?.restart(name) ?? Promise.resolve();
    this.#returning.then(
      () => (this.isSearchWhole = true),
      () => undefined,
    );
  }

  /** Resolves when the node that was ended last has started; rejects if it has not. */
  searchNodesReturned(): Promise<void> {
    return this.#returning;
  }

  /** Halts an OpenSearch node for the time: connections to it hang. */
  async haltSearchNode(name: string, durationMs: number): Promise<void> {
    await this.searchNodesReturned();
    const node = this.#search?.nodes.find((each) => each.name === name);
    node?.process.kill('SIGSTOP');
    await delay(durationMs);
    node?.process.kill('SIGCONT');
  }

  /** Kills one of the processes that a process of Quire has started, such as a parser. Returns false without any. */
  killChild(name: string, random: Random): boolean {
    const pid = this.#services.get(name)?.pid;
    const children = pid === undefined ? [] : familyOf(pid).filter((each) => each !== pid);
    if (children.length === 0) return false;
    try {
      process.kill(random.pick(children), 'SIGKILL');
      return true;
    } catch {
      // It has ended in the meantime.
      return false;
    }
  }

  /** Starts or stops workers until there are `count`. */
  async setWorkers(count: number): Promise<void> {
    for (let at = this.#options.workers; at > count; at -= 1) {
      await this.#services.get(`worker ${at}`)?.stop();
      this.#services.delete(`worker ${at}`);
    }
    for (let at = this.#options.workers + 1; at <= count; at += 1) await this.startService(`worker ${at}`);
    this.#options.workers = count;
  }

  async stop(keepsFiles: boolean): Promise<void> {
    await Promise.all([...this.#services.values()].map((service) => service.stop()));
    await this.#postgres.stop();
    await this.#s3.stop();
    await this.#search?.stop();
    if (!keepsFiles) removeDirectory(this.folder);
  }
}

function startS3(folder: string, port: number): Promise<RunningProgram> {
  const program = findProgram('versitygw');
  if (program === null) throw new Error('versitygw is missing: run npm run connector-servers');
  const env = { ROOT_ACCESS_KEY: KEYS.access, ROOT_SECRET_KEY: KEYS.secret };
  const args = ['--port', `127.0.0.1:${port}`, '--region', 'us-east-1', 'posix', path.join(folder, 's3')];
  return startProgram(program, args, port, env, spawnWithParent);
}
