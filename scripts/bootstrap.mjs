// Makes a fresh clone runnable: installs dependencies and builds if needed. Uses Node's own modules only.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawnWithParent } from './child-process/spawn-with-parent.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stateDir = path.join(root, '.bootstrap');
const installStamp = path.join(root, 'node_modules', '.quire-installed');
const buildStamp = path.join(stateDir, 'built');
const consoleStamp = path.join(stateDir, 'console-built');
const consoleFolder = path.join(root, 'packages', 'console');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns a hash of the locked versions, Node's major version and the platform. */
function installHash() {
  const hash = createHash('sha256').update(`${major} ${process.platform} ${process.arch}`);
  for (const name of ['package-lock.json', 'package.json']) hash.update(read(path.join(root, name)) ?? '');
  return hash.digest('hex');
}

function* files(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.')) continue;
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) yield* files(file);
    else if (/\.(ts|tsx|json|css|html|svg|mjs)$/.test(entry.name)) yield file;
  }
}

/**
 * Returns the folders of all packages that are compiled, relative to the repository. The console is not: Vite builds
 * it, and its types are checked where changes land.
 */
export function compiledPackages() {
  const { workspaces } = JSON.parse(read(path.join(root, 'package.json')));
  return workspaces.filter(
    (folder) => folder !== 'packages/console' && existsSync(path.join(root, folder, 'tsconfig.json')),
  );
}

/**
 * Returns a hash of names, sizes and times of the sources, and of what decides how they are built: the list of packages
 * (in the install stamp) and this script. Takes milliseconds at each start.
 */
function buildHash() {
  const folders = compiledPackages().map((folder) => path.join(root, folder));
  return hashOf(folders, ['tsconfig.base.json', 'scripts/bootstrap.mjs']);
}

/** As `buildHash`, for the console and the packages that it contains. */
const consoleHash = () =>
  hashOf(
    ['console', 'client', 'diffcp'].map((name) => path.join(root, 'packages', name)),
    ['scripts/bootstrap.mjs'],
  );

function hashOf(folders, others) {
  const hash = createHash('sha256').update(read(installStamp) ?? '');
  const own = others.map((file) => path.join(root, file));
  for (const file of [...folders.flatMap((folder) => [...files(folder)]), ...own]) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${path.relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function alive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs one bootstrap at a time per clone; the lock of a dead process is taken over. */
async function withLock(work) {
  mkdirSync(stateDir, { recursive: true });
  const lock = path.join(stateDir, 'lock');
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = Number(read(lock));
    if (owner && !alive(owner)) {
      rmSync(lock, { force: true });
      continue;
    }
    if (!waited) console.error(`Waiting for the installation by process ${owner}…`);
    await sleep(500);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Runs a command, in a process group of its own, with its output on standard error; rejects if it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawnWithParent(command, args, { cwd: root, stdio: ['ignore', 2, 2], detached: true, ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`)),
    );
  });
}

function npm(args) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? run(process.execPath, [script, ...args]) : run('npm', args);
}

async function step(title, work) {
  const started = Date.now();
  console.error(title);
  const ticker = setInterval(() => console.error(`  … ${Math.round((Date.now() - started) / 1000)} s`), 10_000);
  try {
    await work();
  } finally {
    clearInterval(ticker);
  }
  console.error(`  done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/**
 * Returns the Node version that `npx node@N` requested, if another one runs: npm's package `node` gets its program
 * from an install script, and the clone's .npmrc turns those off, so npx silently falls back to the Node on the PATH.
 */
function missedNode() {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (!/[\\/]_npx[\\/][^\\/]+[\\/]node_modules[\\/]\.bin$/.test(folder)) continue;
    const text = read(path.join(path.dirname(folder), 'node', 'package.json'));
    const version = text === undefined ? undefined : JSON.parse(text).version;
    if (version !== undefined && Number(version.split('.')[0]) !== major) return version;
  }
  return undefined;
}

/** Installs and builds if missing or outdated. A second call does nothing and takes a few milliseconds. */
export async function bootstrap() {
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Quire needs Node 20.19 or newer; this is ${process.versions.node}`);
  }
  const missed = missedNode();
  if (missed !== undefined) {
    throw new Error(
      `npx was asked for Node ${missed}, but Node ${process.versions.node} runs, because install scripts are off here. ` +
        `Use: npx --ignore-scripts=false node@${missed.split('.')[0]} ${path.relative(process.cwd(), process.argv[1] ?? '')}`,
    );
  }
  const isCurrent = () => read(buildStamp) === buildHash() && read(consoleStamp) === consoleHash();
  if (read(installStamp) === installHash() && isCurrent()) return;
  await withLock(async () => {
    if (read(installStamp) !== installHash()) {
      await step('Installing dependencies (about 700 packages, one time)…', () =>
        npm(['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']),
      );
      writeFileSync(installStamp, installHash());
    }
    if (read(buildStamp) !== buildHash()) {
      const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      await step('Building…', () => run(process.execPath, [tsc, '-b', ...compiledPackages()]));
      writeFileSync(buildStamp, buildHash());
    }
    if (read(consoleStamp) !== consoleHash()) {
      await step('Building the console…', () =>
        run(process.execPath, [path.join(consoleFolder, 'scripts', 'build.mjs')], { cwd: consoleFolder }),
      );
      writeFileSync(consoleStamp, consoleHash());
    }
  });
}
