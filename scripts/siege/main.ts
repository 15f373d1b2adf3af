/**
 * `npm run prove -- siege`: starts the service of this checkout and runs every attack of `attacks/`, in turns and then
 * all together. Meanwhile a second process measures `/healthz`, and a well-behaved neighbour with a workspace of its
 * own uploads, searches and runs. Prints a table, and ends with exit code 1 if a bound of `bounds.ts` is broken.
 *
 * Options: `--seed N` (default: printed), `--minutes N` for all attacks (10), `--only TEXT` for those whose name has
 * it.
 */
import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Attack } from './attack.ts';
import { beyondTargets, brokenBounds } from './bounds.ts';
import { openPlace } from './place.ts';
import { tableOf } from './report.ts';
import { Siege } from './siege.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function loadAttacks(): Promise<Attack[]> {
  const folder = new URL('attacks/', import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts')).toSorted();
  const modules = files.map((name) => import(new URL(name, folder).href) as Promise<{ attack: Attack }>);
  const attacks = (await Promise.all(modules)).map(({ attack }) => attack);
  return attacks.filter(({ name }) => name.includes(values.only));
}

const attacks = await loadAttacks();
if (attacks.length === 0) throw new Error(`There is no attack with ${values.only} in its name`);
const seed = Number(values.seed ?? randomInt(1_000_000));
const durationMs = Number(values.minutes) * 60_000;
say(
  `siege with seed ${seed}, ${values.minutes} minutes: ${attacks.map(({ name, fault }) => `${name} (${fault})`).join(', ')}`,
);
const place = await openPlace();
try {
  const result = await new Siege(place, { seed, durationMs }).run(attacks);
  say(tableOf(result, place.neighbour.rounds));
  say(`memory: ${result.idleMb} MB idle, ${result.maxMb} MB at most`);
  for (const beyond of beyondTargets(result)) say(`beyond the target of an idle machine: ${beyond}`);
  const broken = brokenBounds(result);
  for (const bound of broken.slice(0, 50)) say(`BROKEN ${bound}`);
  say(`${broken.length} broken bounds; repeat with --seed ${seed}`);
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await place.close();
}
