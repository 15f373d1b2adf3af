/**
 * Fits and checks the relevance of hits: `npm run bench:relevance -- FOLDER [MODEL…]`, with the folder of downloaded
 * models in QUIRE_BENCH_MODELS. FOLDER has a folder of `.rst.txt`
 * or `.txt` files per package, such as the sources in the documentation packages of a distribution.
 *
 * A query is a section's title, or a sentence taken out of it; the section without both is its answer. Each query is
 * searched twice: among all packages, and among the packages other than its own, where no hit is an answer. Nonsense is
 * searched as well. Sections of half of the packages fit the coefficients; those of the other half check them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { BACKGROUND_TEXTS } from '@quire/models/background-texts';
import type { Embedder } from '@quire/models/embedder';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { backgroundOf, featuresOf, relevanceOf, type RelevanceSignals } from '@quire/search/relevance';
import { analyse } from '@quire/text/language/analyse';
import { sentences } from '@quire/text/language/sentences';
import { fitLogistic } from './logistic.ts';

const SECTIONS_PER_PACKAGE = 40;
const HITS = 5;
const { signal } = new AbortController();

interface Section {
  folder: string;
  title: string;
  /** Without the title and the sentence that is a query. */
  text: string;
  sentence: string;
  terms: Set<string>;
  vector: Float32Array;
}

interface Sample extends RelevanceSignals {
  isAnswer: boolean;
  isTest: boolean;
  kind: string;
}

const random = (() => {
  let state = 20261122;
  return (): number => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
})();

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name.endsWith('.txt')) yield path.join(entry.parentPath, entry.name);
  }
}

/** Returns the underlined headings of reStructuredText with the prose below each. */
function sectionsOf(source: string): { title: string; text: string }[] {
  return source.split(/\n(?=[^\n]{4,80}\n[=*\-~^"]{4,}\n)/).flatMap((part) => {
    const [title = '', underline = '', ...lines] = part.split('\n');
    if (!/^[=*\-~^"]{4,}$/.test(underline.trim())) return [];
    const prose = lines.filter((line) => /^[A-Za-z`*(]/.test(line) && !line.startsWith('..')).join(' ');
    const text = prose.replaceAll(/:\w+:|[`*]|~\.?/g, '').slice(0, 900);
    return text.length < 300 ? [] : [{ title: title.replaceAll(/[`*\d.]|:\w+:/g, '').trim(), text }];
  });
}

async function readSections(root: string, embedder: Embedder): Promise<Section[]> {
  const chosen = readdirSync(root).flatMap((folder) => {
    const all = [...filesBelow(path.join(root, folder))]
      .toSorted()
      .flatMap((file) => sectionsOf(readFileSync(file, 'utf8')));
    const step = Math.max(1, Math.floor(all.length / SECTIONS_PER_PACKAGE));
    const some = all.filter((_, index) => index % step === 0).slice(0, SECTIONS_PER_PACKAGE);
    return some.flatMap(({ title, text }) => {
      const parts = sentences(text).filter((sentence) => sentence.length > 50 && sentence.length < 220);
      const sentence = parts[Math.floor(parts.length / 2)];
      return sentence === undefined ? [] : [{ folder, title, text: text.replace(sentence, ''), sentence }];
    });
  });
  const vectors: Float32Array[] = [];
  for (let at = 0; at < chosen.length; at += 16) {
    vectors.push(
      ...(await embedder.embedDocuments(
        chosen.slice(at, at + 16).map(({ text }) => text),
        signal,
      )),
    );
  }
  return chosen.map((each, index) => ({
    ...each,
    terms: new Set(analyse(each.text, 'en')),
    vector: vectors[index] ?? new Float32Array(embedder.dimensions),
  }));
}

/** Returns the hits of a query: the best of both legs. */
async function hitsOf(query: string, among: readonly Section[], embedder: Embedder, background: Float32Array[]) {
  const vector = await embedder.embedQuery(query, signal);
  const { mean, deviation } = backgroundOf(vector, background);
  const terms = [...new Set(analyse(query, 'en'))];
  const scored = among.map((section) => {
    const cosine = section.vector.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0);
    const matchedCount = terms.filter((term) => section.terms.has(term)).length;
    return { section, deviation: (cosine - mean) / deviation, termCount: terms.length, matchedCount };
  });
  const dense = scored.toSorted((a, b) => b.deviation - a.deviation).slice(0, HITS);
  const sparse = scored.toSorted((a, b) => b.matchedCount - a.matchedCount).slice(0, HITS);
  return [...new Set([...dense, ...sparse])];
}

function nonsense(count: number, words: readonly string[]): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, (_, index) => {
    const length = 1 + Math.floor(random() * 5);
    if (index % 3 === 2) return Array.from({ length: length + 1 }, () => pick(words)).join(' ');
    return Array.from({ length }, () =>
      Array.from({ length: 4 + Math.floor(random() * 7) }, () => pick(letters)).join(''),
    ).join(' ');
  });
}

async function samplesOf(root: string, embedder: Embedder): Promise<Sample[]> {
  const sections = await readSections(root, embedder);
  const background = await embedder.embedDocuments(BACKGROUND_TEXTS, signal);
  const folders = [...new Set(sections.map(({ folder }) => folder))].toSorted();
  const samples: Sample[] = [];
  for (const section of sections) {
    const isTest = folders.indexOf(section.folder) % 2 === 1;
    const half = sections.filter(({ folder }) => (folders.indexOf(folder) % 2 === 1) === isTest);
    const words = section.sentence.split(/\s+/).filter((word) => word.length > 3);
    const queries = { title: section.title, sentence: section.sentence, keywords: words.slice(0, 5).join(' ') };
    for (const [kind, query] of Object.entries(queries)) {
      const found = await hitsOf(query, half, embedder, background);
      const own = found.find((hit) => hit.section === section);
      if (own !== undefined) samples.push({ ...own, isAnswer: true, isTest, kind });
      const others = half.filter(({ folder }) => folder !== section.folder);
      for (const hit of await hitsOf(query, others, embedder, background)) {
        samples.push({ ...hit, isAnswer: false, isTest, kind });
      }
    }
  }
  const words = sections.flatMap(({ text }) => text.split(/\s+/)).filter((word) => /^[a-z]{4,}$/.test(word));
  for (const [index, query] of nonsense(300, words).entries()) {
    const isTest = index % 2 === 1;
    const half = sections.filter(({ folder }) => (folders.indexOf(folder) % 2 === 1) === isTest);
    for (const hit of await hitsOf(query, half, embedder, background)) {
      samples.push({ ...hit, isAnswer: false, isTest, kind: index % 3 === 2 ? 'salad' : 'nonsense' });
    }
  }
  return samples;
}

const RIDGE = 0.01;

/** Returns intercept, deviation, coverage and matched terms. */
function fit(samples: readonly Sample[], hasDense: boolean): number[] {
  const rows = samples.map((sample) => {
    const [deviation, coverage, matched] = featuresOf(sample);
    return { x: hasDense ? [1, coverage, matched, deviation] : [1, coverage, matched], y: sample.isAnswer ? 1 : 0 };
  });
  const [intercept = 0, coverage = 0, matched = 0, deviation = 0] = fitLogistic(rows, RIDGE);
  return [intercept, deviation, coverage, matched];
}

const share = (list: readonly unknown[], of: readonly unknown[]): string =>
  of.length === 0 ? '-' : (list.length / of.length).toFixed(3);

function report(name: string, samples: readonly Sample[]): void {
  const tests = samples.filter(({ isTest }) => isTest);
  for (const hasDense of [true, false]) {
    const scored = tests.map((sample) => ({
      ...sample,
      relevance: relevanceOf(hasDense ? sample : { ...sample, deviation: null }),
    }));
    for (const gate of [0.2, 0.3, 0.5]) {
      const row = ['title', 'sentence', 'keywords'].map((kind) => {
        const of = scored.filter((each) => each.kind === kind);
        const [answers, others] = [of.filter(({ isAnswer }) => isAnswer), of.filter(({ isAnswer }) => !isAnswer)];
        const kept = (list: typeof of) => list.filter(({ relevance }) => relevance >= gate);
        return `${kind} ${share(kept(answers), answers)} / ${share(kept(others), others)}`;
      });
      const odd = ['nonsense', 'salad'].map((kind) => {
        const of = scored.filter((each) => each.kind === kind);
        return `${kind} ${share(
          of.filter(({ relevance }) => relevance >= gate),
          of,
        )}`;
      });
      console.log(name, hasDense ? 'dense' : 'terms', `gate ${gate}:`, [...row, ...odd].join('; '));
    }
    for (let low = 0; low < 1; low += 0.2) {
      const bin = scored.filter(({ relevance }) => relevance >= low && relevance < low + 0.2);
      console.log(
        `  ${low.toFixed(1)}: ${share(
          bin.filter(({ isAnswer }) => isAnswer),
          bin,
        )} of ${bin.length}`,
      );
    }
  }
}

const [root, ...names] = process.argv.slice(2);
if (root === undefined) throw new Error('Usage: npm run bench:relevance -- FOLDER [MODEL…]');
const cacheDir = process.env['QUIRE_BENCH_MODELS'];
const local = new LocalEmbedders(cacheDir === undefined ? {} : { cacheDir });
const perModel = new Map<string, Sample[]>();
for (const name of names.length > 0 ? names : ['quire-static']) {
  const { modelId } = await local.describe(name);
  perModel.set(modelId, await samplesOf(root, await local.open(modelId)));
}
const training = [...perModel.values()].flat().filter(({ isTest }) => !isTest);
for (const hasDense of [true, false]) {
  const [intercept, deviation, coverage, matched] = fit(training, hasDense).map((value) => value.toFixed(2));
  console.log(hasDense ? 'with dense' : 'terms only', { intercept, deviation, coverage, matched });
}
for (const [name, samples] of perModel) {
  console.log(
    `${name}: ${samples.length} samples, own fit`,
    fit(
      samples.filter(({ isTest }) => !isTest),
      true,
    ).map((value) => value.toFixed(2)),
  );
  report(name, samples);
}
await local.close();
