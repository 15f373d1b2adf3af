/**
 * `npm run connector-scale`: synchronises 1,000,000 generated objects in processes that are killed ten times, and runs
 * a day of 24 synchronisations of 20,000 files with a fake clock. Both take some minutes. `--objects` and `--files` set
 * other numbers; 0 leaves the part out.
 */
import { parseArgs } from 'node:util';
import { runGroup } from './child-process/run-group.mjs';

const { values } = parseArgs({
  options: { objects: { type: 'string', default: '1000000' }, files: { type: 'string', default: '20000' } },
});

const parts = [
  { file: 'many', variable: 'QUIRE_MANY_OBJECTS', count: values.objects },
  { file: 'day', variable: 'QUIRE_DAY_FILES', count: values.files },
];
for (const { file, variable, count } of parts) {
  if (count === '0') continue;
  process.env[variable] = count;
  const status = await runGroup('npx', ['vitest', 'run', `packages/server/test/connectors/${file}.int.test.ts`]);
  if (status !== 0) process.exitCode = 1;
}
