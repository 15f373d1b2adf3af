/** Finds footnotes: small print at the bottom of a column that begins with a mark. */
import { overlapX, width } from '../geometry.ts';
import { sizeRatio, type BodyStyle } from '../headings/headings.ts';
import { textOf, type Line } from '../lines/line.ts';
import type { PageContent } from './page-content.ts';
import type { TextElement } from './page-layout.ts';

const MARK = /^(?:\(?\s*\d{1,3}\s*[).]?|[*∗†‡§¶]{1,3}|\[\d{1,3}\]|[a-z]\))(?=\s|\p{Lu}|$)/u;
const MAX_SIZE_RATIO = 0.93;
/** Topmost position of a footnote, as a share of the page height. */
const MIN_TOP_SHARE = 0.45;

export function findFootnotes(groups: readonly TextElement[], page: PageContent, body: BodyStyle): Set<TextElement> {
  const found = new Set<TextElement>();
  for (const element of groups.toSorted((a, b) => b.y1 - a.y1)) {
    const below = groups.filter(
      (other) => other.y0 >= element.y1 - 2 && overlapX(other, element) > 0.3 * width(element),
    );
    if (!below.every((other) => found.has(other))) continue;
    if (isFootnote(element, page, body)) found.add(element);
  }
  return found;
}

function isFootnote(element: TextElement, page: PageContent, body: BodyStyle): boolean {
  const { group } = element;
  const [first] = group.lines;
  if (first === undefined || element.y0 < MIN_TOP_SHARE * page.height) return false;
  if (sizeRatio(group, body) > MAX_SIZE_RATIO || group.bold) return false;
  return startsRaised(first) || MARK.test(textOf(first.words));
}

/** Checks for a superscript first word. */
function startsRaised(line: Line): boolean {
  const [mark, next] = line.words;
  return (
    mark !== undefined &&
    next !== undefined &&
    mark.size < 0.9 * next.size &&
    mark.baseline < next.baseline - 0.1 * next.size
  );
}
