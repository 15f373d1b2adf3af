/**
 * `npm run bench:summarisation`: ROUGE F1 (no stemming) of summaries without a language model against human ones, with
 * and without the local embedder. The baseline (`lead`) is the beginning of the text in the same number of words. Sets
 * are read from `--data DIR` (default `../shared/eval/data/summarisation`).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sentences } from '@quire/text/language/sentences';
import type { SummaryConfig } from '@quire/process/blocks';
import { countWords } from '@quire/process/sentences/document-sentences';
import { summarise } from '@quire/process/summarise/summarise';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import type { Embedder } from '@quire/models/embedder';
import { readJsonLines } from './json-lines.ts';
import { bestRouge, type Rouge } from './rouge.ts';
import { round } from './statistics.ts';
import { depsWith, textDocument } from './text-document.ts';

interface Item {
  text: string;
  references: string[];
}

const here = path.dirname(fileURLToPath(import.meta.url));
const fallback = path.join(here, '..', '..', 'shared', 'eval', 'data', 'summarisation');
const { values } = parseArgs({ options: { data: { type: 'string', default: fallback } } });
const LENGTHS: readonly SummaryConfig['length'][] = ['short', 'medium'];

function readItems(folder: string): Item[] {
  const list = path.join(folder, 'items.jsonl');
  if (existsSync(list)) return readJsonLines<Item>(list);
  return readJsonLines<{ file: string; summary: string }>(path.join(folder, 'manifest.jsonl')).map(
    ({ file, summary }) => ({
      text: readFileSync(path.join(folder, file), 'utf8'),
      references: [summary],
    }),
  );
}

async function measure(items: readonly Item[], summary: (text: string) => Promise<string>): Promise<string> {
  const scores: Rouge[] = [];
  let words = 0;
  for (const { text, references } of items) {
    const found = await summary(text);
    words += countWords(found);
    scores.push(bestRouge(references, found));
  }
  const mean = (key: keyof Rouge): string =>
    (scores.reduce((sum, score) => sum + score[key], 0) / scores.length).toFixed(3);
  return `R1 ${mean('r1')}  R2 ${mean('r2')}  RL ${mean('rl')}  ${round(words / scores.length)} words`;
}

const own = (length: SummaryConfig['length'], embedder: Embedder | null) => async (text: string) => {
  const document = await textDocument(text);
  return (await summarise(document, { length }, depsWith(embedder), new AbortController().signal)).result.text;
};

/** Returns the beginning of the text, with the number of words of the summary. */
const lead = (length: SummaryConfig['length']) => async (text: string) => {
  let left = countWords(await own(length, null)(text));
  return sentences(text)
    .filter((sentence) => (left -= countWords(sentence)) >= 0)
    .join(' ');
};

if (!existsSync(values.data)) {
  console.log(`There are no sets at ${values.data}: nothing to measure`);
} else {
  const local = new LocalEmbedders();
  const { modelId } = await local.describe('default');
  const embedder = await local.open(modelId);
  for (const set of readdirSync(values.data)) {
    const items = readItems(path.join(values.data, set));
    console.log(`${set} (${items.length})`);
    for (const length of LENGTHS) {
      console.log(`  ${length}, terms only:   ${await measure(items, own(length, null))}`);
      console.log(`  ${length}, ${modelId}: ${await measure(items, own(length, embedder))}`);
      console.log(`  ${length}, lead:         ${await measure(items, lead(length))}`);
    }
  }
  await local.close();
}
