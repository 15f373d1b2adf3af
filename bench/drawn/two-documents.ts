/** Makes question sets of questions that need two documents, from tables beside this file. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isTuning } from './halves.ts';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';

const readHere = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

export const documentOf = (title: string, text: string): QaDocument => ({ _id: title, title, text });

/** Returns the documents of a file; each begins with a line of its title. */
export const documentsIn = (name: string): QaDocument[] =>
  readHere(name)
    .split(/^# /mu)
    .slice(1)
    .map((part) => documentOf(part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()));

/** Returns the rows of a file: first document, second document, question, and a text of the second document. */
export const rowsOf = (name: string): string[][] =>
  readHere(name)
    .trim()
    .split('\n')
    .map((row) => row.split('\t'));

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ');

/** Writes the sets `NAME-tuning` and `NAME-checking` below `out`; the second document decides the half. */
export function writeHalves(
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
    const directory = path.join(out, `${name}-${half}`);
    mkdirSync(directory, { recursive: true });
    const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
    writeFileSync(path.join(directory, 'docs.jsonl'), lines(documents));
    writeFileSync(path.join(directory, 'qa.jsonl'), lines(own));
    console.log(`${directory}: ${documents.length} documents, ${own.length} questions`);
  }
}
