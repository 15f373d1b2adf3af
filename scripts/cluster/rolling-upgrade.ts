/**
 * `npm run cluster:upgrade -- --from REVISION`: upgrades a running cluster from an earlier commit to the present code,
 * process by process, while clients upload, search and delete. In the end nothing acknowledged may be lost, nothing be
 * stuck, and no request may have failed. Then a process of the earlier release starts once more: it must refuse a
 * database with migrations that it lacks, and change nothing.
 * Options: `--memory` for the index in memory instead of OpenSearch, `--api-first` for the other order of roles,
 * `--seconds N` between two steps (default 20), `--documents N` in a second (default 2), `--seed N`.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Random } from '../chaos/random.ts';
import { Client } from './clients.ts';
import { buildRelease, migrationsIn, type Release } from './release.ts';
import { ServedSearches } from './served-searches.ts';
import { Topology } from './topology.ts';

const CLIENTS_PER_WORKSPACE = 3;
const CHECK_MS = 600_000;
const WORKERS = 2;

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    memory: { type: 'boolean', default: false },
    'api-first': { type: 'boolean', default: false },
    seconds: { type: 'string', default: '20' },
    documents: { type: 'string', default: '2' },
    seed: { type: 'string' },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function upgrade(topology: Topology, release: Release, random: Random): Promise<string[]> {
  const clients = [
    await Client.create(topology, 'a', new Random(random.between(1, 2 ** 30))),
    await Client.create(topology, 'b', new Random(random.between(1, 2 ** 30))),
  ];
  const searches = new ServedSearches();
  for (const client of clients) client.onSearch = (isAnswered) => searches.note(isAnswered);
  const stop = new AbortController();
  const startedAt = performance.now();
  const perMs = Number(values.documents) / clients.length / 1000;
  const due = (): number => (performance.now() - startedAt) * perMs;
  const loading = clients.flatMap((client) =>
    Array.from({ length: CLIENTS_PER_WORKSPACE }, () => client.load(stop.signal, due)),
  );
  const stepMs = Number(values.seconds) * 1000;
  searches.during = 'before the upgrade';
  await delay(stepMs);
  const roles = values['api-first'] ? ['api', 'worker'] : ['worker', 'api'];
  const names = roles.flatMap((role) => topology.names.filter((name) => name.startsWith(role)));
  for (const name of names) {
    searches.during = `while ${name} is replaced`;
    print(searches.during);
    await topology.upgradeService(name);
    searches.during = `after ${name} is replaced`;
    await delay(stepMs);
  }
  stop.abort();
  await Promise.all(loading);
  const sum = (read: (client: Client) => number): number => clients.reduce((total, each) => total + read(each), 0);
  print(
    `${sum((each) => each.acknowledged)} documents acknowledged, ${sum((each) => each.searches)} searches answered ` +
      `(${sum((each) => each.degraded)} with a warning), ${sum((each) => each.refused)} requests failed`,
  );
  process.stdout.write(searches.describe());
  const faults: string[] = [];
  for (const client of clients) {
    for (const [failure, count] of client.failures) faults.push(`${count} requests failed with ${failure}`);
    faults.push(...(await client.check(performance.now() + CHECK_MS)));
  }
  faults.push(...(await tryEarlier(topology, release)));
  // The refused processes must have changed nothing.
  for (const client of clients) faults.push(...(await client.check(performance.now() + CHECK_MS)));
  return faults;
}

/** Starts processes of the earlier release on the upgraded data. Returns what is wrong with that. */
async function tryEarlier(topology: Topology, release: Release): Promise<string[]> {
  const present = migrationsIn(fileURLToPath(new URL('../../packages/server/migrations', import.meta.url)));
  const unknown = present.find((name) => !release.migrations.includes(name));
  const faults: string[] = [];
  for (const role of ['worker', 'api'] as const) {
    const failure = await topology.tryRelease(role, release).then(() => null, String);
    const start = failure === null ? 'starts' : 'refuses to start';
    print(`${role} of the earlier release on the upgraded data: ${start}`);
    if (unknown === undefined && failure !== null) faults.push(`the earlier ${role} does not start: ${failure}`);
    if (unknown === undefined) continue;
    if (failure === null) faults.push(`the earlier ${role} starts without knowing the migration ${unknown}`);
    else if (!failure.includes(unknown)) faults.push(`the refusal does not name the migration ${unknown}: ${failure}`);
  }
  return faults;
}

if (values.from === undefined) throw new Error('Usage: npm run cluster:upgrade -- --from REVISION');
const seed = Number(values.seed ?? randomInt(1_000_000));
const release = buildRelease(values.from);
print(`seed ${seed}, from ${release.name}, whose last migration is ${release.migrations.at(-1)}`);
const topology = await Topology.start({ workers: WORKERS, nodes: values.memory ? 0 : 1, release });
let broken: string[] = ['ended early'];
try {
  broken = await upgrade(topology, release, new Random(seed));
  for (const fault of broken) print(`  ${fault}`);
  print(`${broken.length} broken promises`);
} finally {
  if (broken.length > 0) print(`logs are kept: ${topology.folder}`);
  await topology.stop(broken.length > 0);
}
if (broken.length > 0) process.exitCode = 1;
