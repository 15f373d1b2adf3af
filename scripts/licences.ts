/** `npm run licences`: fails if a package of a production install, on any platform, has no permitted licence. */
import { readFileSync } from 'node:fs';
import { findProblems, type LockedPackage } from './licences/licences.ts';

const file = new URL('../package-lock.json', import.meta.url);
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };
const problems = findProblems(packages);
if (problems.length > 0) {
  console.error(`Licences that are not permitted (see scripts/licences/licences.ts):\n  ${problems.join('\n  ')}`);
  process.exitCode = 1;
}
