/** Cheap limits on the size of a run's blocks, checked before the blocks are validated item by item. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import type { ErrorDetail, ErrorLocation } from '../../../errors.ts';
import { limitProblem } from '../../../validation/problem.ts';

/** Maximum number of regular expressions in the operations of one edit; each takes about a millisecond to compile. */
const MAX_PATTERNS = INPUT_LIMITS.editPatterns.max;
/** Maximum number of labels in a taxonomy, over all levels. */
const MAX_LABELS = INPUT_LIMITS.taxonomyLabels.max;

/** Returns a detail for each block that is too large. */
export function checkRunSize(blocks: unknown): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const refuse = (loc: ErrorLocation, limit: number, error: string): void => {
    details.push({ loc, ...limitProblem(limit, error).problem });
  };
  const operations = member(member(blocks, 'editConfig'), 'operations');
  if (countPatterns(operations) > MAX_PATTERNS) {
    refuse(['body', 'editConfig', 'operations'], MAX_PATTERNS, `an edit has at most ${MAX_PATTERNS} patterns`);
  }
  if (countLabels(member(member(blocks, 'classificationConfig'), 'taxonomy')) > MAX_LABELS) {
    refuse(['body', 'classificationConfig', 'taxonomy'], MAX_LABELS, `a taxonomy has at most ${MAX_LABELS} labels`);
  }
  return details;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

function countPatterns(operations: unknown): number {
  if (!Array.isArray(operations)) return 0;
  return operations.reduce<number>((count, operation) => {
    const patterns = member(operation, 'patterns');
    const own = member(operation, 'pattern') === undefined ? 0 : 1;
    return count + own + (Array.isArray(patterns) ? patterns.length : 0);
  }, 0);
}

function countLabels(taxonomy: unknown): number {
  const open: unknown[] = [taxonomy];
  let count = 0;
  for (let nodes = open.pop(); nodes !== undefined; nodes = open.pop()) {
    if (!Array.isArray(nodes)) continue;
    count += nodes.length;
    for (const node of nodes) {
      const children = member(node, 'children');
      if (children !== undefined) open.push(children);
    }
  }
  return count;
}
