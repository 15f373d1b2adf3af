/**
 * Makes question sets from `hops.tsv`: `npm run bench:hops -- FOLDER OUT`. The folder holds `foldoc.dict.dz` of the
 * Debian package dict-foldoc; `hops.md` says how the questions were drawn.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isTuning } from './halves.ts';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';

const readHere = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Entries of these kinds are documents, also those without a question. */
const KINDS = /<(?:person|company|language|computer|operating system)\b/u;
const MIN_LENGTH = 200;

const documentOf = (title: string, text: string): QaDocument => ({ _id: title, title, text });

/** Returns the entries of the dictionary that have one of the titles, or are of a kind; without marks of references. */
function entriesOf(folder: string, titles: ReadonlySet<string>): QaDocument[] {
  const text = gunzipSync(readFileSync(path.join(folder, 'foldoc.dict.dz'))).toString('utf8');
  const entries = new Map<string, QaDocument>();
  for (const entry of text.split(/\n(?=\S)/u)) {
    const [title = '', ...lines] = entry.split('\n');
    const body = lines
      .join('\n')
      .replaceAll(/[{}]/gu, '')
      .replaceAll(/(?<!\n)\n[ ]+(?=\S)/gu, ' ')
      .trim();
    const isSought = titles.has(title) || (KINDS.test(body) && body.length >= MIN_LENGTH);
    if (isSought && body !== '' && !entries.has(title)) entries.set(title, documentOf(title, body));
  }
  return [...entries.values()];
}

/** Returns the documents of `hops.txt`, which begin with a line of their title. */
const ownDocuments = (): QaDocument[] =>
  readHere('hops.txt')
    .split(/^# /mu)
    .slice(1)
    .map((part) => documentOf(part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()));

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ');

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:hops -- FOLDER OUT');
const rows = readHere('hops.tsv')
  .trim()
  .split('\n')
  .map((row) => row.split('\t'));
const titles = new Set(rows.flatMap((row) => row.slice(0, 2)));
const documents = [...entriesOf(folder, titles), ...ownDocuments()];
const questions = rows.map(([first = '', second = '', question = '', gold = ''], index): QaQuestion => {
  const [, text] = [first, second].map((title) => {
    const found = documents.find((each) => each.title === title);
    if (found === undefined) throw new Error(`There is no document “${title}”`);
    return plain(found.text);
  });
  if (text?.includes(gold) !== true) throw new Error(`“${second}” does not hold “${gold}”: ${text}`);
  const evidence = [first, second].map((doc) => ({ doc, text: '' }));
  return { id: `hop-${index + 1}`, question, answerable: true, answers: [gold], evidence };
});
for (const half of ['tuning', 'checking']) {
  const own = questions.filter(({ evidence }) => isTuning(evidence[1]?.doc ?? '') === (half === 'tuning'));
  const directory = path.join(out, `hops-${half}`);
  mkdirSync(directory, { recursive: true });
  const lines = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  writeFileSync(path.join(directory, 'docs.jsonl'), lines(documents));
  writeFileSync(path.join(directory, 'qa.jsonl'), lines(own));
  console.log(`${directory}: ${documents.length} documents, ${own.length} questions`);
}
