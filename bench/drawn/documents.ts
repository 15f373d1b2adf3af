/** Reads prose by paragraph from files of unpacked packages and repositories: HTML, DocBook, Markdown and TeX. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const MIN_LENGTH = 200;
const MAX_LENGTH = 1_300;
const MAX_PARAGRAPHS = 10;

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

const HIDDEN =
  /<(script|style|head|pre|programlisting|screen|table|informaltable|indexterm|index|info|bookinfo)\b.*?<\/\1\s*>/gis;
const BLOCK =
  /<\/?(?:p|para|li|dd|dt|div|h\d|title|item|listitem|section|sect\d|note|tip|figure|term|td|br|simpara|body|html|ul|ol|dl)\b[^>]*>/gi;

function blocksOfMarkup(text: string): string[] {
  return text
    .replaceAll(/<!--.*?-->|<!DOCTYPE.*?\]>|<\?.*?\?>/gs, '')
    .replaceAll(HIDDEN, '\0')
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

/** Returns the first paragraphs of a file with enough prose, from the block on that contains `start`. */
export function paragraphsOf(file: string, start: string): string[] {
  const text = readFileSync(file, 'utf8');
  const extension = path.extname(file);
  const read = extension === '.md' ? blocksOfMarkdown : extension === '.tex' ? blocksOfTex : blocksOfMarkup;
  const blocks = read(text).map((block) => block.normalize().replaceAll(/\s+/g, ' ').trim());
  const from = blocks.findIndex((block) => block.includes(start));
  if (from === -1) throw new Error(`${file} does not hold “${start}”`);
  const paragraphs = blocks.slice(from).filter(({ length }) => length >= MIN_LENGTH && length <= MAX_LENGTH);
  return Array.from(new Set(paragraphs)).slice(0, MAX_PARAGRAPHS);
}
