/** Entries of tables of contents: a title, leader dots, a page number. */
import { boundsOf, copyBox, holdsCentre, type Box } from '../geometry.ts';
import type { Word } from '../page/page-content.ts';
import { isRightToLeft, lineOf, type Line } from './line.ts';

const DOTS = /^[.…‥·・．]+$/u;
/** Minimum number of dots of a leader. */
const MIN_DOTS = 4;
const LEADER = '…';
const PAGE = /^(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3}|\d{1,2}-\d{1,3})$/u;
/** Minimum number of entries with leaders on a page of contents. */
const MIN_ENTRIES = 3;
/** Maximum baseline difference of an entry and its page number, as a share of the font size. */
const SAME_LINE = 0.3;

/** Checks for an entry whose page number is a line of its own. */
export const endsLeader = ({ words }: Line): boolean => words.at(-1)?.text === LEADER;

export const isPageNumber = (text: string): boolean => PAGE.test(text);

/** Checks for an entry that `withContentsEntries` has shortened. */
export const endsEntry = ({ words }: Line): boolean =>
  words.length > 1 && words.at(-2)?.text === LEADER && PAGE.test(words.at(-1)?.text ?? '');

/**
 * Replaces the dots of leaders by one ellipsis, and joins page numbers with their entries: in the area of a table of
 * contents, and on pages where other entries have dots.
 */
export function withContentsEntries(lines: readonly Line[], area: Box | undefined): readonly Line[] {
  const shortened = lines.map(shortenLeader);
  const leaders = shortened.filter(({ words }) => words.some(({ text }) => text === LEADER));
  if (leaders.length < MIN_ENTRIES && area === undefined) return shortened;
  const numbers = shortened.filter((line) => endsEntry(line) || isNumber(line));
  const right = leaders.length < MIN_ENTRIES ? Infinity : Math.max(...numbers.map(({ x1 }) => x1));
  const isPlaced = (line: Line): boolean =>
    right - line.x1 < line.size || (area !== undefined && holdsCentre(area, line));
  const joined: Line[] = [];
  for (const line of shortened) {
    // Leaders that are drawn dot by dot are lines of their own.
    if (area !== undefined && holdsCentre(area, line) && line.words.every(({ text }) => DOTS.test(text))) continue;
    const at = isNumber(line) && isPlaced(line) ? joined.findLastIndex((last) => isEntryOf(last, line)) : -1;
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
  Math.abs(entry.baseline - number.baseline) < SAME_LINE * entry.size &&
  (isRightToLeft(entry.words) ? number.x1 < entry.x0 : number.x0 > entry.x1) &&
  !endsEntry(entry);

function leaderTo(entry: Line, number: Line): Word[] {
  if (entry.words.at(-1)?.text === LEADER) return [];
  const [x0, x1] = number.x0 > entry.x1 ? [entry.x1, number.x0] : [number.x1, entry.x0];
  return [leader([{ ...copyBox(number), x0, x1 }], entry)];
}

/** Checks for dots at the end of a word, without a regular expression, because every word of a document is tested. */
const mayLead = ({ text }: Word): boolean => isDot(text.at(-1)) && (text.length === 1 || isDot(text.at(-2)));
const isDot = (character: string | undefined): boolean => character !== undefined && '.…‥·・．'.includes(character);

export function shortenLeader(line: Line): Line {
  if (!line.words.some(mayLead)) return line;
  const words: Word[] = [];
  let dots: Word[] = [];
  let isShortened = false;
  const flush = (): void => {
    if (dotCount(dots) >= MIN_DOTS) {
      isShortened = true;
      words.push(leader(dots, line));
    } else words.push(...dots);
    dots = [];
  };
  for (const word of line.words) {
    const tail = /(?:[.·・．]{4,}|[…‥]{2,})$/u.exec(word.text)?.[0];
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

/** Counts dots; an ellipsis has three. */
const dotCount = (words: readonly Word[]): number =>
  words.reduce((sum, { text }) => sum + text.length + 2 * (text.match(/…/g)?.length ?? 0), 0);

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
