/** Evaluates retrieved chunks: selects quotes, judges whether they answer, and proposes a further search. */
import { analyse, detectLanguage } from './reading.ts';
import type { SearchHit } from '../../search/types.ts';
import { spelledOut } from './abbreviations.ts';
import { confidenceOf } from './answerability.ts';
import { mayAnswer } from './figures/quotable-figures.ts';
import type { Likenesses } from '../../search/likeness.ts';
import { withoutMisspellings } from './misspelling.ts';
import { plainPeriods, yearsIn } from './periods.ts';
import { isTableRow } from './quotables.ts';
import { formOf } from './question-form.ts';
import { readQuestion, type Question } from './question.ts';
import {
  quotedChunks,
  scoreSentences,
  selectQuotes,
  withContext,
  withRow,
  withRows,
  type Selection,
} from './select.ts';
import { byMeaning } from './sentence-likeness.ts';
import type { ChunkText, Quote } from './sentence-scores.ts';
import { signalsOf, type AnswerSignals } from './signals.ts';
import { tableAnswer, type TableAnswer } from './table-answers.ts';
import type { Computation } from './table-arithmetic.ts';
import { columnsOf, missingYears } from './table-cells.ts';
import { valuesOf } from './values.ts';
import { titlesOf } from './titles.ts';
import { withNames } from './true-case.ts';
import { formsIn } from './word-forms.ts';

export interface Evidence {
  question: Question;
  hits: readonly SearchHit[];
  selection: Selection;
  /** Language in which question and chunks were compared. */
  language: string | null;
  /** Null if nothing was found. */
  signals: AnswerSignals | null;
  /** Probability (0..1) that the quotes answer the question. */
  confidence: number;
  /** The computation over cells that the question names, or null. */
  computation: Computation<Quote> | null;
  /** Further searches, one for each name in the best chunk that the question lacks. */
  further: Further[];
}

interface Further {
  name: string;
  query: string;
}

/** Coverage (0..1) from which no further search is made. */
const COVERED = 0.8;
/** Confidence below which the next sentence, and those that answer nearly as well as the best one, are quoted too. */
const UNSURE = 0.6;
/** Confidence in cells of which the question names document, row and column. */
const NAMED_CELLS = 0.9;
/** Highest confidence in quotes with other years or figures than the question: below any threshold. */
const OTHER_YEARS = 0.1;
const MAX_NAMES = 4;
/** The vocabulary of its static model is a list of its words. */
const ENGLISH = 'en';
const WORDS = /[\p{L}\p{M}]+/gu;
/** Consecutive capitalised words, also joined by a particle: "East Lempster, New Hampshire" is two names. */
const NAME = /\p{Lu}[\p{L}\p{Nd}'’-]+(?:\s(?:of\s|the\s|de\s|van\s)?\p{Lu}[\p{L}\p{Nd}'’-]+)*/gu;
const GERMAN_ARTICLE = /^(?:Der|Die|Das|Dem|Den|Des|Eine?|Eine[mnr]) /u;

/** `last` is the last question of a query that begins with an earlier one. */
export async function weighEvidence(
  given: string,
  found: readonly SearchHit[],
  likenesses: Likenesses,
  signal: AbortSignal,
  last: string = given,
): Promise<Evidence> {
  // To be comparable, question and chunks are analysed in one language.
  const { language, hits } = await inOneLanguage(given, found);
  const bodies = formOf(last, language)?.kind === 'abbreviation' ? [] : hits.map(({ text }) => text);
  const chunks = hits.map(toChunkText);
  const texts = chunks.flatMap(({ titles, headings, text }) => [...titles, ...headings, text]);
  const likeness = likenesses.of(language);
  const words = language === ENGLISH ? await likeness?.wordsAmong(given.match(WORDS) ?? []) : undefined;
  const asWritten = (text: string): string =>
    withNames(withoutMisspellings(spelledOut(text, bodies), texts, language, words), texts, language);
  const [query, asked] = [asWritten(given), asWritten(last)];
  const question = withForms(readQuestion(query, language, asked), query, texts, language);
  const quoted = quotedChunks(chunks);
  // Sentences are compared with the last question; the words of an earlier one would favour its answer.
  const compared = question.context.size > 0 ? asked : query;
  const scored = scoreSentences(question, chunks, language);
  const sentences = { chunks, quoted, question: compared, language };
  const quotes = await byMeaning(scored.quotes, sentences, likenesses, signal);
  const sentence = selectQuotes(question, chunks, language, { ...scored, quotes });
  const table = tableAnswer(question, sentence.rows, hits, language);
  const selection = withTable(sentence, table);
  const { best } = selection;
  const hit = best === undefined ? undefined : hits[best.chunk];
  const chunk = best === undefined ? undefined : chunks[best.chunk];
  const read = { question, hits, selection, language, computation: table.computation };
  const nothing = { ...read, signals: null, confidence: table.computation === null ? 0 : NAMED_CELLS, further: [] };
  if (best === undefined || hit === undefined || chunk === undefined) return nothing;
  const signals = await signalsOf(
    { query: compared, readings: [...new Set([compared, query])], question, selection, best, chunk, language },
    likenesses,
    signal,
  );
  const confidenceInQuotes = (): number => {
    const confidence = confidenceOf(signals, language);
    const isOther =
      hasOtherYears(best, question, selection, hit, language) || !mayAnswer(best, question, hit, language);
    return isOther ? Math.min(confidence, OTHER_YEARS) : confidence;
  };
  const open = question.terms.filter((term) => !best.covers.includes(term));
  const isNamed = table.computation !== null || table.row !== null;
  const isComplete = isNamed || (selection.coverage >= COVERED && !signals.lacksKind);
  const further = isComplete ? [] : furtherQueries(query, `${best.text}\n${hit.text}`, open, language);
  const confidence = isNamed ? NAMED_CELLS : table.list.length > 0 ? UNSURE : confidenceInQuotes();
  const answer = confidence < UNSURE ? withContext(selection) : selection;
  return { ...read, selection: answer, signals, confidence, further };
}

/**
 * Returns whether the question has a year that neither the quotes nor the chunk around the best one has, although that
 * one has another year, in its text or above most columns of its table.
 */
function hasOtherYears(
  best: Quote,
  question: Question,
  { support }: Selection,
  hit: SearchHit,
  language: string | null,
): boolean {
  const columns = best.header === null ? [] : columnsOf(best.header).slice(1);
  const dated = columns.filter((name) => yearsIn(plainPeriods(name, language)).length > 0);
  const isDated = best.header === null ? yearsIn(best.text).length > 0 : dated.length > columns.length / 2;
  const around = [...columns, ...titlesOf(hit), ...hit.headings, ...support.map(({ text }) => text)];
  return isDated && missingYears(around, hit, question, language).length > 0;
}

/** Adds other forms of the question's words in the texts; names have none. */
function withForms(question: Question, query: string, texts: readonly string[], language: string | null): Question {
  const related = new Map(question.related);
  for (const [term, forms] of formsIn(query, texts, language)) {
    if (!question.names.includes(term)) related.set(term, [...(related.get(term) ?? []), ...forms]);
  }
  return { ...question, related };
}

/** Returns the selection with the rows of the table's answer as its only quotes, if there are any. */
function withTable(selection: Selection, { row, list }: TableAnswer): Selection {
  if (row !== null) return withRow(selection, row);
  return list.length > 0 ? withRows(selection, list) : selection;
}

/** Minimum length of a text of which the language is certain, in characters. */
const MIN_CERTAIN = 100;
/** Words of a question that are alike in all languages: names, behind the first word, and numbers. */
const ALIKE = /(?<=\s["'“„«(]?)[\p{Lu}\p{Nd}][\p{L}\p{Nd}'’-]*/gu;

/**
 * Returns the question's language if a chunk has it too, else the language of all chunks together: detection on a short
 * question is unreliable. Chunks in other languages than the question are left out unless they hold a name or a number
 * of it: other words are alike by chance ("Trainer", "train").
 */
async function inOneLanguage(
  query: string,
  hits: readonly SearchHit[],
): Promise<{ language: string | null; hits: readonly SearchHit[] }> {
  const detected = await detectLanguage(query);
  const spoken = await Promise.all(hits.map(({ text }) => detectLanguage(text)));
  if (detected === null || !spoken.includes(detected))
    return { language: await detectLanguage(hits.map(({ text }) => text).join('\n') || query), hits };
  const alike = query.match(ALIKE) ?? [];
  const isComparable = ({ text }: SearchHit, at: number): boolean =>
    spoken[at] === detected ||
    spoken[at] === null ||
    text.length < MIN_CERTAIN ||
    alike.some((word) => text.includes(word));
  return { language: detected, hits: hits.filter(isComparable) };
}

const toChunkText = (hit: SearchHit): ChunkText => ({
  text: hit.text,
  headings: hit.headings,
  titles: titlesOf(hit),
});

/** Returns the first names in the sentences that the question lacks, each with the open part of the question. */
function furtherQueries(query: string, text: string, open: readonly string[], language: string | null): Further[] {
  const asked = new Set(analyse(query, language));
  // A month or weekday is no name.
  const isOther = (name: string): boolean =>
    analyse(name, language).some((term) => !asked.has(term)) && valuesOf(name, 'date', language).length === 0;
  // Labels of rows are capitalised, and rarely names of other documents.
  const lines = text.split('\n').filter((line) => !isTableRow(line));
  const names = lines
    .flatMap((line) => line.match(NAME) ?? [])
    .flatMap((name) => (language === 'de' ? germanName(name) : [name]))
    .filter((name) => isOther(name));
  const part = openPart(query, open, language);
  return [...new Set(names)]
    .slice(0, MAX_NAMES)
    .map((name) => ({ name, query: part === '' ? name : `${name}: ${part}` }));
}

/** Returns the question from its first open word to its last one; empty if none is open. */
function openPart(query: string, open: readonly string[], language: string | null): string {
  const words = Array.from(query.matchAll(/[\p{L}\p{Nd}]+/gu)).filter(([word]) =>
    analyse(word, language).some((term) => open.includes(term)),
  );
  const [first, last] = [words[0], words.at(-1)];
  return first === undefined || last === undefined ? '' : query.slice(first.index, last.index + last[0].length);
}

/** German capitalises every noun: only several words, without an article before them, are a name. */
function germanName(words: string): string[] {
  const name = words.replace(GERMAN_ARTICLE, '');
  return name.includes(' ') ? [name] : [];
}
