/** Detects entries of a table of contents, which look like the headings they refer to. */
import { textOf } from '../lines/line.ts';
import type { LineGroup } from '../lines/line-groups.ts';

const TITLE =
  /^(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|indice|目录|目次)$/iu;
const LEADER = /\.{5}|(?:\. ){5}/;
const PAGE = /^(?:\d{1,4}|[ivxlc]{1,7})$/;

/** Returns the groups followed by a page number on their last line, on pages that contain a table of contents. */
export function contentsEntries(groups: readonly LineGroup[]): Set<LineGroup> {
  const found = new Set<LineGroup>();
  const texts = groups.map(({ lines }) => lines.map((line) => textOf(line.words)).join(' '));
  if (!texts.some((text) => TITLE.test(text) || LEADER.test(text))) return found;
  const numbers = groups.filter(({ lines }, index) => lines.length === 1 && PAGE.test(texts[index] ?? ''));
  for (const group of groups) if (numbers.some((number) => isBeside(number, group))) found.add(group);
  return found;
}

const isBeside = (number: LineGroup, group: LineGroup): boolean =>
  number !== group &&
  number.x0 > group.x1 &&
  Math.abs((number.lines[0]?.baseline ?? 0) - (group.lines.at(-1)?.baseline ?? Infinity)) < 0.2 * group.size;
