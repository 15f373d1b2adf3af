/** Reads tables of drawn questions, finds the paragraphs that answer them, and writes question sets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';
import { isTuning } from './halves.ts';

/** A document by paragraph. */
export interface Source {
  title: string;
  paragraphs: string[];
}

export interface Drawn extends QaQuestion {
  /** The paragraphs that the question was drawn from; the first is that of the answer. */
  places: { title: string; paragraph: number }[];
}

/** Returns whether a paragraph of a document answers a question. */
type Answers = (question: Drawn, title: string, paragraph: string, at: number) => boolean;

const readHere = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Returns the rows of a table beside this file, by column. */
export const rowsOf = (name: string): string[][] =>
  readHere(name)
    .trim()
    .split('\n')
    .map((row) => row.split('\t'));

/** Returns the parts of a file beside this file; each begins with a line `# …`. */
export const partsOf = (name: string): string[] => readHere(name).split(/^# /mu).slice(1);

export const holds = (text: string, gold: string): boolean => text.toLowerCase().includes(gold.toLowerCase());

/** Finds the first paragraph of a document that contains the answer; `-` marks a question that it leaves open. */
export function drawnFrom(
  sources: readonly Source[],
  id: string,
  [title = '', question = '', gold = '']: string[],
): Drawn {
  const source = sources.find((each) => each.title === title);
  if (source === undefined) throw new Error(`There is no document “${title}”`);
  if (gold === '-') {
    return { id, question, answerable: false, answers: [], evidence: [], places: [{ title, paragraph: 0 }] };
  }
  const paragraph = source.paragraphs.findIndex((each) => holds(each, gold));
  const text = source.paragraphs[paragraph];
  if (text === undefined) throw new Error(`“${title}” does not hold “${gold}”`);
  const evidence = [{ doc: title, text }];
  return { id, question, answerable: true, answers: [gold], evidence, places: [{ title, paragraph }] };
}

/** A paragraph answers if the question was drawn from it. */
export const isPlace: Answers = ({ places: [place] }, title, _, at) => place?.title === title && place.paragraph === at;

/** Every paragraph of the document that contains the answer answers. */
export const holdsAnswer: Answers = ({ places: [place], answers: [gold = ''] }, title, paragraph) =>
  place?.title === title && holds(paragraph, gold);

/** Returns the documents without the paragraphs that answer one of the questions; those that keep none are left out. */
export const withoutAnswers = (sources: readonly Source[], questions: readonly Drawn[], answers: Answers): Source[] =>
  sources
    .map(({ title, paragraphs }) => ({
      title,
      paragraphs: paragraphs.filter((text, at) => !questions.some((question) => answers(question, title, text, at))),
    }))
    .filter(({ paragraphs }) => paragraphs.length > 0);

/** Returns the questions as ones that nothing answers. */
export const unanswerable = (questions: readonly Drawn[]): Drawn[] =>
  questions.map((each) => ({ ...each, answerable: false, answers: [], evidence: [] }));

export const toDocument = ({ title, paragraphs }: Source): QaDocument => ({
  _id: title,
  title,
  text: paragraphs.join('\n\n'),
});

/** Writes a set as `docs.jsonl` and `qa.jsonl` of a folder. */
export function writeSet(folder: string, documents: readonly QaDocument[], questions: readonly QaQuestion[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(path.join(folder, 'docs.jsonl'), lines(documents));
  writeFileSync(path.join(folder, 'qa.jsonl'), lines(questions));
  console.log(`${folder}: ${documents.length} documents, ${questions.length} questions`);
}

/**
 * Splits documents by title into a half for tuning and one for checking, and writes three sets of each: its own
 * questions, the answerable ones without the paragraphs that answer them (`-removed`), and those of the other half
 * (`-foreign`). `prefix` begins the names of the sets.
 */
export function writeHalves(folder: string, prefix: string, sources: readonly Source[], drawn: readonly Drawn[]): void {
  const answerable = drawn.filter(({ answers }) => answers.length > 0);
  for (const half of ['tuning', 'checking']) {
    const isOwn = (title: string): boolean => isTuning(title) === (half === 'tuning');
    const isOfOwn = ({ places: [place] }: Drawn): boolean => isOwn(place?.title ?? '');
    const own = sources.filter(({ title }) => isOwn(title));
    const ofOther = answerable.filter((each) => !isOfOwn(each));
    const without = withoutAnswers(own, answerable, isPlace);
    const name = path.join(folder, `${prefix}${half}`);
    writeSet(name, own.map(toDocument), drawn.filter(isOfOwn));
    writeSet(`${name}-removed`, without.map(toDocument), unanswerable(answerable.filter(isOfOwn)));
    writeSet(`${name}-foreign`, own.map(toDocument), unanswerable(ofOther));
  }
}
