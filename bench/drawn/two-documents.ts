/** Makes question sets of questions that need two documents, from tables beside this file. */
import path from 'node:path';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';
import { isTuning } from './halves.ts';
import { partsOf, writeSet } from './question-sets.ts';

export const documentOf = (title: string, text: string): QaDocument => ({ _id: title, title, text });

/** Returns the documents of a file; each begins with a line of its title. */
export const documentsIn = (name: string): QaDocument[] =>
  partsOf(name).map((part) => documentOf(part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()));

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/**
 * Writes the sets `NAME-tuning` and `NAME-checking` below `out`. A row holds first document, second document, question,
 * and a text of the second document, which decides the half.
 */
export function writeTwoHalves(
  out: string,
  name: string,
  documents: readonly QaDocument[],
  rows: readonly (readonly string[])[],
): void {
  const questions = rows.map(([first = '', second = '', question = '', gold = ''], index): QaQuestion => {
    const [, text] = [first, second].map((title) => {
      const found = documents.find((each) => each.title === title);
      if (found === undefined) throw new Error(`There is no document “${title}”`);
      return plain(found.text);
    });
    if (text?.includes(gold) !== true) throw new Error(`“${second}” does not hold “${gold}”: ${text}`);
    const evidence = [first, second].map((doc) => ({ doc, text: '' }));
    return { id: `${name}-${index + 1}`, question, answerable: true, answers: [gold], evidence };
  });
  for (const half of ['tuning', 'checking']) {
    const own = questions.filter(({ evidence }) => isTuning(evidence[1]?.doc ?? '') === (half === 'tuning'));
    writeSet(path.join(out, `${name}-${half}`), documents, own);
  }
}
