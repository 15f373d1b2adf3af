/**
 * `npm run bench:classification`: accuracy of the built-in classifier (no language model) with and without the local
 * embedder, and the mean score of its first label. Sets are read from `--data DIR` (default
 * `../shared/eval/data/classification`); labels without a description below are used as they are.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { TaxonomyNode } from '@quire/process/blocks';
import { classify } from '@quire/process/classify/classify';
import type { Embedder } from '@quire/models/embedder';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
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
const { values } = parseArgs({ options: { data: { type: 'string', default: fallback } } });

async function measure(items: readonly Item[], taxonomy: TaxonomyNode[], embedder: Embedder | null): Promise<string> {
  let right = 0;
  let sure = 0;
  for (const { text, label } of items) {
    const document = await textDocument(text);
    const { result } = await classify(document, { taxonomy }, depsWith(embedder), new AbortController().signal);
    const [best] = result.labels;
    if (best?.path[0] === label) right += 1;
    sure += best?.score ?? 0;
  }
  return `accuracy ${(right / items.length).toFixed(3)}, mean score ${(sure / items.length).toFixed(3)}`;
}

if (!existsSync(values.data)) {
  console.log(`There are no sets at ${values.data}: nothing to measure`);
} else {
  const local = new LocalEmbedders();
  const { modelId } = await local.describe('default');
  const embedder = await local.open(modelId);
  for (const set of readdirSync(values.data)) {
    const read = (name: string): string => readFileSync(path.join(values.data, set, name), 'utf8');
    const items = read('items.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Item);
    const names = JSON.parse(read('taxonomy.json')) as string[];
    const taxonomy = names.map((id) => ({ id, label: id, description: DESCRIPTIONS[id] }));
    console.log(`${set} (${items.length} texts, ${names.length} labels)`);
    console.log(`  ${modelId}: ${await measure(items, taxonomy, embedder)}`);
    console.log(`  words only: ${await measure(items, taxonomy, null)}`);
  }
  await local.close();
}
