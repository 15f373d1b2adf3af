/** Detects fill-in blanks: rules on a text line in place of words. Without them the line would be split. */
import type { PageContent, Rule, Word } from '../page/page-content.ts';
import { mergedRules } from '../tables/ruled/rules.ts';

const BLANK = '____';
/**
 * Width limits of a blank: shorter rules (points) are dashes, longer ones (share of the page width) separate sections.
 */
const MIN_WIDTH = 8;
const MAX_WIDTH = 0.8;
/** Vertical range of a blank above and below the baseline, in font sizes. */
const ABOVE = 0.1;
const BELOW = 0.35;
/** Maximum distance to the neighbouring word, in font sizes. */
const MAX_GAP_X = 1.1;
/** Maximum number of rules; a page with more of them is a drawing. */
const MAX_RULES = 500;

/** Replaces each blank's rules by a word of underscores. */
export function withFillInBlanks(page: PageContent): PageContent {
  const rules = mergedRules(page.rules, true);
  if (rules.length === 0 || rules.length > MAX_RULES || page.words.length === 0) return page;
  const verticals = page.rules.filter((rule) => !rule.horizontal);
  const candidates = rules.filter(
    (rule) =>
      rule.to - rule.from >= MIN_WIDTH &&
      rule.to - rule.from <= MAX_WIDTH * page.width &&
      !verticals.some((other) => touches(rule, other)),
  );
  if (candidates.length === 0) return page;
  const byBaseline = page.words
    .map((word, index): PlacedWord => ({ word, index }))
    .filter(({ word }) => word.angle === 0)
    .toSorted((a, b) => a.word.baseline - b.word.baseline);
  const blanks = candidates.flatMap((rule) => blankOn(rule, byBaseline) ?? []);
  if (blanks.length === 0) return page;
  const inBlank = (rule: Rule): boolean => rule.horizontal && blanks.some((blank) => isPartOf(rule, blank.rule));
  return { ...page, words: inserted(page.words, blanks), rules: page.rules.filter((rule) => !inBlank(rule)) };
}

interface PlacedWord {
  word: Word;
  index: number;
}

interface Blank {
  rule: Rule;
  word: Word;
  /** Index of the page's word that the blank precedes. */
  index: number;
}

const touches = (rule: Rule, other: Rule): boolean =>
  other.at > rule.from - 2 && other.at < rule.to + 2 && other.from < rule.at + 2 && other.to > rule.at - 2;

const isPartOf = (rule: Rule, whole: Rule): boolean =>
  Math.abs(rule.at - whole.at) < 2 && rule.from >= whole.from - 1 && rule.to <= whole.to + 1;

function blankOn(rule: Rule, byBaseline: readonly PlacedWord[]): Blank | undefined {
  const level = byBaseline.slice(firstFrom(byBaseline, rule.at - MAX_SIZE), firstFrom(byBaseline, rule.at + MAX_SIZE));
  const beside = level.filter(
    ({ word }) => word.baseline <= rule.at + ABOVE * word.size && word.baseline >= rule.at - BELOW * word.size,
  );
  if (beside.some(({ word }) => word.x1 > rule.from + 1 && word.x0 < rule.to - 1)) return undefined;
  const before = nearest(beside, ({ word }) => rule.from - word.x1);
  const after = nearest(beside, ({ word }) => word.x0 - rule.to);
  const model = before ?? after;
  // A rule after a number belongs to a sum in a table column.
  if (model === undefined || (after === undefined && !/\p{L}|:$/u.test(model.word.text))) return undefined;
  const word: Word = { ...model.word, text: BLANK, x0: rule.from, x1: rule.to, glued: false };
  return { rule, word, index: before === undefined ? model.index : before.index + 1 };
}

/** Returns the nearest word within the allowed distance of the blank. */
function nearest(words: readonly PlacedWord[], distance: (placed: PlacedWord) => number): PlacedWord | undefined {
  const near = words.filter((placed) => distance(placed) >= -1 && distance(placed) <= MAX_GAP_X * placed.word.size);
  return near.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Maximum font size, in points, of text with blanks. */
const MAX_SIZE = 40;

/** Returns the index of the first word with a baseline at `y` or below (binary search). */
function firstFrom(byBaseline: readonly PlacedWord[], y: number): number {
  let [low, high] = [0, byBaseline.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byBaseline[middle]?.word.baseline ?? Infinity) < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

function inserted(words: readonly Word[], blanks: readonly Blank[]): Word[] {
  const result: Word[] = [];
  let done = 0;
  for (const { word, index } of blanks.toSorted((a, b) => a.index - b.index)) {
    result.push(...words.slice(done, index), word);
    done = index;
  }
  result.push(...words.slice(done));
  return result;
}
