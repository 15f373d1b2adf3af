/** Reads prose by paragraph from files of unpacked packages and repositories: HTML, DocBook, Markdown and TeX. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rowsOf, type Source } from './question-sets.ts';

const MIN_LENGTH = 200;
const MAX_LENGTH = 1_300;
const MAX_PARAGRAPHS = 10;
const MAX_PARAGRAPHS_OF_SECTION = 14;

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  nbsp: ' ',
  lsquo: '‘',
  rsquo: '’',
  ndash: '–',
  mdash: '—',
};
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
};

/** Resolves character references; another entity, such as the name of a program in DocBook, becomes its own name. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/&#(x[\da-f]+|\d+);/gi, (_, code: string) => String.fromCodePoint(Number(code.replace(/^x/i, '0x'))))
    .replaceAll(/&([a-z])(acute|grave|circ|uml|tilde|cedil);/gi, (_, letter: string, accent: string) =>
      (letter + (ACCENTS[accent] ?? '')).normalize(),
    )
    .replaceAll(/&([\w-]+);/g, (_, name: string) => ENTITIES[name] ?? name);

const HIDDEN = 'script|style|head|pre|programlisting|screen|indexterm|index|info|bookinfo';
const TABLES = 'table|informaltable';
const BLOCK =
  /<\/?(?:p|para|li|dd|dt|div|h\d|title|item|listitem|section|sect\d|note|tip|figure|term|td|br|simpara|body|html|ul|ol|dl)\b[^>]*>/gi;

function blocksOfMarkup(text: string, hidden = `${HIDDEN}|${TABLES}`): string[] {
  return text
    .replaceAll(/<!--.*?-->|<!DOCTYPE.*?\]>|<\?.*?\?>/gs, '')
    .replaceAll(new RegExp(`<(${hidden})\\b.*?</\\1\\s*>`, 'gis'), '\0')
    .replaceAll(BLOCK, '\0')
    .replaceAll(/<[^>]+>/g, '')
    .split('\0')
    .map(unescaped);
}

function blocksOfMarkdown(text: string): string[] {
  return text
    .replace(/^---\n.*?\n---\n/s, '')
    .replaceAll(/```.*?```|<!--.*?-->/gs, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*+>#|]|\d+[.)])\s)/)
    .map((block) =>
      unescaped(
        block
          .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
          .replaceAll(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
          .replaceAll(/<[^>]+>|\{[%{].*?[%}]\}/gs, '')
          .replaceAll(/\*\*|__|`|(?<!\w)\*|\*(?!\w)|\\/g, ''),
      ).replace(/^\s*(?:[-*+>#]+|\d+[.)])\s+/, ''),
    );
}

function blocksOfTex(text: string): string[] {
  return text
    .replaceAll(/(?<!\\)%.*$/gm, '')
    .split(/\n\s*\n|\\item|\\Clause|\\Paragraph/)
    .map((block) => block.replaceAll(/\\[a-zA-Z]+\*?(?:\[[^\]]*\])?|[{}~]/g, ' '));
}

const plain = (block: string): string => block.normalize().replaceAll(/\s+/g, ' ').trim();

/** Returns the first blocks with enough prose, without repetitions. */
const proseOf = (blocks: readonly string[], maximum: number): string[] =>
  [...new Set(blocks.filter(({ length }) => length >= MIN_LENGTH && length <= MAX_LENGTH))].slice(0, maximum);

/** Returns the first paragraphs of a file with enough prose, from the block on that contains `start`. */
export function paragraphsOf(file: string, start: string): string[] {
  const text = readFileSync(file, 'utf8');
  const extension = path.extname(file);
  const read = extension === '.md' ? blocksOfMarkdown : extension === '.tex' ? blocksOfTex : blocksOfMarkup;
  const blocks = read(text).map(plain);
  const from = blocks.findIndex((block) => block.includes(start));
  if (from === -1) throw new Error(`${file} does not hold “${start}”`);
  return proseOf(blocks.slice(from), MAX_PARAGRAPHS);
}

/** Reads the documents that a table beside this file names by language, title, file and start. */
export const sourcesIn = (table: string, folder: string): Source[] =>
  rowsOf(table).map(([, title = '', file = '', start = '']) => ({
    title,
    paragraphs: paragraphsOf(path.join(folder, file), start),
  }));

/** "Kapitel 3. ", "A.2. " or "4.6.5. " before a heading. */
const NUMBER = /^(?:(?:Kapitel|Chapitre|Anhang|Annexe)\s)?[\dA-Z]+(?:\.\d+)*\.\s+/u;

interface Sections {
  /** The level to which headings begin a section, 1 to 6. */
  depth: number;
  /** Cells of tables are paragraphs too. */
  withCells: boolean;
  /** A section also has what is below the headings inside it. */
  isNested: boolean;
}

/** Returns the sections of an HTML file, with the heading as title. */
export function sectionsOf(file: string, { depth, withCells, isNested }: Sections): Source[] {
  const text = readFileSync(file, 'utf8');
  const headings = Array.from(
    text.matchAll(/<h([1-6])\b[^>]*>(.*?)<\/h\1>/gs),
    ({ index, 0: all, 1: level, 2: title }) => ({
      level: Number(level),
      title: plain(blocksOfMarkup(title ?? '').join(''))
        .replace('¶', '')
        .replace(NUMBER, ''),
      start: index,
      end: index + all.length,
    }),
  ).filter(({ level }) => level <= depth);
  return headings.map(({ level, title, end }, at) => {
    const next = headings.slice(at + 1).find((each) => !isNested || each.level <= level);
    const blocks = blocksOfMarkup(text.slice(end, next?.start), withCells ? HIDDEN : undefined).map(plain);
    return { title, paragraphs: proseOf(blocks, MAX_PARAGRAPHS_OF_SECTION) };
  });
}
