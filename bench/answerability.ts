/**
 * Fits and checks the decision of the extractive engine: `npm run bench:answerability -- FOLDER [SET …]`, with the sets
 * that `npm run bench:draw` wrote. The tuning sets fit the weights, and their cross-validated predictions the
 * calibration; the checking sets are only measured. If further sets are named, both halves fit, and those sets are
 * measured. `--out FILE` writes the signals of each question. An answer is right if a quote holds the gold answer. With
 * `--languages de,fr,es`, the folder has a folder of sets for each language, and the weights of these are fitted.
 * `--fit SET,SET` adds sets to those that weights and calibration are fitted on, `--calibrate SET,SET` to those of the
 * calibration only.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import {
  IN_ENGLISH,
  IN_OTHERS,
  THRESHOLD,
  featuresOf,
} from '../packages/server/src/domain/chats/extractive/answerability.ts';
import { weighEvidence } from '../packages/server/src/domain/chats/extractive/evidence.ts';
import { Likenesses } from '../packages/server/src/domain/search/likeness.ts';
import type { AnswerSignals } from '../packages/server/src/domain/chats/extractive/signals.ts';
import type { SearchHit } from '../packages/server/src/domain/search/types.ts';
import { calibrationError, chanceError, dot, fitLogistic, isotonic, type Row, type Scored } from './logistic.ts';
import { holdsGold } from './qa-score.ts';
import { readQaSet, type QaQuestion } from './qa-sets.ts';
import { loadSet, openTarget, type Target } from './qa-target.ts';

/** One question with what was retrieved for it. */
interface Sample {
  set: string;
  id: string;
  language: string | null;
  /** The document that the question was drawn from; folds are made of whole documents. */
  document: string;
  answerable: boolean;
  right: boolean;
  signals: AnswerSignals | null;
  confidence: number;
}

const HITS = 10;
const FOLDS = 8;
const RIDGE = 0.6;
/** Share of the answerable questions of the tuning sets that may be refused. */
const FALSE_REFUSALS = 0.08;
/** Further thresholds that the check shows, beside the one in the code. */
const THRESHOLDS = [0.15, 0.2, 0.22, 0.26, 0.3, 0.4];
const KINDS = ['', '-removed', '-foreign'];
const { signal } = new AbortController();

async function samplesOf(target: Target, ws: string, folder: string, likenesses: Likenesses): Promise<Sample[]> {
  const set = readQaSet(folder, 1_000_000, 1);
  if (set === undefined) throw new Error(`There is no set at ${folder}`);
  const { col } = await loadSet(target, ws, set);
  const samples: Sample[] = [];
  for (const question of set.questions) {
    const body = { query: question.question, limit: HITS, explain: true };
    const found = await target.request<{ hits: SearchHit[] }>('POST', `/w/${ws}/col/${col}/search`, body);
    // The API does not return the title; that of these documents is their first heading.
    const hits = found.hits.map((hit) => ({ ...hit, documentTitle: hit.headings[0] ?? null }));
    const { selection, signals, confidence, language } = await weighEvidence(
      question.question,
      hits,
      likenesses,
      signal,
    );
    const { answerable, evidence, places = [] } = question as typeof question & { places?: { title: string }[] };
    samples.push({
      set: set.name,
      id: question.id,
      language,
      document: places[0]?.title ?? evidence[0]?.doc ?? question.id,
      answerable,
      right: answerable && selection.quotes.some(({ text }) => answers(question, text)),
      signals,
      confidence,
    });
  }
  return samples;
}

/** Returns whether a quote holds the gold answer; of questions without one, whether it is part of their paragraph. */
const answers = (question: QaQuestion, quote: string): boolean =>
  question.answers.length > 0 ? holdsGold(question, quote) : question.evidence.some(({ text }) => text.includes(quote));

type Fitted = Sample & { signals: AnswerSignals };

/** Returns the samples whose question was compared by meaning. */
const fittedOf = (samples: readonly Sample[]): Fitted[] =>
  samples.filter((sample): sample is Fitted => typeof sample.signals?.likeness === 'number');

/**
 * Gives right answers half of the weight. Each kind of question without an answer has an equal share of the rest, or
 * near misses and wrong answers have `nearMisses` (0..1) of it.
 */
function weightsOf(samples: readonly Sample[], nearMisses?: number): number[] {
  const groupOf = ({ right, set }: Sample): string =>
    right ? 'right' : (/-removed|-foreign|-without/.exec(set)?.[0] ?? '').replace('without', 'removed');
  const groups = new Map<string, number>();
  for (const sample of samples) groups.set(groupOf(sample), (groups.get(groupOf(sample)) ?? 0) + 1);
  const rest = groups.size - 1;
  const shareOf = (group: string): number => {
    if (group === 'right') return 0.5;
    if (nearMisses === undefined || rest === 1) return 0.5 / rest;
    return 0.5 * (group === '' ? nearMisses : (1 - nearMisses) / (rest - 1));
  };
  return samples.map((sample) => {
    const group = groupOf(sample);
    return (samples.length / (groups.get(group) ?? 1)) * shareOf(group);
  });
}

const rowsOf = (samples: readonly Fitted[]): Row[] => {
  const weights = weightsOf(samples, nearMisses);
  return samples.map(({ signals, right }, index) => ({
    x: [1, ...featuresOf(signals)],
    y: right ? 1 : 0,
    weight: weights[index] ?? 1,
  }));
};

/** Returns a logit for each sample, predicted by weights that were fitted without its document. */
function crossValidated(samples: readonly Fitted[]): number[] {
  const rows = rowsOf(samples);
  const documents = [...new Set(samples.map(({ document }) => document))].toSorted();
  const foldOf = (sample: Sample): number => documents.indexOf(sample.document) % FOLDS;
  const fits = Array.from({ length: FOLDS }, (_, fold) =>
    fitLogistic(
      rows.filter((__, index) => foldOf(samples[index] as Sample) !== fold),
      RIDGE,
    ),
  );
  return samples.map((sample, index) => dot(rows[index]?.x ?? [], fits[foldOf(sample)] ?? []));
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** `further` takes part in the calibration only, with the weights of the code. */
function fit(tuning: readonly Sample[], further: readonly Sample[]): void {
  const samples = fittedOf(tuning);
  const [intercept = 0, ...weights] = fitLogistic(rowsOf(samples), RIDGE);
  console.log('weights', [intercept, ...weights].map(rounded).join(', '));
  const logits = crossValidated(samples);
  const others = fittedOf(further);
  printCalibration([...samples, ...others], [...logits, ...others.map(byCode)]);
  const threshold = quantile(
    logits.filter((_, index) => samples[index]?.answerable === true),
    FALSE_REFUSALS,
  );
  console.log('threshold', rounded(threshold));
  for (const kind of KINDS) {
    const isOf = ({ set, answerable }: Sample): boolean =>
      !answerable && [`tuning${kind}`, `checking${kind}`].includes(set);
    const open = logits.filter((_, index) => isOf(samples[index] as Fitted));
    console.log(`fitted${kind}: recognised`, rounded(open.filter((logit) => logit < threshold).length / open.length));
  }
}

function printCalibration(samples: readonly Fitted[], logits: readonly number[]): void {
  const shares = weightsOf(samples);
  const scored = samples.map(({ right }, index): Scored => ({
    score: logits[index] ?? 0,
    y: right ? 1 : 0,
    weight: shares[index] ?? 1,
  }));
  console.log('calibration', JSON.stringify(isotonic(scored).map((step) => step.map(rounded))));
}

const byCode = ({ signals }: Fitted): number =>
  inCode.intercept + dot(featuresOf(signals), Object.values(inCode).slice(1));

function check(checking: readonly Sample[]): void {
  const shares = weightsOf(checking);
  const scored = checking.map(({ confidence, right }, index): Scored => ({
    score: confidence,
    y: right ? 1 : 0,
    weight: shares[index] ?? 1,
  }));
  const share = (of: readonly Sample[], is: (sample: Sample) => boolean): number =>
    rounded(of.filter(is).length / Math.max(1, of.length));
  for (const set of new Set(checking.map((sample) => sample.set))) {
    const own = checking.filter((sample) => sample.set === set);
    const answerable = own.filter((sample) => sample.answerable);
    const open = own.filter((sample) => !sample.answerable);
    const row = [THRESHOLD, ...THRESHOLDS].map((threshold) => {
      const refused = ({ confidence }: Sample): boolean => confidence < threshold;
      return `${threshold}: ${share(answerable, refused)} / ${share(open, refused)}`;
    });
    console.log(`${set}: falsely refused / recognised at`, row.join('; '));
  }
  const byChance = chanceError(scored).toFixed(3);
  console.log('expected calibration error', calibrationError(scored).toFixed(3), 'by chance alone', byChance);
  const total = scored.reduce((sum, { weight }) => sum + weight, 0);
  const best = scored.toSorted((a, b) => b.score - a.score);
  for (const part of [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1]) {
    let weight = 0;
    const taken = best.filter((each) => (weight += each.weight) <= part * total + 1e-9);
    const wrong = taken.reduce((sum, each) => sum + each.weight * (1 - each.y), 0);
    const sum = taken.reduce((all, each) => all + each.weight, 0);
    console.log(`coverage ${part}: risk ${(wrong / Math.max(sum, 1e-9)).toFixed(3)}`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    key: { type: 'string' },
    out: { type: 'string' },
    languages: { type: 'string' },
    fit: { type: 'string', default: '' },
    calibrate: { type: 'string', default: '' },
  },
});
const [folder, ...further] = positionals;
if (folder === undefined) throw new Error('Usage: npm run bench:answerability -- FOLDER [SET …]');
const isEnglish = values.languages === undefined;
const inCode = isEnglish ? IN_ENGLISH : IN_OTHERS;
/** Share of near misses and wrong answers among those without an answer, as for the weights in the code. */
const nearMisses = isEnglish ? undefined : 0.5;
const embedders = new LocalEmbedders();
const likenesses = new Likenesses(embedders);
const target = await openTarget(values.url, values.key);
try {
  const read = async (folders: readonly string[]): Promise<Sample[]> => {
    const samples: Sample[] = [];
    for (const each of folders) {
      const name = `answerability ${each.split(path.sep).slice(-2).join(' ')}`;
      const { id: ws } = await target.request<{ id: string }>('POST', '/workspaces', { name });
      samples.push(...(await samplesOf(target, ws, each, likenesses)));
    }
    return samples;
  };
  const languages = values.languages?.split(',') ?? [''];
  const half = (name: string): string[] =>
    languages.flatMap((language) => KINDS.map((kind) => path.join(folder, language, name + kind)));
  const isApart = further.length > 0;
  const listed = (sets: string): string[] => sets.split(',').filter((each) => each !== '');
  const halves = isApart ? [...half('tuning'), ...half('checking')] : half('tuning');
  const fitted = await read([...halves, ...listed(values.fit)]);
  const calibrated = await read(listed(values.calibrate));
  console.log('weights in the code', Object.values(inCode).join(', '));
  fit(fitted, calibrated);
  const checked = await read(isApart ? further : half('checking'));
  check(checked);
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify({ fitted, checked })}\n`);
} finally {
  await target.close();
}
