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
import path from 'node:path';
import { holds, rowsOf, toDocument, writeHalves, writeSet, type Drawn, type Source } from './question-sets.ts';
import { readArticles } from './wiki-text.ts';

function readDrawn(articles: readonly Source[]): Drawn[] {
  return rowsOf('questions.tsv').map(([place = '', question = '', gold = ''], index) => {
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
    if (!'-~'.includes(gold) && !holds(first?.text ?? '', gold)) {
      throw new Error(`The paragraph of “${question}” does not hold “${gold}”`);
    }
    const answers = '-~'.includes(gold) ? [] : [gold];
    return { id: `drawn-${index + 1}`, question, answerable: gold !== '-', answers, evidence, places };
  });
}

const [file, folder] = process.argv.slice(2);
if (file === undefined || folder === undefined) throw new Error('Usage: npm run bench:draw -- EXPORT.xml FOLDER');
const articles = readArticles(file);
const drawn = readDrawn(articles);
const isSingle = ({ places }: Drawn): boolean => places.length === 1;
writeHalves(folder, '', articles, drawn.filter(isSingle));
const two = drawn.filter((each) => !isSingle(each));
writeSet(path.join(folder, 'two-documents'), articles.map(toDocument), two);
