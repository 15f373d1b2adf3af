/**
 * Makes question sets from drawn questions: `npm run bench:draw -- EXPORT.xml FOLDER`. The export is made of two files
 * in the test data of the Python package gensim 4.4.0, unpacked one after the other:
 * `enwiki-latest-pages-articles1…shortened.bz2` and `enwiki-table-markup.xml.bz2`.
 *
 * `questions.tsv` holds paragraph, question and answer. `-` marks a question that the paragraph leaves open, `~` one
 * that needs two documents. They were written from the paragraphs alone, before any answer to them was seen. The rows
 * from 329 on were added on 2026-11-23, before the code that recognises forms of questions.
 *
 * Articles are split into a half for tuning and a half for checking (`isTuning`). Each half makes three sets: its own
 * questions, the answerable ones without the paragraphs that answer them (`-removed`), and those of the other half
 * (`-foreign`); nothing in the last two can be answered.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';
import { isTuning } from './halves.ts';
import { readArticles, type Article } from './wiki-text.ts';

interface Drawn extends QaQuestion {
  places: { title: string; paragraph: number }[];
}

export function readDrawn(articles: readonly Article[]): Drawn[] {
  const rows = readFileSync(new URL('questions.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return rows.map((row, index) => {
    const [place = '', question = '', gold = ''] = row.split('\t');
    const places = place.split(/,(?=[A-Z])/).map((each) => {
      const [title = '', paragraph = ''] = each.split('#');
      return { title, paragraph: Number(paragraph) };
    });
    const evidence = places.map(({ title, paragraph }) => {
      const text = articles.find((article) => article.title === title)?.paragraphs[paragraph];
      if (text === undefined) throw new Error(`There is no paragraph ${title}#${paragraph}`);
      return { doc: title, text };
    });
    const [first] = evidence;
    if (!'-~'.includes(gold) && first?.text.toLowerCase().includes(gold.toLowerCase()) !== true) {
      throw new Error(`The paragraph of “${question}” does not hold “${gold}”`);
    }
    const answers = '-~'.includes(gold) ? [] : [gold];
    return { id: `drawn-${index + 1}`, question, answerable: gold !== '-', answers, evidence, places };
  });
}

const toDocument = ({ title, paragraphs }: Article): QaDocument => ({
  _id: title,
  title,
  text: paragraphs.join('\n\n'),
});

function write(folder: string, documents: readonly QaDocument[], questions: readonly QaQuestion[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(path.join(folder, 'docs.jsonl'), lines(documents));
  writeFileSync(path.join(folder, 'qa.jsonl'), lines(questions));
  console.log(`${folder}: ${documents.length} documents, ${questions.length} questions`);
}

function draw(file: string, folder: string): void {
  const articles = readArticles(file);
  const drawn = readDrawn(articles);
  const single = drawn.filter(({ places }) => places.length === 1);
  const answerable = single.filter(({ answers }) => answers.length > 0);
  const open = (questions: readonly Drawn[]): Drawn[] =>
    questions.map((each) => ({ ...each, answerable: false, answers: [], evidence: [] }));
  for (const half of ['tuning', 'checking']) {
    const isOwn = (title: string): boolean => isTuning(title) === (half === 'tuning');
    const own = articles.filter(({ title }) => isOwn(title));
    const ofOwn = (questions: readonly Drawn[]): Drawn[] =>
      questions.filter(({ places }) => isOwn(places[0]?.title ?? ''));
    const ofOther = answerable.filter(({ places }) => !isOwn(places[0]?.title ?? ''));
    const without = own.map(({ title, paragraphs }) => ({
      title,
      paragraphs: paragraphs.filter(
        (_, at) => !answerable.some(({ places }) => places[0]?.title === title && places[0].paragraph === at),
      ),
    }));
    write(path.join(folder, half), own.map(toDocument), ofOwn(single));
    write(path.join(folder, `${half}-removed`), without.map(toDocument), open(ofOwn(answerable)));
    write(path.join(folder, `${half}-foreign`), own.map(toDocument), open(ofOther));
  }
  const two = drawn.filter(({ places }) => places.length > 1);
  write(path.join(folder, 'two-documents'), articles.map(toDocument), two);
}

const [file, folder] = process.argv.slice(2);
if (file === undefined || folder === undefined) throw new Error('Usage: npm run bench:draw -- EXPORT.xml FOLDER');
draw(file, folder);
