/**
 * Compares the headings of PDFs with their bookmarks, and counts what is typical of wrong layout: tables, page numbers
 * (numbers that are the first or last text of a page), and headings without their number.
 *
 *     npm run bench:headings -- FOLDER|FILE.pdf… [--list FILE.json]
 *
 * A heading without a bookmark counts as false, although bookmarks often end at a certain depth: the precision is a
 * lower bound. The second precision leaves out numbered headings below the deepest bookmarks. `--list` writes false and
 * missing headings, tables and numbers, for inspection.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Block } from '@quire/blocks/block';
import { ownText, walkBlocks } from '@quire/blocks/walk';
import { withPdf } from '@quire/parse/formats/pdf/document';
import { readOutline } from '@quire/parse/formats/pdf/structure/outline';
import { pdfFiles, readPdf, withContext } from './pdf-files.ts';

interface Report {
  file: string;
  bookmarks: number;
  headings: number;
  found: number;
  /** Headings with the title of a bookmark, where one of the two lacks its number. */
  torn: string[];
  falseHeadings: string[];
  /** Number of false headings with a section number below the deepest level of the bookmarks, such as `1.2.3`. */
  deeper: number;
  missing: string[];
  tables: string[];
  numbers: string[];
}

/** Returns letters and digits; bookmarks may lack accents. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
const CHAPTER =
  /^(?:(?:chapter|appendix|annex|part|section|kapitel|anhang|teil|chapitre|annexe|cap[ií]tulo|ap[éeê]ndice|capitolo|appendice|глава|приложение)\s+(?:\d{1,3}|[IVXLC]{1,6}|[A-Z])(?=$|[\s.:)])[.:)]?\s*|第\s*[\d一二三四五六七八九十]+\s*[章部]\s*)/iu;
const NUMBER = /^(?:\d{1,3}|(?:[IVX]{1,4}|[A-Z])(?=[.:)]))(?:\.\d+)*[.:)]?\s+/u;
const CHAPTER_WORD = /^(?:appendix|anhang|annexe|appendice|ap[éeê]ndice)\s+(?=[A-Z]\b)/iu;
/** Returns a title without its number, such as `Chapter 3`, `2.1` or only the word before the letter of an appendix. */
const withoutNumber = (text: string): string[] =>
  [text.trim().replace(CHAPTER, '').replace(NUMBER, ''), text.trim().replace(CHAPTER_WORD, '')].map(plain);
const sectionDepth = (text: string): number =>
  /^\d{1,2}(?:\.\d{1,3}){1,5}(?=\.?\s)/.exec(text)?.[0].split('.').length ?? 0;
const MAX_SHOWN = 120;

/** Returns the highest and the lowest block of each page. */
function outerTexts(blocks: readonly Block[]): Block[] {
  const pages = new Map<number, Block[]>();
  for (const block of blocks) {
    if (block.bbox === undefined) continue;
    const page = block.page ?? 0;
    pages.set(page, [...(pages.get(page) ?? []), block]);
  }
  const bottom = ({ bbox }: Block): number => bbox?.[3] ?? 0;
  const top = ({ bbox }: Block): number => bbox?.[1] ?? 0;
  return [...pages.values()].flatMap((own) => {
    const [first] = own.toSorted((a, b) => top(a) - top(b));
    const [last] = own.toSorted((a, b) => bottom(b) - bottom(a));
    return first === undefined || last === undefined ? [] : [...new Set([first, last])];
  });
}

function reportOf(file: string, blocks: readonly Block[], titles: ReturnType<typeof readOutline>): Report {
  const all = [...walkBlocks(blocks)];
  const headings = all.filter(({ type }) => type === 'heading');
  const left = [...titles];
  const torn: string[] = [];
  const falseHeadings: string[] = [];
  const deepest = Math.max(0, ...titles.map(({ level }) => level));
  let deeper = 0;
  for (const { text = '', page = 0, level } of headings) {
    const isNear = (entry: { page: number }): boolean => entry.page === 0 || Math.abs(entry.page - page) <= 1;
    let at = left.findIndex((entry) => isNear(entry) && plain(entry.title) === plain(text));
    if (at < 0) {
      const bare = withoutNumber(text).filter((title) => title !== '');
      at = left.findIndex((entry) => isNear(entry) && withoutNumber(entry.title).some((title) => bare.includes(title)));
      if (at >= 0 && plain(left[at]?.title ?? '').length > plain(text).length) torn.push(`${page}: ${text}`);
    }
    if (at >= 0) left.splice(at, 1);
    else {
      falseHeadings.push(`${page} h${level}: ${text}`);
      if (titles.length > 0 && sectionDepth(text) > deepest) deeper += 1;
    }
  }
  return {
    file: path.basename(file),
    bookmarks: titles.length,
    headings: headings.length,
    found: headings.length - falseHeadings.length,
    torn,
    falseHeadings,
    deeper,
    missing: left.map(({ title, page }) => `${page}: ${title}`),
    tables: all
      .filter(({ type }) => type === 'table')
      .map(({ page, rows = [] }) => {
        const cells = rows.flat().map(({ text }) => text);
        return `${page} ${rows.length} rows: ${cells.join(' | ').slice(0, 3 * MAX_SHOWN)}`;
      }),
    numbers: outerTexts(all)
      .filter(
        (block) => block.type === 'paragraph' && /^[\s–—-]*(?:\d{1,4}|[ivxlc]{1,6})[\s–—-]*$/u.test(ownText(block)),
      )
      .map((block) => `${block.page}: ${ownText(block)}`),
  };
}

const { values, positionals } = parseArgs({ options: { list: { type: 'string' } }, allowPositionals: true });
if (positionals.length === 0) throw new Error('usage: npm run bench:headings -- FOLDER|FILE.pdf… [--list FILE.json]');
const reports: Report[] = [];
await withContext(async (context) => {
  for (const file of await pdfFiles(positionals)) {
    const outline = await withPdf(file, (document) => Promise.resolve(readOutline(document)));
    const { blocks } = await readPdf(file, context);
    const report = reportOf(file, blocks, outline);
    reports.push(report);
    const share = (part: number, whole: number): string => (whole === 0 ? '    ' : (part / whole).toFixed(3));
    console.log(
      `recall ${share(report.found, report.bookmarks)}, precision ${share(report.found, report.headings)}, ` +
        `${share(report.found, report.headings - report.deeper)} within the bookmarks' depth ` +
        `(${report.headings} headings, ${report.bookmarks} bookmarks, ${report.torn.length} torn), ` +
        `${report.tables.length} tables, ${report.numbers.length} numbers: ${report.file}`,
    );
  }
});
const rated = reports.filter(({ bookmarks }) => bookmarks > 0);
const mean = (of: (report: Report) => number): string =>
  (rated.reduce((sum, report) => sum + of(report), 0) / Math.max(1, rated.length)).toFixed(3);
const sum = (of: (report: Report) => number): number => reports.reduce((total, report) => total + of(report), 0);
console.log(
  `${rated.length} documents with bookmarks: mean recall ${mean(({ found, bookmarks }) => found / bookmarks)}, ` +
    `precision ${mean(({ found, headings }) => found / Math.max(1, headings))}, ` +
    `${mean(({ found, headings, deeper }) => found / Math.max(1, headings - deeper))} within the bookmarks' depth; ${sum(({ torn }) => torn.length)} torn; ` +
    `all ${reports.length}: ${sum(({ tables }) => tables.length)} tables, ${sum(({ numbers }) => numbers.length)} numbers`,
);
if (values.list !== undefined) await writeFile(values.list, JSON.stringify(reports, null, 1));
