/** Finds footnotes: small print at the bottom of a column that begins with a mark, or text below a short rule. */
import { height, overlapX, width } from '../geometry.ts';
import { sizeRatio, type BodyStyle } from '../headings/headings.ts';
import { textOf, type Line } from '../lines/line.ts';
import type { PageContent, Rule } from './page-content.ts';
import type { TextElement } from './page-layout.ts';

const MARK = /^(?:\(?\s*\d{1,3}\s*[).]?|[*∗†‡§¶]{1,3}|\[\d{1,3}\]|[a-z]\))(?=\s|\p{Lu}|$)/u;
const MAX_SIZE_RATIO = 0.93;
/** Topmost position of a footnote, as a share of the page height: without and with a rule above it. */
const MIN_TOP_SHARE = 0.45;
const MIN_RULE_SHARE = 0.3;
/** Length of the rule above footnotes: minimum in points, maximum as a share of the page width. */
const MIN_RULE = 30;
const MAX_RULE_SHARE = 0.45;
/** Maximum number of rules; a page with more of them is a drawing. */
const MAX_RULES = 500;
/** Maximum distance, in sizes of the note, of the first note below the rule. */
const RULE_GAP = 2.5;
/** Maximum size of notes below a rule, relative to the text. */
const MAX_RULED_RATIO = 1.02;
/** Maximum difference of the sizes of one footnote's paragraphs, as a share of the size. */
const SAME_SIZE = 0.04;

export function findFootnotes(groups: readonly TextElement[], page: PageContent, body: BodyStyle): Set<TextElement> {
  const found = new Set<TextElement>();
  const rules = page.rules.length > MAX_RULES ? [] : page.rules;
  for (const rule of rules) for (const note of notesBelow(rule, groups, page, body)) found.add(note);
  // Further paragraphs of a note have no mark; they are kept until the note above them is seen.
  const further = new Set<TextElement>();
  for (const element of groups.toSorted((a, b) => b.y1 - a.y1)) {
    if (found.has(element)) continue;
    const below = groups.filter(
      (other) => other.y0 >= element.y1 - 2 && overlapX(other, element) > 0.3 * width(element),
    );
    if (!below.every((other) => found.has(other) || further.has(other))) continue;
    if (isFootnote(element, page, body)) {
      found.add(element);
      for (const other of further) if (isFurther(other, element)) found.add(other);
    } else if (isSmall(element, page, body)) further.add(element);
  }
  return found;
}

/** Returns the text below a short rule if it begins with a mark. */
function notesBelow(rule: Rule, groups: readonly TextElement[], page: PageContent, body: BodyStyle): TextElement[] {
  const length = rule.to - rule.from;
  if (!rule.horizontal || length < MIN_RULE || length > MAX_RULE_SHARE * page.width) return [];
  if (rule.at < MIN_RULE_SHARE * page.height) return [];
  const below = groups
    .filter((element) => element.y0 > rule.at - 0.3 * element.group.size && overlapX(element, range(rule)) > 0)
    .toSorted((a, b) => a.y0 - b.y0);
  const [first] = below;
  const line = first?.group.lines[0];
  if (first === undefined || line === undefined || first.y0 - rule.at > RULE_GAP * first.group.size) return [];
  if (Math.abs(line.x0 - rule.from) > 2 * line.size || first.group.bold || isUnderline(rule, groups)) return [];
  const ratio = sizeRatio(first.group, body);
  const isMarked = startsRaised(line) || (ratio < 1 && MARK.test(textOf(line.words)));
  if (!isMarked || ratio > MAX_RULED_RATIO) return [];
  const areNotes = below.every(({ group }) => sizeRatio(group, body) <= ratio * (1 + SAME_SIZE) && !isListing(group));
  return areNotes ? below : [];
}

const range = ({ from, to, at }: Rule) => ({ x0: from, x1: to, y0: at, y1: at });

/** Detects a rule directly below text that it underlines. */
const isUnderline = (rule: Rule, groups: readonly TextElement[]): boolean =>
  groups.some(({ group }) =>
    group.lines.some(
      (line) =>
        overlapX(line, range(rule)) > 0.5 * (rule.to - rule.from) &&
        rule.at > line.baseline &&
        rule.at - line.baseline < 0.35 * line.size,
    ),
  );

function isFootnote(element: TextElement, page: PageContent, body: BodyStyle): boolean {
  const [first] = element.group.lines;
  if (first === undefined || !isSmall(element, page, body)) return false;
  return startsRaised(first) || MARK.test(textOf(first.words));
}

const isSmall = ({ group, y0 }: TextElement, page: PageContent, body: BodyStyle): boolean =>
  y0 >= MIN_TOP_SHARE * page.height && sizeRatio(group, body) <= MAX_SIZE_RATIO && !group.bold && !isListing(group);

/** Matches the mark of a note that is not a line number of a listing. */
const POINTED = /^(?:\d{1,3}[.)]|\[|[*∗†‡§¶])/u;

/** Checks for code; notes may be addresses in a monospace font. */
function isListing({ lines }: TextElement['group']): boolean {
  const [first] = lines;
  if (first === undefined || !lines.every((line) => line.monospace)) return false;
  return !startsRaised(first) && !POINTED.test(textOf(first.words));
}

/** Minimum number of words of a further paragraph; labels of drawings are shorter. */
const FURTHER_WORDS = 4;

/** Checks for a paragraph at the left edge and in the size of a note above it, at most a few lines away. */
const isFurther = (element: TextElement, note: TextElement): boolean =>
  Math.abs(element.x0 - note.x0) < 2.5 * note.group.size &&
  element.group.lines.reduce((sum, { words }) => sum + words.length, 0) >= FURTHER_WORDS &&
  element.y0 - note.y1 < Math.max(height(note), 3 * note.group.size) &&
  Math.abs(element.group.size - note.group.size) < SAME_SIZE * note.group.size;

/** Checks for a superscript first word. */
export function startsRaised({ words: [mark, next] }: Line): boolean {
  return (
    mark !== undefined &&
    next !== undefined &&
    mark.size < 0.9 * next.size &&
    mark.baseline < next.baseline - 0.1 * next.size
  );
}
