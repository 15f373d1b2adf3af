/**
 * Makes question sets from `hops.tsv`: `npm run bench:hops -- FOLDER OUT`. The folder holds `foldoc.dict.dz` of the
 * Debian package dict-foldoc; `hops.md` says how the questions were drawn.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { rowsOf } from './question-sets.ts';
import { documentOf, documentsIn, writeTwoHalves } from './two-documents.ts';
import type { QaDocument } from '../qa-sets.ts';

/** Entries of these kinds are documents, also those without a question. */
const KINDS = /<(?:person|company|language|computer|operating system)\b/u;
const MIN_LENGTH = 200;

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

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:hops -- FOLDER OUT');
const rows = rowsOf('hops.tsv');
const titles = new Set(rows.flatMap((row) => row.slice(0, 2)));
writeTwoHalves(out, 'hops', [...entriesOf(folder, titles), ...documentsIn('hops.txt')], rows);
