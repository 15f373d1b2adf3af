// `npm run prove -- FAMILY`: builds if needed, then runs a family of proofs in a process group of its own.
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { runGroup } from './child-process/run-group.mjs';

/** Program of each family; its first comment lists its options. */
const FAMILIES = {
  siege: 'scripts/siege/main.ts',
  starving: 'scripts/siege/starving.ts',
  kills: 'scripts/siege/postgres-kills.ts',
};

try {
  const [family = '', ...rest] = process.argv.slice(2);
  if (!Object.hasOwn(FAMILIES, family)) throw new Error(`Usage: npm run prove -- ${Object.keys(FAMILIES).join('|')}`);
  await bootstrap();
  process.chdir(root);
  process.exitCode = await runGroup(process.execPath, ['--import', 'tsx', path.join(root, FAMILIES[family]), ...rest]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
