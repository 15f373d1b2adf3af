/** Entries of tables of contents: a title, leader dots, a page number. */
import { boundsOf, copyBox, type Box } from '../geometry.ts';
import type { Word } from '../page/page-content.ts';
import { lineOf, textOf, type Line } from './line.ts';

const DOTS = /^[.…·]+$/u;
/** Minimum number of dots of a leader. */
const MIN_DOTS = 4;
const LEADER = '…';
const PAGE = /^(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})$/u;
/** Minimum number of entries with leaders on a page of contents. */
const MIN_ENTRIES = 3;
/** Maximum baseline difference of an entry and its page number, as a share of the font size. */
const SAME_LINE = 0.3;

/** Checks for an entry that `withContentsEntries` has shortened. */
export const endsEntry = ({ words }: Line): boolean =>
  words.length > 1 && words.at(-2)?.text === LEADER && PAGE.test(words.at(-1)?.text ?? '');

/**
 * Replaces the dots of leaders by one ellipsis, and joins page numbers with their entries. Entries without dots, such
 * as those of chapters, are joined on pages where other entries have dots.
 */
export function withContentsEntries(lines: readonly Line[]): readonly Line[] {
  const shortened = lines.map(shortenLeader);
  const leaders = shortened.filter(({ words }) => words.some(({ text }) => text === LEADER));
  if (leaders.length < MIN_ENTRIES) return shortened;
  const right = Math.max(...shortened.filter((line) => endsEntry(line) || isNumber(line)).map(({ x1 }) => x1));
  const joined: Line[] = [];
  for (const line of shortened) {
    const at =
      isNumber(line) && right - line.x1 < line.size ? joined.findLastIndex((last) => isEntryOf(last, line)) : -1;
    const entry = joined[at];
    if (entry === undefined) joined.push(line);
    else joined[at] = lineOf([...entry.words, ...leaderTo(entry, line), ...line.words], entry.order);
  }
  return joined;
}

const isNumber = ({ words: [number, second] }: Line): boolean =>
  number !== undefined && second === undefined && PAGE.test(number.text);

/** Checks for an entry without page number left of `number`. */
const isEntryOf = (entry: Line, number: Line): boolean =>
  Math.abs(entry.baseline - number.baseline) < SAME_LINE * entry.size && number.x0 > entry.x1 && !endsEntry(entry);

const leaderTo = (entry: Line, number: Line): Word[] =>
  entry.words.at(-1)?.text === LEADER ? [] : [leader([{ ...copyBox(number), x0: entry.x1, x1: number.x0 }], entry)];

function shortenLeader(line: Line): Line {
  const words: Word[] = [];
  let dots: Word[] = [];
  let isShortened = false;
  const flush = (): void => {
    if (textOf(dots).replaceAll(' ', '').length >= MIN_DOTS) {
      isShortened = true;
      words.push(leader(dots, line));
    } else words.push(...dots);
    dots = [];
  };
  for (const word of line.words) {
    const tail = /[.…·]{4,}$/u.exec(word.text)?.[0];
    if (DOTS.test(word.text)) dots.push(word);
    else {
      flush();
      if (tail === undefined) words.push(word);
      else {
        words.push({ ...word, text: word.text.slice(0, -tail.length) });
        dots.push({ ...word, text: tail });
      }
    }
  }
  flush();
  return isShortened ? lineOf(words, line.order) : line;
}

/** Returns an ellipsis at the place of the given boxes. */
const leader = (boxes: readonly Box[], { baseline, size, words: [first] }: Line): Word => ({
  ...boundsOf(boxes),
  text: LEADER,
  baseline,
  size,
  style: first?.style ?? { name: '', bold: false, italic: false, monospace: false },
  glued: false,
  angle: 0,
});
