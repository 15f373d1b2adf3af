/**
 * Makes question sets from `unseen.tsv`: `npm run bench:unseen -- FOLDER OUT`. The folder holds one folder for each
 * package and repository that `unseen.md` names. All sets share the documents, except `unseen-removed`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';
import { paragraphsOf } from './documents.ts';

interface Source {
  title: string;
  paragraphs: string[];
}

interface Drawn extends QaQuestion {
  language: string;
  places: { title: string; paragraph: number }[];
}

const rowsOf = (name: string): string[][] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((row) => row.split('\t'));

const holds = (paragraph: string, gold: string): boolean => paragraph.toLowerCase().includes(gold.toLowerCase());

function drawnFrom(sources: readonly Source[]): Drawn[] {
  return rowsOf('unseen.tsv').map(([language = '', title = '', question = '', gold = ''], index) => {
    const source = sources.find((each) => each.title === title);
    if (source === undefined) throw new Error(`There is no document “${title}”`);
    const id = `unseen-${index + 1}`;
    if (gold === '-') {
      const places = [{ title, paragraph: 0 }];
      return { id, language, question, answerable: false, answers: [], evidence: [], places };
    }
    const paragraph = source.paragraphs.findIndex((each) => holds(each, gold));
    const text = source.paragraphs[paragraph];
    if (text === undefined) throw new Error(`“${title}” does not hold “${gold}”`);
    const evidence = [{ doc: title, text }];
    return { id, language, question, answerable: true, answers: [gold], evidence, places: [{ title, paragraph }] };
  });
}

function write(folder: string, sources: readonly Source[], questions: readonly QaQuestion[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const documents = sources.map(({ title, paragraphs }): QaDocument => ({
    _id: title,
    title,
    text: paragraphs.join('\n\n'),
  }));
  writeFileSync(path.join(folder, 'docs.jsonl'), lines(documents));
  writeFileSync(path.join(folder, 'qa.jsonl'), lines(questions));
  console.log(`${folder}: ${documents.length} documents, ${questions.length} questions`);
}

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:unseen -- FOLDER OUT');
const sources = rowsOf('unseen-sources.tsv').map(([, title = '', file = '', start = '']) => ({
  title,
  paragraphs: paragraphsOf(path.join(folder, file), start),
}));
const drawn = drawnFrom(sources);
write(path.join(out, 'unseen'), sources, drawn);
for (const language of ['en', 'de', 'fr', 'es']) {
  write(
    path.join(out, `unseen-${language}`),
    sources,
    drawn.filter((each) => each.language === language),
  );
}
const answerable = drawn.filter((each) => each.answerable);
const without = sources.map(({ title, paragraphs }) => {
  const own = answerable.filter(({ places }) => places[0]?.title === title);
  const answers = (paragraph: string): boolean => own.some(({ answers: [gold = ''] }) => holds(paragraph, gold));
  return { title, paragraphs: paragraphs.filter((paragraph) => !answers(paragraph)) };
});
const open = answerable.map((each) => ({ ...each, answerable: false, answers: [], evidence: [] }));
write(path.join(out, 'unseen-removed'), without, open);
