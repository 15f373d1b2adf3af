/** Makes question sets from `kinds.txt`: `npm run bench:kinds -- OUT`. All sets share the documents. */
import path from 'node:path';
import type { QaQuestion } from '../qa-sets.ts';
import { partsOf, toDocument, writeSet } from './question-sets.ts';

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
const written = partsOf('kinds.txt').map(documentOf);
const documents = written.map(toDocument);
for (const half of ['tuning', 'checking']) {
  for (const language of ['en', 'de', 'fr', 'es']) {
    // Every second document checks only.
    const own = written
      .filter((each) => each.language === language)
      .filter((_, index) => index % 2 === (half === 'tuning' ? 0 : 1));
    const questions = own.flatMap(questionsOf);
    writeSet(path.join(out, `kinds-${half}-${language}`), documents, questions);
  }
}
