/**
 * `npm run cluster`: starts the topology of a cluster as plain processes on this machine (two api processes, workers,
 * PostgreSQL, versitygw, an OpenSearch node), ends its processes at random while clients upload, search and delete, and
 * checks in the end that nothing acknowledged is lost, nothing is stuck, and no deleted or foreign document was found.
 * Options: `--minutes N` (default 5), `--workers N` (default 2), `--seed N`, `--memory` for the index in memory instead
 * of OpenSearch, `--throughput N` to measure the ingestion of N documents with 1, 2 and 3 workers instead.
 */
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../chaos/random.ts';
import { Client } from './clients.ts';
import { Topology } from './topology.ts';

const OUTAGE_MS = 30_000;
/** Time in which all work must be done after the last fault: the deadline of a document. */
const CHECK_MS = 900_000;
const CLIENTS_PER_WORKSPACE = 3;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string' },
    memory: { type: 'boolean', default: false },
    throughput: { type: 'string' },
  },
});

interface Fault {
  name: string;
  apply: (topology: Topology) => Promise<void>;
}

function drawFault(topology: Topology, number: number, random: Random): Fault {
  const outages: Fault[] = [
    { name: 'PostgreSQL ends', apply: async (each) => each.restartPostgres() },
    { name: 'no S3 server for 30 s', apply: (each) => each.withoutS3(OUTAGE_MS) },
    ...(topology.hasSearchCluster
      ? [{ name: 'OpenSearch halts for 30 s', apply: (each: Topology) => each.withoutSearch(OUTAGE_MS) }]
      : []),
  ];
  // Every second fault is an outage, so that each kind occurs also in a short run.
  const outage = number % 2 === 0 ? outages[(number / 2 - 1) % outages.length] : undefined;
  if (outage !== undefined) return outage;
  const name = random.pick(topology.names);
  return { name: `kill -9 ${name}`, apply: (each) => each.restartService(name) };
}

async function killTest(topology: Topology, random: Random): Promise<string[]> {
  const clients = [
    await Client.create(topology, 'a', new Random(random.between(1, 2 ** 30))),
    await Client.create(topology, 'b', new Random(random.between(1, 2 ** 30))),
  ];
  const stop = new AbortController();
  const loading = clients.flatMap((client) =>
    Array.from({ length: CLIENTS_PER_WORKSPACE }, () => client.load(stop.signal)),
  );
  const until = performance.now() + Number(values.minutes) * 60_000;
  for (let number = 1; performance.now() < until; number += 1) {
    await delay(random.between(3_000, 10_000));
    const fault = drawFault(topology, number, random);
    process.stdout.write(`${number}: ${fault.name}\n`);
    await fault.apply(topology);
  }
  stop.abort();
  await Promise.all(loading);
  const sum = (read: (client: Client) => number): number => clients.reduce((total, each) => total + read(each), 0);
  process.stdout.write(
    `${sum((each) => each.acknowledged)} documents acknowledged, ${sum((each) => each.searches)} searches answered ` +
      `(${sum((each) => each.degraded)} with a warning), ${sum((each) => each.refused)} requests failed\n`,
  );
  const faults: string[] = [];
  for (const client of clients) faults.push(...(await client.check(performance.now() + CHECK_MS)));
  return faults;
}

/** Prints the documents that are ready in a second, from the first upload to the last ready document. */
async function measureThroughput(topology: Topology, documents: number): Promise<void> {
  process.stdout.write(`${availableParallelism()} cores, ${documents} documents\n`);
  for (const workers of [1, 2, 3]) {
    await topology.setWorkers(workers);
    const client = await Client.create(topology, `w${'abc'[workers - 1]}`, new Random(workers));
    const startedAt = performance.now();
    let left = documents;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        while (left-- > 0) await client.upload();
      }),
    );
    const api = topology.apis[0];
    for (;;) {
      const answer = await api?.request<{ documentCounts: { indexing: number } }>('GET', client.collection);
      if (answer?.documentCounts.indexing === 0) break;
      await delay(100);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(`${workers} workers: ${(documents / seconds).toFixed(1)} documents/s\n`);
  }
}

const seed = Number(values.seed ?? randomInt(1_000_000));
process.stdout.write(`seed ${seed}\n`);
const topology = await Topology.start({ workers: Number(values.workers), hasSearchCluster: !values.memory });
let broken: string[] = ['ended early'];
try {
  process.stdout.write(`started: ${topology.names.join(', ')}\n`);
  if (values.throughput === undefined) broken = await killTest(topology, new Random(seed));
  else {
    await measureThroughput(topology, Number(values.throughput));
    broken = [];
  }
  for (const fault of broken) process.stdout.write(`  ${fault}\n`);
  process.stdout.write(`${broken.length} broken promises\n`);
} finally {
  if (broken.length > 0) process.stdout.write(`logs are kept: ${topology.folder}\n`);
  await topology.stop(broken.length > 0);
}
if (broken.length > 0) process.exitCode = 1;
