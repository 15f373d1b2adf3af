/**
 * Finds page numbers within the text: documents that were printed from web pages or from plain text keep the numbers of
 * their former pages, at any height.
 */
import type { FurnitureInput } from './edge-lines.ts';
import { centreX, overlapY } from '../geometry.ts';
import { textOf, type Line } from '../lines/line.ts';

/** Minimum number of page numbers that count on. */
const MIN_NUMBERS = 3;
/** Maximum difference of two consecutive numbers: the number of a page may be lost. */
const MAX_STEP = 3;
/** Maximum distance of their centres, and minimum distance from the left edge of the text, in font sizes. */
const SAME_CENTRE = 1;
const MIN_INDENT = 4;
/** Maximum size relative to the text; numbers of chapters are larger. */
const MAX_SIZE_RATIO = 1.05;
/** Minimum distance of two numbers on one page, as a share of its height. */
const MIN_DISTANCE = 0.2;
/** Minimum distance of the next line below, in font sizes, unless a rule is between them. */
const MIN_GAP = 1.8;
/** Minimum width of a rule between two pages, as a share of the page width. */
const RULE_SHARE = 0.5;

const NUMBER = /^[-–—\s]*(?:(?:page|seite|página|pagina)\s+)?(\d{1,4})(?:\s*(?:of|von|de|di|\/)\s*\d{1,4})?[-–—\s]*$/iu;

/** Returns numbers that are alone on their line, end a part of the text and count on through the document. */
export function flowNumbers(pages: readonly FurnitureInput[], bodySize: number): Line[] {
  const chains: Chain[] = [];
  for (const page of pages) {
    const lines = page.lines.filter((line) => line.words[0]?.angle === 0);
    for (const line of lines.toSorted((a, b) => a.baseline - b.baseline)) {
      const number = Number(NUMBER.exec(textOf(line.words))?.[1] ?? NaN);
      if (Number.isNaN(number) || !endsPart(line, lines, page, bodySize)) continue;
      const chain = chains.find((other) => countsOn(other, { number, line, page }));
      if (chain === undefined) chains.push({ number, line, page, lines: [line] });
      else {
        Object.assign(chain, { number, line, page });
        chain.lines.push(line);
      }
    }
  }
  return chains.flatMap(({ lines }) => (lines.length >= MIN_NUMBERS ? lines : []));
}

interface PageNumber {
  number: number;
  line: Line;
  page: FurnitureInput;
}

/** The last of some page numbers, and the lines of all. */
interface Chain extends PageNumber {
  lines: Line[];
}

/** Checks for the next number in the same place across; numbers close to each other are labels of a chart. */
function countsOn(last: PageNumber, { number, line, page }: PageNumber): boolean {
  if (number <= last.number || number > last.number + MAX_STEP) return false;
  if (page === last.page && line.baseline - last.line.baseline < MIN_DISTANCE * page.height) return false;
  return Math.abs(centreX(last.line) - centreX(line)) < SAME_CENTRE * line.size;
}

function endsPart(line: Line, lines: readonly Line[], page: FurnitureInput, bodySize: number): boolean {
  if (line.bold || line.size > MAX_SIZE_RATIO * bodySize) return false;
  if (line.x0 < Math.min(...lines.map(({ x0 }) => x0)) + MIN_INDENT * line.size) return false;
  if (lines.some((other) => other !== line && overlapY(other, line) > 0)) return false;
  const next = Math.min(...lines.filter((other) => other.y0 >= line.y1).map(({ baseline }) => baseline));
  if (next - line.baseline > MIN_GAP * line.size) return true;
  return page.rules.some(
    ({ horizontal, at, from, to }) =>
      horizontal && to - from > RULE_SHARE * page.width && at > line.baseline && at < next,
  );
}
