/**
 * `npm run cluster`: starts the topology of a cluster as plain processes on this machine (two api processes, workers,
 * PostgreSQL, versitygw, OpenSearch nodes), ends its processes at random while clients upload, search and delete, and
 * checks in the end that nothing acknowledged is lost, nothing is stuck, and no deleted or foreign document was found.
 * Options: `--minutes N` (default 5), `--documents N` to upload in that time (default 200 a minute), `--workers N`
 * (default 3), `--nodes N` of OpenSearch (default 1), `--seed N`, `--memory` for the index in memory instead of
 * OpenSearch, `--throughput N` to measure the ingestion of N documents with 1, 2 and 3 workers instead.
 * SIGINT ends the load and the faults, and begins the check.
 */
import { randomInt } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../chaos/random.ts';
import { Client } from './clients.ts';
import { ServedSearches } from './served-searches.ts';
import { Topology } from './topology.ts';

const OUTAGE_MS = 30_000;
/** Time in which all work must be done after the last fault: the deadline of a document. */
const CHECK_MS = 900_000;
const CLIENTS_PER_WORKSPACE = 6;
const DOCUMENTS_PER_MINUTE = 200;
/** Each of so many faults is an outage of a server; the others end a process of Quire. */
const OUTAGE_EVERY = 4;
const REPORT_MS = 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    documents: { type: 'string' },
    workers: { type: 'string', default: '3' },
    nodes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    memory: { type: 'boolean', default: false },
    throughput: { type: 'string' },
  },
});

interface Fault {
  name: string;
  apply: (topology: Topology) => Promise<void>;
}

/** Outages of servers, in turns. Each kind has its turn also in a short run. */
const OUTAGES: readonly ((topology: Topology, random: Random) => Fault)[] = [
  () => ({ name: 'PostgreSQL ends', apply: (each) => each.restartPostgres() }),
  () => ({ name: 'no S3 server for 30 s', apply: (each) => each.withoutS3(OUTAGE_MS) }),
  ({ searchNodes }, random) => {
    const node = random.pick(searchNodes);
    return { name: `no OpenSearch ${node} for 30 s`, apply: (each) => each.withoutSearchNode(node, OUTAGE_MS) };
  },
  ({ searchNodes }, random) => {
    const node = random.pick(searchNodes);
    return { name: `OpenSearch ${node} halts for 30 s`, apply: (each) => each.haltSearchNode(node, OUTAGE_MS) };
  },
];
const OUTAGES_WITHOUT_SEARCH = 2;

function drawFault(topology: Topology, number: number, random: Random): Fault {
  if (number % OUTAGE_EVERY === 0) {
    // A second node must not end while the first one starts: the rest would be no majority.
    const isSearchWhole = topology.searchNodes.length > 0 && topology.isSearchWhole;
    const kinds = isSearchWhole ? OUTAGES.length : OUTAGES_WITHOUT_SEARCH;
    const outage = OUTAGES[(number / OUTAGE_EVERY - 1) % kinds];
    if (outage !== undefined) return outage(topology, random);
  }
  const name = random.pick(topology.names);
  if (random.next() < 0.25) {
    const apply = async (each: Topology): Promise<void> => void each.killChild(name, random);
    return { name: `kill -9 a process that ${name} has started`, apply };
  }
  return { name: `kill -9 ${name}`, apply: (each) => each.restartService(name) };
}

async function killTest(topology: Topology, random: Random): Promise<string[]> {
  const clients = [
    await Client.create(topology, 'a', new Random(random.between(1, 2 ** 30))),
    await Client.create(topology, 'b', new Random(random.between(1, 2 ** 30))),
  ];
  const searches = new ServedSearches();
  const stop = new AbortController();
  const startedAt = performance.now();
  const durationMs = Number(values.minutes) * 60_000;
  const documents = Number(values.documents ?? Number(values.minutes) * DOCUMENTS_PER_MINUTE) / clients.length;
  const due = (): number => documents * Math.min(1, (1.05 * (performance.now() - startedAt)) / durationMs);
  const sum = (read: (client: Client) => number): number => clients.reduce((total, each) => total + read(each), 0);
  const describe = (): string =>
    `${Math.round((performance.now() - startedAt) / 1000)} s, load ${loadavg()[0]?.toFixed(1)}: ` +
    `${sum((each) => each.acknowledged)} documents acknowledged, ${sum((each) => each.searches)} searches answered ` +
    `(${sum((each) => each.degraded)} with a warning), ${sum((each) => each.unanswered)} not, ` +
    `${sum((each) => each.refused)} requests failed\n`;
  for (const client of clients) client.onSearch = (isAnswered) => searches.note(isAnswered);
  const loading = clients.flatMap((client) =>
    Array.from({ length: CLIENTS_PER_WORKSPACE }, () => client.load(stop.signal, due)),
  );
  const reporting = setInterval(() => process.stdout.write(describe()), REPORT_MS);
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  for (let number = 1; performance.now() < startedAt + durationMs && !ending.signal.aborted; number += 1) {
    searches.during = 'between faults';
    await delay(random.between(5_000, 15_000));
    const fault = drawFault(topology, number, random);
    process.stdout.write(`${number}: ${fault.name}\n`);
    searches.during = fault.name;
    await fault.apply(topology);
  }
  // The machine may have been too slow for all documents: the rest is uploaded without faults.
  searches.during = 'after the faults';
  const ended = new Promise((resolve) => ending.signal.addEventListener('abort', resolve, { once: true }));
  await (ending.signal.aborted ? undefined : Promise.race([topology.searchNodesReturned(), ended]));
  while (sum((each) => each.acknowledged) < clients.length * documents && !ending.signal.aborted) await delay(1_000);
  stop.abort();
  clearInterval(reporting);
  await Promise.all(loading);
  process.stdout.write(`${describe()}${searches.describe()}`);
  const checkedAt = performance.now();
  const faults: string[] = [];
  for (const client of clients) faults.push(...(await client.check(performance.now() + CHECK_MS)));
  process.stdout.write(`checked in ${Math.round((performance.now() - checkedAt) / 1000)} s\n`);
  return faults;
}

/** Number of documents before the measured ones. */
const WARMING = 100;

/**
 * Prints the documents that are ready in a second, from the first upload to the last ready document, and the CPU time
 * of a document in each kind of process.
 */
async function measureThroughput(topology: Topology, documents: number): Promise<void> {
  process.stdout.write(`${availableParallelism()} cores, ${documents} documents\n`);
  for (const workers of [1, 2, 3]) {
    await topology.setWorkers(workers);
    const client = await Client.create(topology, `w${'abc'[workers - 1]}`, new Random(workers));
    await ingest(topology, client, WARMING);
    const before = topology.cpuMs();
    const startedAt = performance.now();
    await ingest(topology, client, documents);
    const seconds = (performance.now() - startedAt) / 1000;
    const rate = (documents / seconds).toFixed(1);
    const used = [...topology.cpuMs()].map(([kind, ms]) => {
      return `${kind} ${((ms - (before.get(kind) ?? 0)) / documents).toFixed(1)}`;
    });
    process.stdout.write(
      `${workers} workers: ${rate} documents/s, load ${loadavg()[0]?.toFixed(1)}; ms of CPU a document: ${used.join(', ')}\n`,
    );
  }
}

async function ingest(topology: Topology, client: Client, documents: number): Promise<void> {
  let left = documents;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (left-- > 0) await client.upload();
    }),
  );
  for (;;) {
    const answer = await topology.apis[0]?.request<{ documentCounts: { indexing: number } }>('GET', client.collection);
    if (answer?.documentCounts.indexing === 0) return;
    await delay(100);
  }
}

const seed = Number(values.seed ?? randomInt(1_000_000));
process.stdout.write(`seed ${seed}\n`);
const topology = await Topology.start({
  workers: Number(values.workers),
  nodes: values.memory ? 0 : Number(values.nodes),
});
let broken: string[] = ['ended early'];
try {
  process.stdout.write(`started: ${[...topology.names, ...topology.searchNodes].join(', ')}\n`);
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
