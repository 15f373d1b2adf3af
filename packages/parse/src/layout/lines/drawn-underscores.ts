/** Restores underscores that are drawn as rules, as TeX does: `val_compare` would be read as two words. */
import type { PageContent, Rule, Word } from '../page/page-content.ts';
import { groupBy } from '../statistics.ts';

/** Limits of the length of an underscore, in font sizes, and its maximum distance from the letters beside it. */
const [MIN_LENGTH, MAX_LENGTH] = [0.2, 0.7];
const MAX_GAP = 0.15;
/** Vertical range of an underscore above and below the baseline, in font sizes. */
const [ABOVE, BELOW] = [0.1, 0.3];
/** Maximum font size, in points, of text with such underscores. */
const MAX_SIZE = 40;

export function withDrawnUnderscores(page: PageContent): PageContent {
  const short = page.rules.filter(({ horizontal, from, to }) => horizontal && to - from <= MAX_LENGTH * MAX_SIZE);
  if (short.length === 0 || page.words.length === 0) return page;
  const byHeight = groupBy(short, ({ at }) => Math.round(at));
  const used = new Set<Rule>();
  const words: Word[] = [];
  for (const word of page.words) {
    const last = words.at(-1);
    const rule = last === undefined ? undefined : underscoreBetween(last, word, byHeight);
    if (last === undefined || rule === undefined) words.push(word);
    else {
      used.add(rule);
      words[words.length - 1] = { ...last, text: `${last.text}_${word.text}`, x1: word.x1 };
    }
  }
  if (used.size === 0) return page;
  const isUsed = (rule: Rule): boolean =>
    rule.horizontal && [...used].some((other) => Math.abs(other.at - rule.at) < 1 && covers(other, rule));
  return { ...page, words, rules: page.rules.filter((rule) => !isUsed(rule)) };
}

/** Returns the rule that fills the gap between two words of one line. */
function underscoreBetween(
  before: Word,
  after: Word,
  byHeight: ReadonlyMap<number, readonly Rule[]>,
): Rule | undefined {
  const { size, baseline } = before;
  if (before.angle !== 0 || after.angle !== 0 || Math.abs(after.baseline - baseline) > 0.5) return undefined;
  const gap = after.x0 - before.x1;
  if (gap < MIN_LENGTH * size || gap > (MAX_LENGTH + 2 * MAX_GAP) * size) return undefined;
  const fills = ({ at, from, to }: Rule): boolean =>
    at > baseline - ABOVE * size &&
    at < baseline + BELOW * size &&
    to - from > MIN_LENGTH * size &&
    Math.abs(from - before.x1) < MAX_GAP * size &&
    Math.abs(after.x0 - to) < MAX_GAP * size;
  for (let height = Math.floor(baseline - ABOVE * size); height <= baseline + BELOW * size + 1; height++) {
    const rule = byHeight.get(height)?.find(fills);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

const covers = (whole: Rule, { from, to }: Rule): boolean => from >= whole.from - 0.5 && to <= whole.to + 0.5;
