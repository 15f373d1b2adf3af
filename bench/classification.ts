/**
 * `npm run bench:classification`: accuracy of the built-in classifier (no language model) with and without the local
 * embedder, and the mean score of its first label, on two sets of intents in `bench/intents` and on sets that are read
 * from `--data DIR` (default `../shared/eval/data/classification`). A taxonomy is a list of labels, described below or
 * used as they are, or of nodes with a description. `--only NAME,…` selects sets, `--sample N --seed S` takes N texts
 * of each, the same ones for the same seed, and `--out FILE` names the file with the label of each text. `--models
 * DIR`, a model cache such as `data/models`, measures the best model of the cache.
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
import { sampled, selectedNames } from './samples.ts';
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
    seed: { type: 'string', default: '1' },
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

/** Intents written for this measurement; `helpdesk` served to choose how labels are scored, `travel` to check it. */
const OWN_SETS: Readonly<Record<string, string>> = {
  helpdesk: path.join(here, 'intents', 'helpdesk.tsv'),
  travel: path.join(here, 'intents', 'travel.tsv'),
};

interface LabelledSet {
  name: string;
  items: Item[];
  taxonomy: TaxonomyNode[];
}

function ownSets(): LabelledSet[] {
  return Object.entries(OWN_SETS).map(([name, file]) => {
    const items = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([label = '', text = '']) => ({ label, text }));
    return { name, items, taxonomy: [...new Set(items.map(({ label }) => label))].map((id) => ({ id, label: id })) };
  });
}

function givenSets(): LabelledSet[] {
  if (!existsSync(values.data)) {
    console.log(`There are no sets at ${values.data}`);
    return [];
  }
  return readdirSync(values.data).map((name) => {
    const folder = path.join(values.data, name);
    const nodes = JSON.parse(readFileSync(path.join(folder, 'taxonomy.json'), 'utf8')) as (string | TaxonomyNode)[];
    const taxonomy = nodes.map((node) =>
      typeof node === 'string' ? { id: node, label: node, description: DESCRIPTIONS[node] } : node,
    );
    return { name, items: readJsonLines<Item>(path.join(folder, 'items.jsonl')), taxonomy };
  });
}

const local = new LocalEmbedders(values.models === undefined ? {} : { cacheDir: path.resolve(values.models) });
const { modelId } = await local.describe('default');
const embedder = await local.open(modelId);
const report: Record<string, SetReport> = {};
const sets = [...givenSets(), ...ownSets()];
const chosen = selectedNames(
  sets.map(({ name }) => name),
  values.only,
);
for (const set of sets.filter(({ name }) => chosen.includes(name))) {
  const { name, taxonomy } = set;
  const items = sampled(set.items, Number(values.sample), Number(values.seed));
  console.log(`${name} (${items.length} texts, ${taxonomy.length} labels)`);
  for (const [model, used] of [
    [modelId, embedder],
    ['words only', null],
  ] as const) {
    const { accuracy, meanScore, rows } = await measure(items, taxonomy, used);
    console.log(`  ${model}: accuracy ${accuracy.toFixed(3)}, mean score ${meanScore.toFixed(3)}`);
    if (used !== null) report[name] = { figures: { accuracy, 'mean score': meanScore }, rows };
  }
}
await local.close();
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
