/** Which licences the packages of a production install may have. */
import { isPermitted } from './expression.ts';

/** The part of an entry of package-lock.json that is read here. */
export interface LockedPackage {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

const LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'AFL-2.1',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
]);

/** Licences that single packages may have beside those; each with its reason. */
const EXCEPTIONS: readonly { packages: RegExp; licence: string }[] = [
  // libvips is a shared library that sharp loads and that can be replaced.
  { packages: /^@img\/sharp-(?:libvips-|wasm32$|win32-)/, licence: 'LGPL-3.0-or-later' },
];

/** Licences of packages whose package.json has them in a form that npm does not read. */
const FROM_TEXT: ReadonlyMap<string, string> = new Map([
  ['buildcheck@0.0.7', 'MIT'],
  ['cpu-features@0.0.10', 'MIT'],
  ['json-bignum@0.0.3', 'MIT'],
  ['ssh2@1.17.0', 'MIT'],
]);

/** Returns one line per production package whose licence is missing or not permitted. */
export function findProblems(packages: Readonly<Record<string, LockedPackage>>): string[] {
  return Object.entries(packages).flatMap(([place, { version, license, dev, link }]) => {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1];
    if (name === undefined || dev === true || link === true) return [];
    const known = license ?? FROM_TEXT.get(`${name}@${version}`);
    if (known === undefined) return [`${name}@${version}: no licence is named`];
    return isPermitted(known, (licence) => isListed(name, licence)) ? [] : [`${name}@${version}: ${known}`];
  });
}

function isListed(name: string, licence: string): boolean {
  return LICENCES.has(licence) || EXCEPTIONS.some((each) => each.licence === licence && each.packages.test(name));
}
