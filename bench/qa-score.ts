/** Scores of an answer, and their summary over a set. */
import type { QaQuestion } from './qa-sets.ts';

export interface CitedAnswer {
  text: string;
  status: string;
  citations: { evalId: string; snippet: string }[];
  /** Number of the answer's sentences, and of those that rest on a citation. */
  sentences?: number;
  supported?: number;
  /** Null if the answer has no text. */
  firstTextMs?: number | null;
  totalMs: number;
  inputTokens: number;
  outputTokens: number;
}

export interface QuestionScore {
  id: string;
  answerable: boolean;
  failed: boolean;
  /** The answer states that there is no answer, and has no citation. */
  refused: boolean;
  /** A cited snippet contains a gold answer or a sentence of the evidence. */
  inSnippet: boolean;
  /** The first cited snippet contains a gold answer or a sentence of the evidence. */
  inFirst: boolean;
  /** A document that is not part of the evidence is cited. */
  citesOther: boolean;
  /** Share of the evidence's documents that are cited. */
  cited: number;
  /** The answer's text contains a gold answer. */
  inText: boolean;
  words: number;
  sentences: number;
  supported: number;
  firstTextMs: number | null;
  totalMs: number;
}

/** Keeps letters and digits only, so that tokenised and plain text of the same words are equal. */
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Returns whether the text contains a gold answer or a sentence of the evidence. */
export function holdsGold({ answers, evidence }: QaQuestion, text: string): boolean {
  const held = plain(text);
  return [...answers, ...evidence.map((each) => each.text)]
    .map(plain)
    .some((gold) => gold !== '' && held.includes(gold));
}

export function scoreAnswer(question: QaQuestion, answer: CitedAnswer): QuestionScore {
  const documents = [...new Set(question.evidence.map(({ doc }) => doc))];
  const cited = documents.filter((doc) => answer.citations.some(({ evalId }) => evalId === doc));
  return {
    id: question.id,
    answerable: question.answerable,
    failed: answer.status !== 'done',
    refused: answer.citations.length === 0,
    inSnippet: answer.citations.some(({ snippet }) => holdsGold(question, snippet)),
    inFirst: holdsGold(question, answer.citations[0]?.snippet ?? ''),
    citesOther: answer.citations.some(({ evalId }) => !documents.includes(evalId)),
    cited: documents.length === 0 ? 0 : cited.length / documents.length,
    inText: question.answers.some((gold) => plain(gold) !== '' && plain(answer.text).includes(plain(gold))),
    words: answer.text.split(/\s+/u).length,
    sentences: answer.sentences ?? 0,
    supported: answer.supported ?? 0,
    firstTextMs: answer.firstTextMs ?? null,
    totalMs: answer.totalMs,
  };
}

/**
 * Returns one figure (0..1) for the outcome of a question: 1 for a recognised question without an answer, and for gold
 * in the first quote with no other document cited; less for gold in a later quote, and for other documents beside it.
 */
export function overallScore({ answerable, refused, inFirst, inSnippet, citesOther }: QuestionScore): number {
  if (!answerable) return refused ? 1 : 0;
  if (!inSnippet) return 0;
  return (inFirst ? 1 : 0.75) - (citesOther ? 0.25 : 0);
}

type SetFigures = Record<string, number>;

const share = (scores: readonly QuestionScore[], is: (score: QuestionScore) => boolean): number =>
  scores.length === 0 ? NaN : Math.round((1000 * scores.filter(is).length) / scores.length) / 10;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export function figuresOf(scores: readonly QuestionScore[]): SetFigures {
  const answerable = scores.filter((score) => score.answerable);
  const answered = answerable.filter((score) => !score.refused);
  const unanswerable = scores.filter((score) => !score.answerable);
  const firstTexts = scores.flatMap(({ firstTextMs }) => (firstTextMs === null ? [] : [firstTextMs]));
  const sumOf = (pick: (score: QuestionScore) => number): number => answered.reduce((sum, each) => sum + pick(each), 0);
  const times = scores.map((score) => score.totalMs).toSorted((a, b) => a - b);
  return {
    answerable: answerable.length,
    'gold in a cited snippet %': share(answerable, (score) => score.inSnippet),
    'gold in the first quote %': share(answered, (score) => score.inFirst),
    'gold in the text %': share(answerable, (score) => score.inText),
    'sentences with a citation %':
      Math.round((1000 * sumOf((each) => each.supported)) / sumOf((each) => each.sentences)) / 10,
    'other document cited %': share(answered, (score) => score.citesOther),
    'all documents cited %': share(answerable, (score) => score.cited === 1),
    'some document cited %': share(answerable, (score) => score.cited > 0),
    'falsely refused %': share(answerable, (score) => score.refused),
    unanswerable: unanswerable.length,
    'recognised %': share(unanswerable, (score) => score.refused),
    failed: scores.filter((score) => score.failed).length,
    'median words of an answer': median(answered.map((score) => score.words)),
    'median ms to the first text': median(firstTexts),
    'median ms': median(times),
    'p95 ms': times[Math.floor(times.length * 0.95)] ?? 0,
  };
}
