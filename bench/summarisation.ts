/**
 * `npm run bench:summarisation`: ROUGE F1 (no stemming) of summaries without a language model against human ones, with
 * and without the local embedder. The baseline (`lead`) is the beginning of the text in the same number of words. Sets
 * are read from `--data DIR` (default `../shared/eval/data/summarisation`). `--only NAME,…` selects sets, `--sample N
 * --seed S` takes N texts of each, the same ones for the same seed, and `--out FILE` names the file with the ROUGE of
 * each text.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
import type { QuestionRow, SetReport } from './compare-report.ts';
import { bestRouge, type Rouge } from './rouge.ts';
import { sampled, selectedNames } from './samples.ts';
import { round } from './statistics.ts';
import { depsWith, textDocument } from './text-document.ts';

interface Item {
  text: string;
  references: string[];
}

const here = path.dirname(fileURLToPath(import.meta.url));
const fallback = path.join(here, '..', '..', 'shared', 'eval', 'data', 'summarisation');
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: fallback },
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
/** Number of characters of a text that the file with the results repeats. */
const SHOWN_CHARACTERS = 300;
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

interface Measured {
  /** Mean figures, with the number of words. */
  mean: Rouge & { words: number };
  rows: QuestionRow[];
}

async function measure(items: readonly Item[], summary: (text: string) => Promise<string>): Promise<Measured> {
  const scores: (Rouge & { words: number })[] = [];
  const rows: QuestionRow[] = [];
  for (const [at, { text, references }] of items.entries()) {
    const answer = await summary(text);
    const score = { ...bestRouge(references, answer), words: countWords(answer) };
    scores.push(score);
    const question = text.slice(0, SHOWN_CHARACTERS);
    rows.push({ id: String(at + 1), score: round(score.rl, 3), question, answer, gold: references });
  }
  const mean = (key: keyof Measured['mean']): number =>
    round(scores.reduce((sum, score) => sum + score[key], 0) / scores.length, 3);
  return { mean: { r1: mean('r1'), r2: mean('r2'), rl: mean('rl'), words: mean('words') }, rows };
}

const line = ({ r1, r2, rl, words }: Measured['mean']): string =>
  `R1 ${r1.toFixed(3)}  R2 ${r2.toFixed(3)}  RL ${rl.toFixed(3)}  ${round(words)} words`;

/** Returns the figures under names that begin with the length of the summary. */
const named = (length: string, { r1, r2, rl, words }: Measured['mean']): Record<string, number> => ({
  [`${length}: ROUGE-1`]: r1,
  [`${length}: ROUGE-2`]: r2,
  [`${length}: ROUGE-L`]: rl,
  [`${length}: words`]: round(words),
});

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
  const report: Record<string, SetReport> = {};
  for (const set of selectedNames(readdirSync(values.data), values.only)) {
    const items = sampled(readItems(path.join(values.data, set)), Number(values.sample), Number(values.seed));
    console.log(`${set} (${items.length})`);
    const found: Required<SetReport> = { figures: {}, baseline: {}, rows: [] };
    for (const length of LENGTHS) {
      const terms = await measure(items, own(length, null));
      const dense = await measure(items, own(length, embedder));
      const first = await measure(items, lead(length));
      console.log(`  ${length}, terms only:   ${line(terms.mean)}`);
      console.log(`  ${length}, ${modelId}: ${line(dense.mean)}`);
      console.log(`  ${length}, lead:         ${line(first.mean)}`);
      Object.assign(found.figures, named(length, dense.mean));
      Object.assign(found.baseline, named(length, first.mean));
      found.rows.push(...dense.rows.map((row) => ({ ...row, id: `${length} ${row.id}` })));
    }
    report[set] = found;
  }
  await local.close();
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
}
