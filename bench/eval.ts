/**
 * `npm run eval`: retrieval quality over the HTTP API. Each set (`corpus.jsonl`, `queries.jsonl`, `qrels.tsv`) is
 * loaded into a collection of its own. Every query is searched in each mode, and nDCG@10 and recall@100 are printed
 * with 95 % bootstrap intervals. Sets are read from `--data DIR` (default `../shared/eval/data/retrieval`), all or
 * those named.
 *
 * The service starts with a fresh data directory and the static model. With `--models DIR`, a model cache such as
 * `data/models`, it uses the best model of the cache. `--sample N` takes the first N queries of each set; `--out FILE`
 * names the file with the score of each query.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { confidenceInterval, ndcg, recall } from './ir-metrics.ts';
import type { QuestionRow, SetReport } from './compare-report.ts';
import { readSet, type TestSet } from './retrieval-sets.ts';
import { removeDirectory, startService, type ServiceProcess } from '../packages/server/test/service-process.ts';
import { inParallel, round } from './statistics.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
const MODES = ['sparse', 'dense', 'hybrid'] as const;
type Mode = (typeof MODES)[number];

interface Hit {
  metadata: { evalId: string };
}
interface Answer {
  hits: Hit[];
  warnings: { type: string }[];
}
async function load(service: ServiceProcess, ws: string, name: string, set: TestSet): Promise<string> {
  const { id: col } = await service.request<{ id: string }>('POST', `/w/${ws}/col`, { name });
  await inParallel(set.documents, 8, async ({ _id: evalId, title, text }) => {
    const content = title === undefined || title === '' ? text : `# ${title}\n\n${text}`;
    if (content.trim() === '') return;
    const body = { name: `${evalId}.md`, content, contentType: 'text/markdown', metadata: { evalId } };
    await service.request('POST', `/w/${ws}/col/${col}/docs/raw`, body);
  });
  for (;;) {
    const { documentCounts } = await service.request<{ documentCounts: { indexing: number; failed: number } }>(
      'GET',
      `/w/${ws}/col/${col}`,
    );
    if (documentCounts.indexing === 0) {
      if (documentCounts.failed > 0) console.error(`  ${documentCounts.failed} documents failed`);
      return col;
    }
    await sleep(200);
  }
}

interface Score {
  ndcg10: number;
  interval: [number, number];
  recall100: number;
  rows: QuestionRow[];
}

async function score(service: ServiceProcess, url: string, set: TestSet, mode: Mode): Promise<Score | undefined> {
  const gains: number[] = [];
  const recalls: number[] = [];
  const rows: QuestionRow[] = [];
  let unavailable = false;
  await inParallel(set.queries, 4, async ({ _id, text }) => {
    // A set may contain an empty query, which the service refuses; it counts as a search without hits.
    const { hits, warnings } =
      text.trim() === ''
        ? { hits: [], warnings: [] }
        : await service.request<Answer>('POST', url, { query: text, mode, limit: 100 });
    unavailable ||= warnings.some((warning) => warning.type === 'dense_unavailable');
    const ranked = [...new Set(hits.map((hit) => hit.metadata.evalId))];
    const grades = set.relevance.get(_id) ?? new Map<string, number>();
    const gain = ndcg(ranked, grades, 10);
    gains.push(gain);
    rows.push({ id: _id, score: gain, question: text, answer: ranked.slice(0, 10), gold: Object.fromEntries(grades) });
    recalls.push(recall(ranked, grades, 100));
  });
  if (unavailable && mode !== 'sparse') return undefined;
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { ndcg10: mean(gains), interval: confidenceInterval(gains), recall100: mean(recalls), rows };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.join(here, '..', '..', 'shared', 'eval', 'data', 'retrieval') },
    models: { type: 'string' },
    sample: { type: 'string', default: '1000000' },
    out: { type: 'string' },
  },
});
if (!existsSync(values.data))
  throw new Error(`There are no test sets at ${values.data}: name their folder with --data`);
const names = positionals.length > 0 ? positionals : readdirSync(values.data).toSorted();

const figure = (value: number): string => value.toFixed(3).replace(/^0/, '');

function row(name: string, scores: Partial<Record<Mode, Score>>): string {
  const cells = MODES.map((mode) => {
    const found = scores[mode];
    if (found === undefined) return 'not available'.padEnd(36);
    const [low, high] = found.interval;
    return `${figure(found.ndcg10)} [${figure(low)}, ${figure(high)}] ${figure(found.recall100)}`.padEnd(36);
  });
  return name.padEnd(18) + cells.join('');
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'quire-eval-'));
if (values.models !== undefined) symlinkSync(path.resolve(values.models), path.join(dataDir, 'models'));
const service = await startService({ dataDir });
const table: Record<string, SetReport> = {};
try {
  const { id: ws } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'eval' });
  console.log('set'.padEnd(18) + MODES.map((mode) => `${mode} nDCG@10 [95 %] R@100`.padEnd(36)).join(''));
  for (const name of names) {
    const whole = readSet(path.join(values.data, name));
    const set = { ...whole, queries: whole.queries.slice(0, Number(values.sample)) };
    console.error(`${name}: ${set.documents.length} documents, ${set.queries.length} queries…`);
    const col = await load(service, ws, name, set);
    const scores: Partial<Record<Mode, Score>> = {};
    for (const mode of MODES) {
      const found = await score(service, `/w/${ws}/col/${col}/search`, set, mode);
      if (found !== undefined) scores[mode] = found;
    }
    const figures = Object.entries(scores).map(([mode, { ndcg10 }]) => [`${mode} nDCG@10`, round(ndcg10, 3)] as const);
    table[name] = { figures: Object.fromEntries(figures), rows: scores.hybrid?.rows ?? scores.sparse?.rows ?? [] };
    console.log(row(name, scores));
  }
} finally {
  await service.stop();
  removeDirectory(dataDir);
}
const file = values.out ?? path.join(here, 'results', `eval-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`);
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`);
console.log(`\n${file}`);
