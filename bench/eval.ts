/**
 * `npm run eval`: retrieval quality over the HTTP API. Each set (`corpus.jsonl`, `queries.jsonl`, `qrels.tsv`) is
 * loaded into a collection of its own. Every query is searched in each mode, and nDCG@10 and recall@100 are printed
 * with 95 % bootstrap intervals. Sets are read from `--data DIR` (default `../shared/eval/data/retrieval`), all or
 * those named.
 *
 * The service starts with a fresh data directory and the static model. With `--models DIR`, a model cache such as
 * `data/models`, it uses the best model of the cache, and with `--embedders NAME,…` each of these models, with one
 * collection per model. `--weights .3,.5` adds hybrid searches with these weights of the dense list. `--sample N --seed
 * S` takes N queries of each set, the same ones for the same seed; `--out FILE` names the file with the score of each
 * query. With `--embedders` the processor time of a chunk is compared with that of the model alone.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { confidenceInterval, ndcg, recall } from './ir-metrics.ts';
import type { QuestionRow, SetReport } from './compare-report.ts';
import { closeAtSignal } from './close-at-signal.ts';
import { readSet, type TestSet } from './retrieval-sets.ts';
import { sampled } from './samples.ts';
import { cpuMs, removeDirectory, startService, type ServiceProcess } from '../packages/server/test/service-process.ts';
import { inParallel, round } from './statistics.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
/** Number of chunks that the model embeds by itself. */
const MODEL_CHUNKS = 200;

const MODES = ['sparse', 'dense', 'hybrid'] as const;
type Mode = (typeof MODES)[number];

/** One way of searching: a mode, and for some hybrid searches the weight of the dense list. */
interface Way {
  name: string;
  mode: Mode;
  fusion?: { method: 'minmax'; denseWeight: number; sparseWeight: number };
}

interface Hit {
  text: string;
  metadata: { evalId: string };
}
interface Answer {
  hits: Hit[];
  warnings: { type: string }[];
}
async function load(
  service: ServiceProcess,
  ws: string,
  name: string,
  set: TestSet,
  embedder: string | undefined,
): Promise<{ col: string; cpuMsPerChunk: number }> {
  const embedderId = embedder === undefined ? undefined : await embedderConfig(service, ws, embedder);
  const { id: col } = await service.request<{ id: string }>('POST', `/w/${ws}/col`, { name, embedderId });
  const before = cpuMs(service.pid).all;
  await inParallel(set.documents, 8, async ({ _id: evalId, title, text }) => {
    const content = title === undefined || title === '' ? text : `# ${title}\n\n${text}`;
    if (content.trim() === '') return;
    const body = { name: `${evalId}.md`, content, contentType: 'text/markdown', metadata: { evalId } };
    await service.request('POST', `/w/${ws}/col/${col}/docs/raw`, body);
  });
  for (;;) {
    const { chunkCount, documentCounts } = await service.request<{
      chunkCount: number;
      documentCounts: { indexing: number; failed: number };
    }>('GET', `/w/${ws}/col/${col}`);
    if (documentCounts.indexing === 0) {
      if (documentCounts.failed > 0) console.error(`  ${documentCounts.failed} documents failed`);
      return { col, cpuMsPerChunk: (cpuMs(service.pid).all - before) / chunkCount };
    }
    await sleep(200);
  }
}

const configs = new Map<string, string>();

/** Returns the id of the workspace's embedder with a local model. */
async function embedderConfig(service: ServiceProcess, ws: string, model: string): Promise<string> {
  const known = configs.get(model);
  if (known !== undefined) return known;
  const body = { name: model, config: { provider: 'local', model } };
  const { id } = await service.request<{ id: string }>('POST', `/w/${ws}/config/embedders`, body);
  configs.set(model, id);
  return id;
}

interface Score {
  ndcg10: number;
  interval: [number, number];
  recall100: number;
  rows: QuestionRow[];
}

/** Texts of chunks that searches returned, by collection. */
const chunks = new Map<string, Set<string>>();

/** Returns the processor time of the model alone for a chunk, in ms; undefined without a model cache. */
async function modelMsPerChunk(model: string, texts: readonly string[]): Promise<number | undefined> {
  if (values.models === undefined || texts.length === 0) return undefined;
  const local = new LocalEmbedders({ cacheDir: path.resolve(values.models) });
  try {
    const embedder = await local.open((await local.describe(model)).modelId);
    const signal = AbortSignal.timeout(600_000);
    await embedder.embedDocuments(texts.slice(0, 1), signal);
    const before = process.cpuUsage();
    await embedder.embedDocuments(texts, signal);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / texts.length;
  } finally {
    await local.close();
  }
}

async function score(service: ServiceProcess, url: string, set: TestSet, way: Way): Promise<Score | undefined> {
  const { mode, fusion } = way;
  const gains: number[] = [];
  const recalls: number[] = [];
  const rows: QuestionRow[] = [];
  let unavailable = false;
  await inParallel(set.queries, 4, async ({ _id, text }) => {
    // A set may contain an empty query, which the service refuses; it counts as a search without hits.
    const { hits, warnings } =
      text.trim() === ''
        ? { hits: [], warnings: [] }
        : await service.request<Answer>('POST', url, { query: text, mode, fusion, limit: 100 });
    unavailable ||= warnings.some((warning) => warning.type === 'dense_unavailable');
    const ranked = [...new Set(hits.map((hit) => hit.metadata.evalId))];
    const known = chunks.get(url) ?? new Set<string>();
    chunks.set(url, known);
    for (const { text: chunk } of hits) if (known.size < MODEL_CHUNKS) known.add(chunk);
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
    embedders: { type: 'string' },
    weights: { type: 'string' },
    sample: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
if (!existsSync(values.data))
  throw new Error(`There are no test sets at ${values.data}: name their folder with --data`);
const names = positionals.length > 0 ? positionals : readdirSync(values.data).toSorted();
const embedders = values.embedders?.split(',') ?? [undefined];
const weights = values.weights?.split(',').map(Number) ?? [];
if (!weights.every((weight) => weight >= 0 && weight <= 1))
  throw new Error(`--weights: ${values.weights} is no list of numbers from 0 to 1`);
const weighted = weights.map((denseWeight): Way => {
  const fusion = { method: 'minmax' as const, denseWeight, sparseWeight: round(1 - denseWeight, 2) };
  return { name: `hybrid ${denseWeight}`, mode: 'hybrid', fusion };
});
const ways: Way[] = [...MODES.map((mode) => ({ name: mode, mode })), ...weighted];

const figure = (value: number): string => value.toFixed(3).replace(/^0/, '');

/** Returns a line for each way of searching. */
function lines(set: string, model: string | undefined, scores: ReadonlyMap<string, Score>): string[] {
  return ways.map(({ name }) => {
    const found = scores.get(name);
    const start = [set, model ?? '', name].map((text) => text.padEnd(18)).join(' ');
    if (found === undefined) return `${start} not available`;
    const [low, high] = found.interval;
    return `${start} ${figure(found.ndcg10)} [${figure(low)}, ${figure(high)}] ${figure(found.recall100)}`;
  });
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'quire-eval-'));
if (values.models !== undefined) symlinkSync(path.resolve(values.models), path.join(dataDir, 'models'));
const service = await startService({ dataDir });
const close = async (): Promise<void> => {
  await service.stop();
  removeDirectory(dataDir);
};
closeAtSignal(close);
const table: Record<string, SetReport> = {};
try {
  const { id: ws } = await service.request<{ id: string }>('POST', '/workspaces', { name: 'eval' });
  const heads = ['set', 'model', 'search'].map((text) => text.padEnd(18));
  console.log([...heads, 'nDCG@10 [95 %] recall@100'].join(' '));
  for (const name of names) {
    const whole = readSet(path.join(values.data, name));
    const set = { ...whole, queries: sampled(whole.queries, Number(values.sample), Number(values.seed)) };
    for (const model of embedders) {
      console.error(`${name} ${model ?? ''}: ${set.documents.length} documents, ${set.queries.length} queries…`);
      const { col, cpuMsPerChunk } = await load(service, ws, `${name} ${model ?? ''}`, set, model);
      const scores = new Map<string, Score>();
      for (const way of ways) {
        const found = await score(service, `/w/${ws}/col/${col}/search`, set, way);
        if (found !== undefined) scores.set(way.name, found);
      }
      const start = model === undefined ? '' : `${model}: `;
      const figures = [...scores].map(([way, { ndcg10 }]) => [`${start}${way} nDCG@10`, round(ndcg10, 3)] as const);
      const all = { ...table[name]?.figures, ...Object.fromEntries(figures) };
      table[name] = { figures: all, rows: scores.get('hybrid')?.rows ?? scores.get('sparse')?.rows ?? [] };
      for (const line of lines(name, model, scores)) console.log(line);
      const url = `/w/${ws}/col/${col}/search`;
      const own = model === undefined ? undefined : await modelMsPerChunk(model, [...(chunks.get(url) ?? [])]);
      const share = own === undefined ? '' : `, of the model ${round(own)} (${round((100 * own) / cpuMsPerChunk)} %)`;
      console.log(`${name.padEnd(18)} ${(model ?? '').padEnd(18)} CPU ms per chunk ${round(cpuMsPerChunk)}${share}`);
    }
  }
} finally {
  await close();
}
const file = values.out ?? path.join(here, 'results', `eval-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`);
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`);
console.log(`\n${file}`);
