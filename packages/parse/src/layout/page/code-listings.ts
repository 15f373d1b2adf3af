/** Joins code listings that blank lines, weight changes or indents have split into several elements. */
import { boundsOf, overlapX } from '../geometry.ts';
import { lineOf, type Line } from '../lines/line.ts';
import { MAX_MONOSPACE_SHARE, type BodyStyle } from '../headings/headings.ts';
import type { PageElement, TextElement } from './page-layout.ts';

/** Maximum gap within a listing, in lines. */
const BLANK_LINES = 2;

/** Joins the parts of each monospace line that wide gaps have divided, as in the output of commands. */
export function joinListingRows(lines: readonly Line[]): readonly Line[] {
  const joined: Line[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last !== undefined && isUpright(last) && isUpright(line) && isSameRow(last, line))
      joined[joined.length - 1] = lineOf([...last.words, ...line.words], last.order);
    else joined.push(line);
  }
  return joined;
}

const isUpright = ({ monospace, words }: Line): boolean => monospace && words[0]?.angle === 0;

/** Checks for a part drawn next, to the right on the same baseline and in the same size. */
const isSameRow = (last: Line, line: Line): boolean =>
  line.x0 > last.x1 && Math.abs(last.baseline - line.baseline) < 1 && Math.abs(last.size - line.size) < 0.6;

/** Joins adjacent parts of each listing; keeps the order of the elements. */
export function joinCodeListings(elements: readonly PageElement[], body: BodyStyle): readonly PageElement[] {
  if (body.monospaceShare > MAX_MONOSPACE_SHARE) return elements;
  const joined: PageElement[] = [];
  for (const element of elements) {
    const last = joined.at(-1);
    if (last !== undefined && isListing(last) && isListing(element) && continuesListing(last, element))
      joined[joined.length - 1] = merged(last, element);
    else joined.push(element);
  }
  return joined;
}

const isListing = (element: PageElement): element is TextElement =>
  'group' in element && element.group.lines.every((line) => line.monospace && line.words[0]?.angle === 0);

function continuesListing(above: TextElement, below: TextElement): boolean {
  const { size } = below.group;
  const gap = below.y0 - above.y1;
  const aligned = overlapX(above, below) > 0 || below.x0 > above.x0;
  return Math.abs(above.group.size - size) < 0.6 && gap > -0.5 * size && gap < BLANK_LINES * size && aligned;
}

function merged(above: TextElement, below: TextElement): TextElement {
  const box = boundsOf([above, below]);
  const { group } = above;
  const lines = [...group.lines, ...below.group.lines];
  return { ...above, ...box, weight: above.weight + below.weight, group: { ...group, ...box, lines } };
}
