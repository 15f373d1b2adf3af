/**
 * Makes question sets from `two-hop.tsv`: `npm run bench:two-hop -- FOLDER OUT`. The folder holds the repository that
 * `two-hop.md` names. A half has the documents of its questions: the two that each needs, and eight distractors, which
 * share the rarest words with the question.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { QaDocument, QaQuestion } from '../qa-sets.ts';
import { isTuning } from './halves.ts';
import { rowsOf, toDocument, writeSet } from './question-sets.ts';

const FILES = ['test.csv', 'val.csv'].map((file) => `Emily-zero+HierHash/data/dbpedia/${file}`);
const MAX_LENGTH = 1_300;
const DISTRACTORS = 8;

/** The third column of a row: an abstract, in double quotes if it has some itself. */
const ABSTRACT = /^\d+,\d+,(?:"((?:[^"]|"")*)"|(.*))$/gmu;
/** The abstracts have no titles: the name before the verb is used. */
const TITLE = /^(?:The |A |An )?["“]?([\p{Lu}\d][^,\n]{1,59}?)["”]?(?:,? \(|, | is | was | are | were | or | born )/u;
const SENTENCE_END = /(?:(?<!\b(?:\p{Lu}|St|Dr|Jr|lit))|(?<=D\.C))[.!?]["”]?(?=\s+["“(]?[\p{Lu}\d]|\p{Lu}\p{Ll})/gu;

function documentsIn(folder: string): Map<string, QaDocument> {
  const documents = new Map<string, QaDocument>();
  for (const file of FILES) {
    for (const [, quoted, bare = ''] of readFileSync(path.join(folder, file), 'utf8').matchAll(ABSTRACT)) {
      const text = (quoted?.replaceAll('""', '"') ?? bare)
        .replaceAll('\\"', '"')
        .replaceAll('\\n', ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
      const title = TITLE.exec(text)?.[1]?.trim();
      if (title === undefined || text.length > MAX_LENGTH || documents.has(title)) continue;
      documents.set(title, toDocument({ title, paragraphs: [text] }));
    }
  }
  return documents;
}

/** Returns the sentence of a text that contains the words. */
function sentenceWith(text: string, words: string): string {
  const at = text.indexOf(words);
  if (at === -1) throw new Error(`“${text.slice(0, 40)}…” does not hold “${words}”`);
  const ends = Array.from(text.matchAll(SENTENCE_END), (match) => match.index + match[0].length);
  return text
    .slice(
      ends.findLast((end) => end <= at) ?? 0,
      ends.find((end) => end > at),
    )
    .trim();
}

const termsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\d]+/gu));

/** Returns a function that finds the documents that share the rarest words with a text. */
function finderIn(documents: readonly QaDocument[]): (text: string) => QaDocument[] {
  const terms = documents.map((document) => ({ document, own: termsOf(document.text) }));
  const counts = new Map<string, number>();
  for (const { own } of terms) for (const term of own) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weightOf = (term: string): number => Math.log(documents.length / (counts.get(term) ?? documents.length));
  return (text) => {
    const sought = [...termsOf(text)];
    const scored = terms.map(({ document, own }) => ({
      document,
      score: sought.reduce((sum, term) => sum + (own.has(term) ? weightOf(term) : 0), 0),
    }));
    return scored.toSorted((a, b) => b.score - a.score).map(({ document }) => document);
  };
}

interface Row {
  type: string;
  titles: string[];
  question: string;
  gold: string;
  /** Words of the sentence of each document that the answer needs. */
  words: string[];
}

const rows = rowsOf('two-hop.tsv').map(
  ([type = '', first = '', second = '', question = '', gold = '', ...words]): Row => ({
    type,
    titles: [first, second],
    question,
    gold,
    words,
  }),
);

/** Returns the question with both sentences as evidence. */
function questionOf(
  { type, question, gold, words }: Row,
  needed: readonly QaDocument[],
  id: string,
): QaQuestion & { type: string } {
  const evidence = needed.map(({ _id: doc, text }, at) => ({ doc, text: sentenceWith(text, words[at] ?? '') }));
  if (type === 'bridge' && evidence[1]?.text.includes(gold) !== true) {
    throw new Error(`The second sentence of “${question}” does not hold “${gold}”`);
  }
  return { id, question, answerable: true, answers: [gold], type, evidence };
}

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:two-hop -- FOLDER OUT');
const documents = documentsIn(folder);
const titles = new Set(rows.flatMap((row) => row.titles));
const find = finderIn([...documents.values()].filter(({ _id }) => !titles.has(_id)));
const drawn = rows.map((row, index) => {
  const needed = row.titles.map((title) => {
    const document = documents.get(title);
    if (document === undefined) throw new Error(`There is no document “${title}”`);
    return document;
  });
  const distractors = find([row.question, ...row.titles].join(' ')).slice(0, DISTRACTORS);
  const question = questionOf(row, needed, `two-hop-${index + 1}`);
  return { question, collection: [...needed, ...distractors], isTuning: isTuning(row.titles[1] ?? '') };
});
for (const half of ['tuning', 'checking']) {
  const own = drawn.filter((each) => each.isTuning === (half === 'tuning'));
  const collection = new Set(own.flatMap((each) => each.collection));
  writeSet(
    path.join(out, `two-hop-${half}`),
    [...documents.values()].filter((each) => collection.has(each)),
    own.map(({ question }) => question),
  );
}
