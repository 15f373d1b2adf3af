/** Removes grids nested in a cell of another grid, because a cell has text only, no rows and columns. */
import type { Box } from '../../geometry.ts';
import type { Rule } from '../../page/page-content.ts';

/** Cell padding, in points, between a nested grid and the cell around it. */
const MIN_PADDING = 2.6;
const MAX_PADDING = 16;
const SAME_END = 2;
const MIN_WIDTH = 30;

/** Returns the rules without those of nested grids. */
export function withoutNestedGrids(
  horizontal: readonly Rule[],
  vertical: readonly Rule[],
): { horizontal: readonly Rule[]; vertical: readonly Rule[] } {
  const boxes = vertical.flatMap((left) => {
    const right = nestedRight(left, horizontal, vertical);
    return right === undefined ? [] : [{ x0: left.at, x1: right.at, y0: left.from, y1: left.to }];
  });
  if (boxes.length === 0) return { horizontal, vertical };
  const isFree = (rule: Rule): boolean => !boxes.some((box) => isInside(rule, box));
  return { horizontal: horizontal.filter(isFree), vertical: vertical.filter(isFree) };
}

/** Returns the right border of the nested grid with this left border. */
function nestedRight(left: Rule, horizontal: readonly Rule[], vertical: readonly Rule[]): Rule | undefined {
  if (!isPadded(left, -1, horizontal, vertical)) return undefined;
  return vertical.findLast(
    (right) =>
      right.at - left.at > MIN_WIDTH &&
      Math.abs(right.from - left.from) <= SAME_END &&
      Math.abs(right.to - left.to) <= SAME_END &&
      isPadded(right, 1, horizontal, vertical),
  );
}

/** Checks for a longer border beside the rule, at padding distance, with no rule connecting them. */
const isPadded = (rule: Rule, side: 1 | -1, horizontal: readonly Rule[], vertical: readonly Rule[]): boolean =>
  vertical.some((outer) => {
    const gap = (outer.at - rule.at) * side;
    if (gap < MIN_PADDING || gap > MAX_PADDING) return false;
    // The frames of a double line differ in length by the distance of its lines.
    if (outer.to - outer.from < rule.to - rule.from + 2 * gap + 4) return false;
    if (outer.from > rule.from + 1 || outer.to < rule.to - 1) return false;
    const middle = (outer.at + rule.at) / 2;
    return !horizontal.some(
      ({ at, from, to }) => at > rule.from + SAME_END && at < rule.to - SAME_END && from < middle && to > middle,
    );
  });

const isInside = ({ horizontal, at, from, to }: Rule, box: Box): boolean =>
  horizontal
    ? at > box.y0 - SAME_END && at < box.y1 + SAME_END && from > box.x0 - SAME_END && to < box.x1 + SAME_END
    : at > box.x0 - 1 && at < box.x1 + 1 && from > box.y0 - SAME_END && to < box.y1 + SAME_END;
