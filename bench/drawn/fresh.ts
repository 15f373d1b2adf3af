/**
 * Makes question sets from `fresh.tsv`: `npm run bench:fresh -- FOLDER OUT`. The folder holds one folder for each
 * package and repository that `fresh.md` names. All sets share the documents, except `fresh-removed`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sectionsOf } from './documents.ts';
import {
  drawnFrom,
  holdsAnswer,
  rowsOf,
  toDocument,
  unanswerable,
  withoutAnswers,
  writeSet,
  type Source,
} from './question-sets.ts';
import { paragraphsOfWiki } from './wiki-text.ts';

const ARTICLES = 'spencermountain+wtf_wikipedia/tests/cache';
const REFERENCE = 'debian-reference-de/usr/share/debian-reference';
const EDU = 'debian-edu-doc-de/usr/share/doc/debian-edu-doc-de/debian-edu-bookworm-manual.html';

const NO_ARTICLE = /^(?:list|Liste-|anarchism|redirect)/;
const GERMAN_ARTICLES = [
  'BBDO',
  'Bazooka',
  'Keilwelle',
  'Maurische Netzwuhle',
  'Mozilla Firefox',
  'Sara C. Bisel',
  'Wendy Mogel',
];
const LICENCE = /General Public Licence/;
const MIN_PARAGRAPHS_OF_SECTION = 3;

const articlesIn = (folder: string): Source[] =>
  readdirSync(path.join(folder, ARTICLES))
    .filter((file) => file.endsWith('.txt') && !NO_ARTICLE.test(file))
    .map((file) => ({
      title: file.replace(/\.+txt$/, '').replaceAll(/[-_]/g, ' '),
      paragraphs: paragraphsOfWiki(readFileSync(path.join(folder, ARTICLES, file), 'utf8'), {
        characters: 220,
        paragraphs: 2,
        first: 24,
      }),
    }))
    .filter(({ paragraphs }) => paragraphs.length > 0);

/** Returns the sections of the chapters of both manuals, each with its subsections. */
function sectionsIn(folder: string): Source[] {
  const chapters = readdirSync(path.join(folder, REFERENCE))
    .filter((file) => /^ch\d+\.de\.html$/.test(file))
    .toSorted()
    .map((file) => path.join(REFERENCE, file));
  return [...chapters, EDU]
    .flatMap((file) => sectionsOf(path.join(folder, file), { depth: 2, withCells: false, isNested: false }))
    .filter(({ title, paragraphs }) => paragraphs.length >= MIN_PARAGRAPHS_OF_SECTION && !LICENCE.test(title));
}

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:fresh -- FOLDER OUT');
const articles = articlesIn(folder);
const sections = sectionsIn(folder);
const sources = [...articles, ...sections];
const documents = sources.map(toDocument);
const german = new Set([...GERMAN_ARTICLES, ...sections.map(({ title }) => title)]);
const drawn = rowsOf('fresh.tsv').map((row, index) => drawnFrom(sources, `fresh-${index + 1}`, row));
const isGerman = ({ places: [place] }: (typeof drawn)[number]): boolean => german.has(place?.title ?? '');
writeSet(path.join(out, 'fresh'), documents, drawn);
writeSet(
  path.join(out, 'fresh-en'),
  documents,
  drawn.filter((each) => !isGerman(each)),
);
writeSet(path.join(out, 'fresh-de'), documents, drawn.filter(isGerman));
const answerable = drawn.filter((each) => each.answerable);
const without = withoutAnswers(sources, answerable, holdsAnswer);
writeSet(path.join(out, 'fresh-removed'), without.map(toDocument), unanswerable(answerable));
