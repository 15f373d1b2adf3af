/**
 * `npm run bench:statements`: answers to questions about the statements of generated reports, in HTML and PDF. Cells
 * are right if the answer starts with their value, computations with their result. `--out FILE` writes each answer.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isRight } from './statements/score.ts';
import { segmentReportsOf } from './statements/segment-files.ts';
import { reportsOf, type Half } from './statements/statement-files.ts';
import { loadFiles, openTarget } from './qa-target.ts';

interface Answer {
  parts: { type: string; text?: string }[];
  citations: unknown[];
}

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const rows: Record<string, unknown>[] = [];
const target = await openTarget(undefined, undefined);
try {
  const { id: ws } = await target.request<{ id: string }>('POST', '/workspaces', { name: 'statements' });
  for (const half of ['tuning', 'checking'] satisfies Half[]) {
    const reports = [...reportsOf(half), ...segmentReportsOf(half)];
    const { col } = await loadFiles(target, ws, half, reports);
    for (const { file, questions } of reports) {
      for (const { kind, question, gold } of questions) {
        const { id } = await target.request<{ id: string }>('POST', `/w/${ws}/chat`, { collection_id: col });
        const body = { query: question, stream: false };
        const chat = await target.request<{ messages: Answer[] }>('POST', `/w/${ws}/chat/${id}/message`, body);
        const { parts = [], citations = [] } = chat.messages[1] ?? {};
        const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
        rows.push({
          half,
          file,
          kind,
          question,
          gold,
          right: isRight({ kind, gold }, text, citations.length === 0),
          text,
        });
      }
    }
    const own = rows.filter((row) => row['half'] === half);
    for (const kind of new Set(own.map((row) => row['kind']))) {
      const each = own.filter((row) => row['kind'] === kind);
      console.log(
        `${half.padEnd(10)}${String(kind).padEnd(16)}${each.filter((row) => row['right']).length}/${each.length}`,
      );
    }
  }
} finally {
  await target.close();
}
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(rows, null, 2)}\n`);
