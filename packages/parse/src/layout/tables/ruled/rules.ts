/** Normalises drawn rules: joins pieces and drops duplicates. */
import type { Rule } from '../../page/page-content.ts';

/** Distance, in points, up to which parallel rules are one line drawn twice or a double line. */
const SAME_LINE = 2.6;
/** Maximum gap, in points, between pieces of one line. */
const JOIN_GAP = 4;
/** Minimum length, in points; shorter lines are ornaments. */
const MIN_LENGTH = 6;

/** Joins the pieces of each line of the given direction; sorted by position. */
export function mergedRules(rules: readonly Rule[], horizontal: boolean): Rule[] {
  const sorted = rules.filter((rule) => rule.horizontal === horizontal).toSorted((a, b) => a.at - b.at);
  const merged: Rule[] = [];
  let cluster: Rule[] = [];
  for (const rule of sorted) {
    const first = cluster[0];
    if (first !== undefined && rule.at - first.at > SAME_LINE) {
      merged.push(...joined(cluster));
      cluster = [];
    }
    cluster.push(rule);
  }
  return [...merged, ...joined(cluster)].filter((rule) => rule.to - rule.from >= MIN_LENGTH);
}

/** Joins rules of one height where they touch. */
function joined(cluster: readonly Rule[]): Rule[] {
  const result: (Rule & { weight: number })[] = [];
  for (const rule of cluster.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    const length = rule.to - rule.from;
    if (last !== undefined && rule.from <= last.to + JOIN_GAP) {
      last.at = (last.at * last.weight + rule.at * length) / (last.weight + length);
      last.weight += length;
      last.to = Math.max(last.to, rule.to);
    } else {
      result.push({ ...rule, weight: length });
    }
  }
  return result.map(({ horizontal, at, from, to }) => ({ horizontal, at, from, to }));
}
