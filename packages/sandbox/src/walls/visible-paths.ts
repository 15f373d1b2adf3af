/** The files that a child in its own mount namespace can see besides its own directory; all of them are read-only. */
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface VisiblePaths {
  /** Directories and files, each mounted at its own path. */
  mounts: { path: string; isDirectory: boolean }[];
  /** Symbolic links of the system's root directory, such as `/bin` to `usr/bin`. */
  links: { path: string; target: string }[];
  /** Directories within `mounts` that are covered by an empty one. */
  hidden: string[];
}

const SYSTEM_PATHS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/gnu/store',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/localtime',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  '/etc/group',
  '/etc/libreoffice',
];

/** `hidden`: directories of the service that must not be visible even when they are within a visible one. */
export function visiblePaths(entry: string, hidden: readonly string[]): VisiblePaths {
  const links: VisiblePaths['links'] = [];
  const found = new Set<string>();
  for (const systemPath of SYSTEM_PATHS) {
    const stats = lstatSync(systemPath, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const isRootLink = stats.isSymbolicLink() && path.dirname(systemPath) === '/';
    if (isRootLink) links.push({ path: systemPath, target: readlinkSync(systemPath) });
    else found.add(systemPath);
  }
  for (const program of installedSuites()) found.add(program);
  found.add(realpathSync(process.execPath));
  for (const directory of codeDirectories(entry)) found.add(directory);
  const languageData = process.env['TESSDATA_PREFIX'];
  if (languageData !== undefined && existsSync(languageData)) found.add(realpathSync(languageData));
  const paths = withoutNested([...found]);
  const existing = hidden.filter((directory) => existsSync(directory)).map((directory) => realpathSync(directory));
  const covered = existing.filter((directory) => paths.some((visible) => isWithin(directory, visible)));
  return {
    mounts: paths.map((visible) => ({ path: visible, isDirectory: lstatSync(realpathSync(visible)).isDirectory() })),
    links,
    hidden: covered,
  };
}

/** Office suites that are installed outside of `/usr`. */
function installedSuites(): string[] {
  if (!existsSync('/opt')) return [];
  return readdirSync('/opt')
    .filter((name) => name.startsWith('libreoffice'))
    .map((name) => path.join('/opt', name));
}

/** The code of the entry and of this package, with all packages that they can import. */
export function codeDirectories(entry: string): string[] {
  return [entry, fileURLToPath(import.meta.url)].flatMap((file) => {
    const directory = path.dirname(realpathSync(file));
    const parents = ancestors(directory);
    const packageDirectory = parents.find((parent) => existsSync(path.join(parent, 'package.json')));
    // The packages of a workspace import each other by symbolic links between neighbouring directories.
    const code = packageDirectory === undefined ? directory : path.dirname(packageDirectory);
    const modules = parents.map((parent) => path.join(parent, 'node_modules')).filter((place) => existsSync(place));
    return [code, ...modules.map((place) => realpathSync(place))];
  });
}

function ancestors(directory: string): string[] {
  const parent = path.dirname(directory);
  return parent === directory ? [directory] : [directory, ...ancestors(parent)];
}

const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}${path.sep}`);

function withoutNested(paths: readonly string[]): string[] {
  const unique = [...new Set(paths)].toSorted();
  return unique.filter((inner) => !unique.some((outer) => outer !== inner && isWithin(inner, outer)));
}
