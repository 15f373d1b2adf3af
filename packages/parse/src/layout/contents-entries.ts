/** Detects entries of a table of contents, which look like the headings they refer to. */
import { textOf } from './line.ts';
import type { Passage } from './passages.ts';

const TITLE =
  /^(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|indice|目录|目次)$/iu;
const LEADER = /\.{5}|(?:\. ){5}/;
const PAGE = /^(?:\d{1,4}|[ivxlc]{1,7})$/;

/** Returns the groups followed by a page number on their last line, on pages that contain a table of contents. */
export function contentsEntries(passages: readonly Passage[]): Set<Passage> {
  const found = new Set<Passage>();
  const texts = passages.map(({ lines }) => lines.map((line) => textOf(line.words)).join(' '));
  if (!texts.some((text) => TITLE.test(text) || LEADER.test(text))) return found;
  const numbers = passages.filter(({ lines }, index) => lines.length === 1 && PAGE.test(texts[index] ?? ''));
  for (const passage of passages) if (numbers.some((number) => isBeside(number, passage))) found.add(passage);
  return found;
}

const isBeside = (number: Passage, passage: Passage): boolean =>
  number !== passage &&
  number.x0 > passage.x1 &&
  Math.abs((number.lines[0]?.baseline ?? 0) - (passage.lines.at(-1)?.baseline ?? Infinity)) < 0.2 * passage.size;
