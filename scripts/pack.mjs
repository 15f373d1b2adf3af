// `npm run pack`: builds Quire (not with --built) and writes an installable folder, dist-packages/: one tarball per
// package, a package.json that installs them together, an .npmrc, and a program that removes unused files.
// `npm install --omit=dev` in a copy of that folder makes a production install.
import { cpSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bootstrap, root, run } from './bootstrap.mjs';

const target = path.join(root, 'dist-packages');
const staging = path.join(target, '.staging');
const SERVER = '@quire/server';
const COMMAND_LINE = '@quire/cli';
const COPIED = ['package.json', 'README.md', 'bin', 'dist', 'assets', 'migrations'];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** Returns the packages of the server and the command line, and those of this repository that they need, by name. */
function neededPackages() {
  const known = new Map(
    readJson(path.join(root, 'package.json')).workspaces.map((workspace) => {
      const folder = path.join(root, workspace);
      return [readJson(path.join(folder, 'package.json')).name, folder];
    }),
  );
  const needed = new Map();
  const add = (name) => {
    const folder = known.get(name);
    if (folder === undefined || needed.has(name)) return;
    needed.set(name, folder);
    const { dependencies, optionalDependencies } = readJson(path.join(folder, 'package.json'));
    Object.keys({ ...dependencies, ...optionalDependencies }).forEach(add);
  };
  add(SERVER);
  add(COMMAND_LINE);
  return needed;
}

/** Leaves out source maps, build state and test helpers, which only serve together with the sources. */
const isPacked = (file) => !/\.(map|tsbuildinfo)$|[\\/]testing$/.test(file);

function stage(name, folder) {
  const copy = path.join(staging, path.basename(folder));
  for (const entry of COPIED) {
    try {
      cpSync(path.join(folder, entry), path.join(copy, entry), { recursive: true, filter: isPacked });
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  copyFileSync(path.join(root, 'LICENSE'), path.join(copy, 'LICENSE'));
  if (name === SERVER) {
    // The service shows the guide at /guide and indexes it as the sample collection.
    cpSync(path.join(root, 'docs', 'guide'), path.join(copy, 'docs', 'guide'), { recursive: true });
    copyFileSync(path.join(root, 'README.md'), path.join(copy, 'README.md'));
    cpSync(path.join(root, 'packages', 'console', 'dist'), path.join(copy, 'console'), { recursive: true });
  }
  return copy;
}

async function pack() {
  if (!process.argv.includes('--built')) await bootstrap();
  rmSync(target, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const packages = neededPackages();
  const folders = [...packages].map(([name, folder]) => stage(name, folder));
  await run('npm', ['pack', '--silent', '--pack-destination', target, ...folders]);
  const dependencies = {};
  for (const [name, folder] of packages) {
    const { version } = readJson(path.join(folder, 'package.json'));
    dependencies[name] = `file:${name.slice(1).replace('/', '-')}-${version}.tgz`;
  }
  const { version, license, engines } = readJson(path.join(root, 'package.json'));
  writeJson(path.join(target, 'package.json'), {
    name: 'quire-install',
    version,
    private: true,
    license,
    engines,
    scripts: { start: 'exec quire-server', 'prune-install': 'node prune-install.mjs' },
    dependencies,
  });
  copyFileSync(path.join(root, '.npmrc'), path.join(target, '.npmrc'));
  copyFileSync(path.join(root, 'scripts', 'prune-install.mjs'), path.join(target, 'prune-install.mjs'));
  rmSync(staging, { recursive: true });
  console.error(`Packed ${packages.size} packages into ${target}`);
}

await pack();
