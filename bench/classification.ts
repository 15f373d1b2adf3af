/**
 * `npm run bench:classification`: accuracy of the built-in classifier (no language model) with and without the local
 * embedder, and the mean score of its first label. Sets are read from `--data DIR` (default
 * `../shared/eval/data/classification`); labels without a description below are used as they are. `--only NAME` selects
 * a set, `--sample N` its first N texts, and `--out FILE` names the file with the label of each text. `--models DIR`, a
 * model cache such as `data/models`, measures the best model of the cache.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { TaxonomyNode } from '@quire/process/blocks';
import { classify } from '@quire/process/classify/classify';
import type { Embedder } from '@quire/models/embedder';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import type { QuestionRow, SetReport } from './compare-report.ts';
import { readJsonLines } from './json-lines.ts';
import { round } from './statistics.ts';
import { depsWith, textDocument } from './text-document.ts';

interface Item {
  text: string;
  label: string;
}

/** Descriptions of newspaper sections as a user would write them; written before any result was known. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  World: 'International news: politics, governments, elections, wars, diplomacy and disasters around the world',
  Sports: 'Sports: games, matches, teams, players, coaches, championships and the Olympics',
  Business: 'Business and economy: companies, markets, stocks, earnings, prices, jobs and trade',
  'Sci/Tech': 'Science and technology: computers, software, the internet, gadgets, space and research',
};

const here = path.dirname(fileURLToPath(import.meta.url));
const fallback = path.join(here, '..', '..', 'shared', 'eval', 'data', 'classification');
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: fallback },
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '1000000' },
    out: { type: 'string' },
    models: { type: 'string' },
  },
});

async function measure(
  items: readonly Item[],
  taxonomy: TaxonomyNode[],
  embedder: Embedder | null,
): Promise<{ accuracy: number; meanScore: number; rows: QuestionRow[] }> {
  const rows: QuestionRow[] = [];
  let sure = 0;
  for (const [at, { text, label }] of items.entries()) {
    const document = await textDocument(text);
    const { result } = await classify(document, { taxonomy }, depsWith(embedder), new AbortController().signal);
    const [best] = result.labels;
    const answer = best?.path[0];
    rows.push({ id: String(at + 1), score: answer === label ? 1 : 0, question: text, answer, gold: label });
    sure += best?.score ?? 0;
  }
  const right = rows.reduce((sum, { score }) => sum + score, 0);
  return { accuracy: round(right / items.length, 3), meanScore: round(sure / items.length, 3), rows };
}

if (!existsSync(values.data)) {
  console.log(`There are no sets at ${values.data}: nothing to measure`);
} else {
  const local = new LocalEmbedders(values.models === undefined ? {} : { cacheDir: path.resolve(values.models) });
  const { modelId } = await local.describe('default');
  const embedder = await local.open(modelId);
  const report: Record<string, SetReport> = {};
  for (const set of readdirSync(values.data).filter((name) => name.includes(values.only))) {
    const folder = path.join(values.data, set);
    const items = readJsonLines<Item>(path.join(folder, 'items.jsonl')).slice(0, Number(values.sample));
    const names = JSON.parse(readFileSync(path.join(folder, 'taxonomy.json'), 'utf8')) as string[];
    const taxonomy = names.map((id) => ({ id, label: id, description: DESCRIPTIONS[id] }));
    console.log(`${set} (${items.length} texts, ${names.length} labels)`);
    for (const [name, model] of [
      [modelId, embedder],
      ['words only', null],
    ] as const) {
      const { accuracy, meanScore, rows } = await measure(items, taxonomy, model);
      console.log(`  ${name}: accuracy ${accuracy.toFixed(3)}, mean score ${meanScore.toFixed(3)}`);
      if (model !== null) report[set] = { figures: { accuracy, 'mean score': meanScore }, rows };
    }
  }
  await local.close();
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
}
