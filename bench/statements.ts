/**
 * `npm run bench:statements`: answers to questions about the statements of generated reports, in HTML and PDF. Cells
 * are right if the answer starts with their value, computations with their result. `--only NAME,…` selects sets,
 * `--sample N --seed S` takes N questions of each, the same ones for the same seed, and `--out FILE` writes each
 * answer.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { QuestionRow, SetReport } from './compare-report.ts';
import { loadFiles, openTarget, type Target } from './qa-target.ts';
import { sampled, selectedNames } from './samples.ts';
import { annualReportsOf } from './statements/annual-reports.ts';
import { isComputed, isRight } from './statements/score.ts';
import { releasesOf } from './statements/release-files.ts';
import { segmentReportsOf } from './statements/segment-files.ts';
import { reportsOf, STATEMENT_SETS, type Half } from './statements/statement-files.ts';
import { round } from './statistics.ts';

interface Answer {
  parts: { type: string; text?: string }[];
  citations: unknown[];
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});

interface Row extends QuestionRow {
  kind: string;
  answer: string;
}

const share = (rows: readonly Row[]): number => round(rows.reduce((sum, { score }) => sum + score, 0) / rows.length, 3);

async function measure(target: Target, ws: string, name: string, half: Half): Promise<SetReport> {
  const reports = [...reportsOf(half), ...segmentReportsOf(half), ...annualReportsOf(half), ...releasesOf(half)];
  const { col } = await loadFiles(target, ws, name, reports);
  const all = reports.flatMap(({ file, questions }) => questions.map((each) => ({ file, ...each })));
  const rows: Row[] = [];
  for (const { file, kind, question, gold } of sampled(all, Number(values.sample), Number(values.seed))) {
    const { id } = await target.request<{ id: string }>('POST', `/w/${ws}/chat`, { collection_id: col });
    const body = { query: question, stream: false };
    const chat = await target.request<{ messages: Answer[] }>('POST', `/w/${ws}/chat/${id}/message`, body);
    const { parts = [], citations = [] } = chat.messages[1] ?? {};
    const answer = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const score = isRight({ kind, gold }, answer, citations.length === 0) ? 1 : 0;
    rows.push({ id: `${file}: ${question}`, kind, question, score, answer, gold });
  }
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const byKind = kinds.map((kind) => [`${kind} right`, share(rows.filter((row) => row.kind === kind))] as const);
  const near = rows.filter(({ kind }) => kind === 'near miss' || kind === 'missing');
  const computed = near.filter(({ answer }) => isComputed(answer)).length;
  return { figures: { right: share(rows), ...Object.fromEntries(byKind), 'near misses computed': computed }, rows };
}

const report: Record<string, SetReport> = {};
const target = await openTarget(undefined, undefined);
try {
  const { id: ws } = await target.request<{ id: string }>('POST', '/workspaces', { name: 'statements' });
  for (const name of selectedNames(Object.keys(STATEMENT_SETS), values.only)) {
    const measured = await measure(target, ws, name, STATEMENT_SETS[name as keyof typeof STATEMENT_SETS]);
    report[name] = measured;
    console.log(`${name} (${measured.rows.length} questions)`);
    for (const [label, value] of Object.entries(measured.figures)) console.log(`  ${label.padEnd(22)} ${value}`);
  }
} finally {
  await target.close();
}
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
