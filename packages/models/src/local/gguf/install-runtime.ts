/**
 * Installs node-llama-cpp with the CPU build of this platform and no other optional package, in a directory of its own,
 * without a lock file and without install scripts. The two packages with native code are checked against pinned hashes.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RUNTIME_VERSION, runtimePlace } from './runtime.ts';

export interface InstallOptions {
  dataDir: string;
  signal: AbortSignal;
  /** Called with a line of text for each step. */
  onStep: (step: string) => void;
  /** `os.platform()` and `os.arch()`, as in npm's package names. */
  platform: string;
}

/** Builds by `platform-arch`, with the registry's `dist.integrity` of 3.22.1 where it was checked. */
const BUILDS: Readonly<Record<string, { name: string; integrity: string | null }>> = {
  'linux-x64': {
    name: '@node-llama-cpp/linux-x64',
    integrity: 'sha512-5uCCDNqWCNfaAm8aR/Uzxbo4HBpKgNF91kCHPepKhgMgV2OAmatoefbOlMihsqCiH2Od35E/eUHQCFbfRBJuOg==',
  },
  'linux-arm64': {
    name: '@node-llama-cpp/linux-arm64',
    integrity: 'sha512-W+7naKCXX9/eEjjFmRS8vvx91QyLXDbeFxexZc3bh/PtQABZgmRL3C0AtYYXn4YGTj/3Qor4lWZn2tpjZFPLdQ==',
  },
  'darwin-arm64': { name: '@node-llama-cpp/mac-arm64-metal', integrity: null },
  'darwin-x64': { name: '@node-llama-cpp/mac-x64', integrity: null },
};
const MAIN = {
  name: 'node-llama-cpp',
  integrity: 'sha512-bltIipuWmc123H7tMIgDGKSsSrhmhlQYeVUC48XTjVW7XGJJiJJyCdlTMzQ/LiWoPkGDpcL4FviDpgw7qfTiDw==',
};
const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * Resolves to the place of the installation. Rejects with an error for the user; an earlier installation is kept then.
 */
export async function installRuntime({ dataDir, signal, onStep, platform }: InstallOptions): Promise<string> {
  const build = BUILDS[platform];
  if (build === undefined) {
    throw new Error(`There is no build of node-llama-cpp for ${platform}: ${Object.keys(BUILDS).join(', ')}`);
  }
  const place = runtimePlace(dataDir);
  const work = `${place}.${process.pid}`;
  await mkdir(work, { recursive: true });
  try {
    await writeFile(path.join(work, 'package.json'), '{ "name": "quire-gguf-runtime", "private": true }\n');
    onStep(`node-llama-cpp ${RUNTIME_VERSION} and ${build.name}: installing with npm (about 85 MB)`);
    const packages = [MAIN, build].map(({ name }) => `${name}@${RUNTIME_VERSION}`);
    // The optional packages are the builds for every platform and GPU.
    const flags = ['--ignore-scripts', '--omit=optional', '--omit=dev', '--save-exact', ...QUIET];
    await npm(['install', ...flags, ...packages], work, signal);
    onStep('checking what was installed');
    await checkIntegrity(work, [MAIN, build]);
    await rm(place, { recursive: true, force: true });
    await rename(work, place);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return place;
}

async function checkIntegrity(
  work: string,
  pins: readonly { name: string; integrity: string | null }[],
): Promise<void> {
  const lock = JSON.parse(await readFile(path.join(work, 'node_modules', '.package-lock.json'), 'utf8')) as {
    packages: Partial<Record<string, { integrity?: string }>>;
  };
  for (const { name, integrity } of pins) {
    const found = lock.packages[`node_modules/${name}`]?.integrity;
    if (found === undefined) throw new Error(`npm did not install ${name}`);
    if (integrity !== null && found !== integrity) throw new Error(`${name} is not the package that is pinned`);
  }
}

function npm(args: readonly string[], directory: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd: directory, signal, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-4000)));
    let failure: NodeJS.ErrnoException | undefined;
    child.on('error', (error: NodeJS.ErrnoException) => (failure = error));
    // Waits for the end of npm: after an abort it may still write into the directory, which is removed next.
    child.once('close', (code) => {
      if (failure?.code === 'ENOENT') reject(new Error('npm is not installed, or not on PATH'));
      else if (failure !== undefined) reject(failure);
      else if (code === 0) resolve();
      else reject(new Error(`npm could not install the runtime:\n${complaints.trim() || `it ended with ${code}`}`));
    });
  });
}
