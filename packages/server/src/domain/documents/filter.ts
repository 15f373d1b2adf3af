import { createHash } from 'node:crypto';
import type { ErrorLocation } from '../../errors.ts';
import { hasEquality, narrowingCondition } from '../filters/filter-narrowing.ts';
import { filterCondition } from '../filters/filter-sql.ts';
import { parseFilter, type Filter } from '../filters/filter.ts';
import type { DocumentCondition } from './repository.ts';

/** Parses the filter of a request into a condition; throws a 422 that locates every problem. */
export function readDocumentFilter(value: Record<string, unknown>, loc: ErrorLocation): DocumentCondition {
  return conditionOf(parseFilter(value, loc));
}

/** Parses a filter that was checked when it was stored; it may be larger than one of a request. */
export function readStoredFilter(value: Record<string, unknown>, loc: ErrorLocation): DocumentCondition {
  return conditionOf(parseFilter(value, loc, 'stored'));
}

function conditionOf(filter: Filter): DocumentCondition {
  return Object.assign(() => filterCondition(filter), {
    narrowing: narrowingCondition(filter),
    hasEquality: hasEquality(filter),
    identity: createHash('sha256').update(JSON.stringify(filter)).digest('base64'),
  });
}

/** Validates a filter; throws as `readDocumentFilter` does. */
export function checkDocumentFilter(value: Record<string, unknown>, loc: ErrorLocation): void {
  parseFilter(value, loc);
}

/** Returns the condition that matches these ids. */
export function documentIds(ids: readonly string[]): DocumentCondition {
  return (eb) => eb('documents.id', '=', eb.fn.any(eb.val([...ids])));
}
