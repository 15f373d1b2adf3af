/** ARCHITECTURE.md describes the dependencies of the packages; this holds it to `package.json` and to the imports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Graph = Record<string, readonly string[]>;

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Packages that `server` does not depend on. */
const WITHOUT_SERVER = ['cli', 'client', 'console', 'ocr-models', 'server'];
const PACKAGES = readdirSync(new URL('packages', root)).toSorted();

/** Reads the block of lines `names   dependencies` below "Dependencies of the packages". */
function described(): Graph {
  const block = /Dependencies of the packages[^`]*(?:`[^`]+`[^`]*)*?```\n([^`]+)```/.exec(read('ARCHITECTURE.md'))?.[1];
  if (block === undefined) throw new Error('ARCHITECTURE.md has no block of dependencies');
  const entries = block
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [names = '', needed = ''] = line.split(/ {2,}/);
      const dependencies = needed === 'no package of Quire' ? [] : needed.split(', ').toSorted();
      return names.split(', ').map((name) => [name, dependencies] as const);
    });
  const server = PACKAGES.filter((name) => !WITHOUT_SERVER.includes(name));
  return Object.fromEntries([...entries, ['server', server] as const].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const ofQuire = (names: readonly string[]): string[] =>
  [...new Set(names.filter((name) => name.startsWith('@quire/')).map((name) => name.split('/')[1] ?? ''))].toSorted();

const declared: Graph = Object.fromEntries(
  PACKAGES.map((name) => {
    const manifest = JSON.parse(read(`packages/${name}/package.json`)) as Manifest;
    const { dependencies, optionalDependencies, devDependencies } = manifest;
    // The console is built into static files, so all its dependencies are those of the build.
    const needed = name === 'console' ? devDependencies : { ...dependencies, ...optionalDependencies };
    return [name, ofQuire(Object.keys(needed ?? {}))];
  }),
);

function imported(name: string): string[] {
  const folder = new URL(`packages/${name}/src/`, root);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|testing\/|conformance/.test(file))
    .map((file) => `packages/${name}/src/${file}`);
  const found = files.flatMap((file) => [...read(file).matchAll(/(?:from|import\() ?'(@quire\/[a-z-]+)/g)]);
  return ofQuire(found.map((match) => match[1] ?? '')).filter((other) => other !== name);
}

test('ARCHITECTURE.md names the dependencies of each package', () => {
  expect(described()).toEqual(declared);
});

test.each(PACKAGES)('%s imports only packages that it depends on', (name) => {
  expect(imported(name).filter((other) => !declared[name]?.includes(other))).toEqual([]);
});
