/**
 * Makes question sets from `manuals.tsv`: `npm run bench:manuals -- FOLDER OUT`. The folder holds one folder for each
 * unpacked package that `manuals.md` names. Each language has three sets of each half, such as `manuals-de-tuning`,
 * `manuals-de-tuning-removed` and `manuals-de-tuning-foreign`.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { sectionsOf } from './documents.ts';
import { drawnFrom, rowsOf, writeHalves, type Source } from './question-sets.ts';

const SECTIONS_OF_LANGUAGE = 150;
const MIN_PARAGRAPHS = 2;
/** The pages of contents and search, and one that repeats all others. */
const OTHER_PAGES = /^(?:index|search|developers-reference)\b/;

/** Sections of this manual also have the text of their subsections. */
const nestedOf = (language: string): string =>
  `developers-reference-${language}/usr/share/developers-reference/${language}`;

/** Folders with the pages of each manual. */
const foldersOf = (language: string): string[] => [
  `debian-faq-${language}/usr/share/doc/debian/FAQ/${language}`,
  `maint-guide-${language}/usr/share/doc/maint-guide-${language}/html`,
  nestedOf(language),
  `installation-guide-amd64/usr/share/doc/installation-guide-amd64/${language}`,
  ...(language === 'fr' ? ['aptitude-doc-fr/usr/share/doc/aptitude/html/fr'] : []),
];

/** Returns the sections with enough prose, the first of each title. */
function sectionsIn(folder: string, language: string): Source[] {
  const sections = foldersOf(language).flatMap((manual) =>
    readdirSync(path.join(folder, manual))
      .filter((file) => file.endsWith('.html') && !OTHER_PAGES.test(file))
      .toSorted()
      .flatMap((file) =>
        sectionsOf(path.join(folder, manual, file), {
          depth: 3,
          withCells: true,
          isNested: manual === nestedOf(language),
        }),
      ),
  );
  const full = sections.filter(({ paragraphs }) => paragraphs.length >= MIN_PARAGRAPHS);
  return full.filter(({ title }, at) => full.findIndex((each) => each.title === title) === at);
}

/** Returns the sections with questions, and others, chosen by a hash, that share no paragraph with these. */
function chosenFrom(sections: readonly Source[], titles: ReadonlySet<string>): Source[] {
  const asked = sections.filter(({ title }) => titles.has(title));
  const texts = new Set(asked.flatMap(({ paragraphs }) => paragraphs));
  const hash = ({ title }: Source): string => createHash('sha256').update(title).digest('hex');
  const others = sections
    .filter(({ title, paragraphs }) => !titles.has(title) && !paragraphs.some((each) => texts.has(each)))
    .toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1))
    .slice(0, SECTIONS_OF_LANGUAGE - asked.length);
  return sections.filter((each) => asked.includes(each) || others.includes(each));
}

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) throw new Error('Usage: npm run bench:manuals -- FOLDER OUT');
const rows = rowsOf('manuals.tsv').map(([language = '', ...row], index) => ({
  language,
  id: `manuals-${index + 1}`,
  row,
}));
for (const language of ['de', 'fr']) {
  const own = rows.filter((each) => each.language === language);
  const titles = new Set(own.map(({ row: [title = ''] }) => title));
  const sections = chosenFrom(sectionsIn(folder, language), titles);
  const drawn = own.map(({ id, row }) => drawnFrom(sections, id, row));
  writeHalves(out, `manuals-${language}-`, sections, drawn);
}
