import { createHash } from 'node:crypto';
import type { ErrorLocation } from '../../errors.ts';
import { hasEquality, narrowingCondition } from '../filters/filter-narrowing.ts';
import { filterCondition } from '../filters/filter-sql.ts';
import { parseFilter } from '../filters/filter.ts';
import type { DocumentCondition } from './repository.ts';

/** The condition that a filter of a request stands for; throws a 422 naming every problem at its place. */
export function readDocumentFilter(value: Record<string, unknown>, loc: ErrorLocation): DocumentCondition {
  const filter = parseFilter(value, loc);
  return Object.assign(() => filterCondition(filter), {
    narrowing: narrowingCondition(filter),
    hasEquality: hasEquality(filter),
    identity: createHash('sha256').update(JSON.stringify(filter)).digest('base64'),
  });
}

/** Throws as `readDocumentFilter` does. */
export function checkDocumentFilter(value: Record<string, unknown>, loc: ErrorLocation): void {
  parseFilter(value, loc);
}

/** The documents of these ids. */
export function documentIds(ids: readonly string[]): DocumentCondition {
  return (eb) => eb('documents.id', '=', eb.fn.any(eb.val([...ids])));
}
