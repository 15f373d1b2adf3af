/**
 * Makes question sets from `bridges.tsv`: `npm run bench:bridges -- FOLDER OUT`. The folder holds `selqa-ass-dev.json`
 * and `selqa-ass-test.json` of the repository emorynlp/selqa; `bridges.md` says how the questions were drawn.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';
import { isTuning } from './halves.ts';
import { rowsOf, writeSet } from './question-sets.ts';

interface Section {
  article: string;
  section: string;
  candidates: string[];
}

/** Returns one document for each article, with the sections that the files hold. */
function documentsOf(folder: string): QaDocument[] {
  const articles = new Map<string, Map<string, string>>();
  for (const file of ['selqa-ass-dev.json', 'selqa-ass-test.json']) {
    const rows = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Section[];
    for (const { article, section, candidates } of rows) {
      const sections = articles.get(article) ?? new Map<string, string>();
      articles.set(article, sections);
      if (!sections.has(section)) sections.set(section, candidates.join(' '));
    }
  }
  return Array.from(articles, ([title, sections]) => {
    const parts = Array.from(sections, ([name, text]) => (name === 'Abstract' ? text : `## ${name}\n\n${text}`));
    return { _id: title, title, text: parts.join('\n\n') };
  });
}

/** Returns the questions; each needs the document that describes a thing, and the one about that thing. */
function questionsOf(documents: readonly QaDocument[]): (QaQuestion & { half: string })[] {
  return rowsOf('bridges.tsv').map(([first = '', second = '', question = '', gold = ''], index) => {
    const answering = documents.find(({ title }) => title === second);
    if (answering?.text.includes(gold) !== true) throw new Error(`“${second}” does not hold “${gold}”`);
    const evidence = [first, second].map((doc) => ({ doc, text: '' }));
    const half = isTuning(second) ? 'tuning' : 'checking';
    return { id: `bridge-${index + 1}`, question, answerable: true, answers: [gold], evidence, half };
  });
}

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:bridges -- FOLDER OUT');
const documents = documentsOf(folder);
const questions = questionsOf(documents);
for (const half of ['tuning', 'checking']) {
  const own = questions.filter((question) => question.half === half);
  writeSet(path.join(out, `bridges-${half}`), documents, own);
}
