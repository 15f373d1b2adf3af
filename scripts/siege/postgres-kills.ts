/**
 * Kills PostgreSQL again and again under a load of small documents and runs: the whole server as a machine that
 * crashes, the first process alone, or one of its children. Each document and run that was acknowledged must have ended
 * within 30 s of PostgreSQL's return (more where other programs use the processors), be found, and stay so until the
 * end. `npx tsx scripts/siege/postgres-kills.ts --kills 200 --seed 1 --minutes 60`; the exit code is 1 if one did not.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import pino from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../packages/server/src/database/embedded-postgres.ts';
import { familyOf, removeDirectory, startService } from '../../packages/server/test/service-process.ts';
import { DocumentHistory } from '../chaos/documents.ts';
import { loadFactor } from '../chaos/load-factor.ts';
import { Random } from '../chaos/random.ts';
import { RunHistory } from '../chaos/runs.ts';
import { Workspace } from '../chaos/workspace.ts';

export interface KillOptions {
  kills: number;
  seed: number;
  /** Begins no round after this time. */
  minutes: number;
  say: (line: string) => void;
}

export interface KillReport {
  kills: number;
  /** Acknowledged documents and runs. */
  documents: number;
  runs: number;
  /** Time from PostgreSQL's return until all of a round had ended and were checked, by round, in ms. */
  endedMs: number[];
  /** Broken promises. */
  faults: string[];
}

interface Round {
  documents: DocumentHistory;
  runs: RunHistory;
}

const LIMIT_MS = 30_000;
/** Numbers of documents, whose words must differ, per round. */
const DOCUMENTS_PER_ROUND = 10_000;
const LONGEST_LOAD_MS = 1_500;

const VICTIMS: Readonly<Record<string, (postmaster: number, random: Random) => number[]>> = {
  'whole server': familyOf,
  'first process': (postmaster) => [postmaster],
  child: (postmaster, random) => [random.pick(familyOf(postmaster).filter((pid) => pid !== postmaster))],
};

/** Kills PostgreSQL, and waits until it answers again. */
async function kill(postgres: EmbeddedPostgres, random: Random): Promise<string> {
  const name = random.pick(['whole server', 'whole server', 'first process', 'child']);
  const { pid } = postgres;
  // So that it starts no process meanwhile.
  process.kill(pid, 'SIGSTOP');
  const victims = VICTIMS[name]?.(pid, random) ?? [];
  for (const victim of victims) process.kill(victim, 'SIGKILL');
  if (name === 'child') process.kill(pid, 'SIGCONT');
  else while (postgres.pid === pid) await delay(20);
  while (!(await answers(postgres.connectionString))) await delay(20);
  return name;
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Uploads and submits until the signal is aborted. A request that fails promises nothing. */
async function load({ documents, runs }: Round, signal: AbortSignal): Promise<void> {
  const client = async (act: () => Promise<unknown>): Promise<void> => {
    while (!signal.aborted) await act().catch(() => delay(50));
  };
  // The fourth client sees documents become ready, which PostgreSQL may then forget.
  await Promise.all([
    client(() => documents.act()),
    client(() => documents.act()),
    client(() => runs.act()),
    client(() => documents.probe(LIMIT_MS * loadFactor())),
  ]);
}

export async function postgresKills({ kills, seed, minutes, say }: KillOptions): Promise<KillReport> {
  const random = new Random(seed);
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-kills-'));
  const logger = pino({ level: 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), logger });
  const log = path.join(folder, 'service.log');
  const env = {
    QUIRE_DATABASE_URL: postgres.connectionString,
    QUIRE_SECRET_KEY: 'the-secret-key-of-the-kills',
    QUIRE_LOG_LEVEL: 'info',
    QUIRE_PARSE_PROCESSES: '1',
  };
  const service = await startService({ dataDir: path.join(folder, 'data'), log, env });
  const report: KillReport = { kills: 0, documents: 0, runs: 0, endedMs: [], faults: [] };
  const rounds: Round[] = [];
  const isTime = (): boolean => performance.now() < minutes * 60_000;
  const check = async (checked: readonly Round[], until: number): Promise<void> => {
    for (const { documents, runs } of checked)
      report.faults.push(...(await documents.check(until)), ...(await runs.check(until)));
  };
  try {
    const workspace = await Workspace.create({ service, options: { isSplit: false, hasClock: false } }, 'kills');
    const { id } = await workspace.request<{ id: string }>('POST', '/col', { name: 'kills' });
    for (let number = 0; number < kills && isTime() && report.faults.length === 0; number += 1) {
      const documents = new DocumentHistory(workspace, new Random(seed + number), id, number * DOCUMENTS_PER_ROUND);
      const round = { documents, runs: new RunHistory(workspace, `run-${seed}-${number}`) };
      rounds.push(round);
      const stop = new AbortController();
      const loading = load(round, stop.signal);
      await delay(random.between(100, LONGEST_LOAD_MS));
      const victim = await kill(postgres, random);
      const returnedAt = performance.now();
      stop.abort();
      await loading;
      // The round before too: what it saw end may have been lost.
      await check(rounds.slice(-2), returnedAt + LIMIT_MS * loadFactor());
      report.kills += 1;
      report.documents += documents.acknowledged;
      report.runs += round.runs.acknowledged;
      report.endedMs.push(Math.round(performance.now() - returnedAt));
      const counts = `${documents.acknowledged} documents, ${round.runs.acknowledged} runs`;
      say(`${report.kills}: ${victim}; ${counts}: ended and checked after ${report.endedMs.at(-1)} ms`);
    }
    await check(rounds, performance.now() + LIMIT_MS);
  } finally {
    await service.stop();
    await postgres.stop();
    if (report.faults.length === 0) removeDirectory(folder);
    else say(`the log of the service is kept: ${log}`);
  }
  return report;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '60' },
    },
  });
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const options = { kills: Number(values.kills), seed: Number(values.seed), minutes: Number(values.minutes), say };
  const { kills, documents, runs, endedMs, faults } = await postgresKills(options);
  const sorted = endedMs.toSorted((a, b) => a - b);
  const times = `median ${sorted[Math.floor(sorted.length / 2)] ?? 0} ms, longest ${sorted.at(-1) ?? 0} ms`;
  say(`${kills} kills, ${documents} documents, ${runs} runs; ended after ${times}; ${faults.length} broken promises`);
  for (const fault of faults) say(`  ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
