// large: starts a whole service and kills its PostgreSQL
/** A short form of `scripts/siege/postgres-kills.ts`. */
import { expect, test } from 'vitest';
import { postgresKills } from '../../../scripts/siege/postgres-kills.ts';

test('what was acknowledged ends within 30 s of the return of a PostgreSQL that was killed', async () => {
  const lines: string[] = [];
  const report = await postgresKills({ kills: 3, seed: 3, minutes: 10, say: (line) => lines.push(line) });
  expect(report, lines.join('\n')).toMatchObject({ kills: 3, faults: [] });
});
