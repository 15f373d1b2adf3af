/**
 * Makes question sets from `unseen.tsv`: `npm run bench:unseen -- FOLDER OUT`. The folder holds one folder for each
 * package and repository that `unseen.md` names. All sets share the documents, except `unseen-removed`.
 */
import path from 'node:path';
import { sourcesIn } from './documents.ts';
import { drawnFrom, holdsAnswer, rowsOf, toDocument, unanswerable, withoutAnswers, writeSet } from './question-sets.ts';

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:unseen -- FOLDER OUT');
const sources = sourcesIn('unseen-sources.tsv', folder);
const drawn = rowsOf('unseen.tsv').map(([language, ...row], index) => ({
  ...drawnFrom(sources, `unseen-${index + 1}`, row),
  language,
}));
const documents = sources.map(toDocument);
writeSet(path.join(out, 'unseen'), documents, drawn);
for (const language of ['en', 'de', 'fr', 'es']) {
  const own = drawn.filter((each) => each.language === language);
  writeSet(path.join(out, `unseen-${language}`), documents, own);
}
const answerable = drawn.filter((each) => each.answerable);
const without = withoutAnswers(sources, answerable, holdsAnswer);
writeSet(path.join(out, 'unseen-removed'), without.map(toDocument), unanswerable(answerable));
