/**
 * Finds references that lead back to themselves before any property or item is entered. No value could be checked
 * against them.
 */
import { LIST_KEYWORDS, SCHEMA_KEYWORDS } from './keywords.ts';

/** Keywords whose schemas apply to the value itself and not to a part of it. */
const SAME_VALUE = new Set<string>(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** Returns the name of a definition on such a loop, if any. `definitions` are those written by `readSchema`. */
export function endlessDefinition(definitions: ReadonlyMap<string, unknown>): string | undefined {
  const state = new Map<string, 'open' | 'done'>();
  const visit = (name: string): string | undefined => {
    if (state.get(name) === 'open') return name;
    if (state.get(name) === 'done') return undefined;
    state.set(name, 'open');
    for (const next of sameValueReferences(definitions.get(name))) {
      const found = visit(next);
      if (found !== undefined) return found;
    }
    state.set(name, 'done');
    return undefined;
  };
  for (const name of definitions.keys()) {
    const found = visit(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function sameValueReferences(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const fields = schema as Record<string, unknown>;
  const found: string[] = [];
  if (typeof fields['$ref'] === 'string') found.push(fields['$ref'].slice('#/$defs/'.length));
  for (const keyword of [...LIST_KEYWORDS, ...SCHEMA_KEYWORDS, 'dependentSchemas']) {
    const value = fields[keyword];
    if (value === undefined || !SAME_VALUE.has(keyword)) continue;
    const members = Array.isArray(value)
      ? value
      : keyword === 'dependentSchemas'
        ? Object.values(value as object)
        : [value];
    for (const member of members) found.push(...sameValueReferences(member));
  }
  return found;
}
