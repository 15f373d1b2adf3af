/**
 * `npm run bench:plan -- FOLDER…`: what the plan of the extractive engine finds and costs on question sets: rounds,
 * searches, wall and processor time of this process beyond one search, and processor time of the service. The engine
 * runs in this process, the searches in a new service. `--out FILE` writes each answer; `--passes N` answers all
 * questions N times and measures the last time.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { answerOnce, answerPlanned, type Collection, type Cost, type Planned } from './plan-run.ts';
import { figuresOf, scoreAnswer, type QuestionScore } from './qa-score.ts';
import { readQaSet, type QaQuestion } from './qa-sets.ts';
import { loadSet } from './qa-target.ts';
import { percentile, round } from './statistics.ts';
import { removeDirectory, startService } from '../packages/server/test/service-process.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, passes: { type: 'string', default: '2' } },
});
/** All questions are answered once before they are measured: what is compiled and loaded once does not count. */
const passes = Number(values.passes);
if (positionals.length === 0) throw new Error('Usage: npm run bench:plan -- FOLDER…');

interface Measured {
  question: QaQuestion;
  score: QuestionScore;
  planned: Planned;
}

async function measure(collection: Collection, question: QaQuestion, evalIds: Map<string, string>): Promise<Measured> {
  const planned = await answerPlanned(collection, question.question);
  const { parts, citations } = planned.content;
  const score = scoreAnswer(question, {
    status: 'done',
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    citations: citations.map(({ documentId, snippet }) => ({ evalId: evalIds.get(documentId) ?? '', snippet })),
    totalMs: planned.wallMs,
    inputTokens: 0,
    outputTokens: 0,
  });
  return { question, score, planned };
}

const line = (label: string, samples: readonly number[]): string =>
  `  ${label.padEnd(40)} median ${round(percentile(samples, 0.5))}, p95 ${round(percentile(samples, 0.95))}`;

function print(name: string, rows: readonly Measured[], once: readonly Cost[]): void {
  const beyond = (of: (cost: Cost) => number): number[] =>
    rows.map(({ planned }, at) => of(planned) - of(once[at] ?? planned));
  console.log(name);
  for (const [label, value] of Object.entries(figuresOf(rows.map(({ score }) => score)))) {
    if (label !== 'p95 ms') console.log(`  ${label.padEnd(40)} ${value}`);
  }
  console.log(
    line(
      'searches',
      rows.map(({ planned }) => planned.searches),
    ),
  );
  console.log(
    line(
      'rounds',
      rows.map(({ planned }) => planned.rounds),
    ),
  );
  console.log(
    line(
      'ms of one search, weighed',
      once.map(({ wallMs }) => wallMs),
    ),
  );
  console.log(
    line(
      'ms of the plan beyond it',
      beyond(({ wallMs }) => wallMs),
    ),
  );
  console.log(
    line(
      'CPU ms of one search, weighed',
      once.map(({ cpuMs }) => cpuMs),
    ),
  );
  console.log(
    line(
      'CPU ms of the plan beyond it',
      beyond(({ cpuMs }) => cpuMs),
    ),
  );
}

/** Returns the processor time of a process in ms; Linux only. */
function cpuOf(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) /);
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
}

const service = await startService();
const target = { ...service, close: async () => undefined };
const report: Record<string, unknown> = {};
try {
  const { id: ws } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'plan' });
  for (const folder of positionals) {
    const set = readQaSet(folder, 1_000_000, 1);
    if (set === undefined) throw new Error(`There is no set at ${folder}`);
    const { col, evalIds } = await loadSet(target, ws, set);
    const collection = { target, ws, col };
    const rows: Measured[] = [];
    const once: Cost[] = [];
    const before = cpuOf(service.pid);
    let searches = 0;
    for (let pass = 0; pass < passes; pass += 1) {
      rows.length = 0;
      once.length = 0;
      // One after the other, so that neither finds in memory what the other one has read.
      for (const { question } of set.questions) once.push(await answerOnce(collection, question));
      for (const question of set.questions) rows.push(await measure(collection, question, evalIds));
      searches += once.length + rows.reduce((sum, { planned }) => sum + planned.searches, 0);
    }
    print(path.basename(folder), rows, once);
    console.log(`  CPU ms of the service for each search      ${round((cpuOf(service.pid) - before) / searches)}`);
    report[set.name] = rows;
  }
} finally {
  await service.stop();
  removeDirectory(service.dataDir);
}
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
