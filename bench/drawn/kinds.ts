/** Makes question sets from `kinds.txt`: `npm run bench:kinds -- OUT`. All sets share the documents. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';

interface Written {
  language: string;
  title: string;
  paragraphs: string[];
  /** Questions with the words that answer them; `-` if the document leaves them open. */
  questions: (readonly [question: string, gold: string])[];
}

/** Reads a document: a line "language title", its paragraphs, and lines "? question | answer". */
function documentOf(part: string): Written {
  const [first = '', ...lines] = part.trim().split('\n');
  const asking = lines.filter((line) => line.startsWith('? ')).map((line) => line.slice(2).split(' | '));
  return {
    language: first.slice(0, 2),
    title: first.slice(3),
    paragraphs: lines.filter((line) => line !== '' && !line.startsWith('? ')),
    questions: asking.map(([question = '', gold = '']) => [question, gold]),
  };
}

function questionsOf({ title, paragraphs, questions }: Written): QaQuestion[] {
  return questions.map(([question, gold], index) => {
    const id = `${title}-${index + 1}`;
    if (gold === '-') return { id, question, answerable: false, answers: [], evidence: [] };
    const text = paragraphs.find((paragraph) => paragraph.includes(gold));
    if (text === undefined) throw new Error(`“${title}” does not hold “${gold}”`);
    return { id, question, answerable: true, answers: [gold], evidence: [{ doc: title, text }] };
  });
}

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('Usage: npm run bench:kinds -- OUT');
const written = readFileSync(new URL('kinds.txt', import.meta.url), 'utf8')
  .split(/^# /mu)
  .slice(1)
  .map(documentOf);
const documents = written.map(({ title, paragraphs }): QaDocument => ({
  _id: title,
  title,
  text: paragraphs.join('\n\n'),
}));
const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
for (const half of ['tuning', 'checking']) {
  for (const language of ['en', 'de', 'fr', 'es']) {
    // Every second document checks only.
    const own = written
      .filter((each) => each.language === language)
      .filter((_, index) => index % 2 === (half === 'tuning' ? 0 : 1));
    const questions = own.flatMap(questionsOf);
    const directory = path.join(out, `kinds-${half}-${language}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(path.join(directory, 'docs.jsonl'), lines(documents));
    writeFileSync(path.join(directory, 'qa.jsonl'), lines(questions));
    console.log(`${directory}: ${own.length} of ${documents.length} documents, ${questions.length} questions`);
  }
}
