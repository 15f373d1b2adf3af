/** The schema of a part of a document: nothing is required in it, and everything may be missing. */
import type { JsonSchema } from '@quire/models/chat-model';
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from '../schema/keywords.ts';

/** Keywords that a part may break although the whole keeps them. */
const OF_THE_WHOLE = new Set([
  'required',
  'dependentRequired',
  'dependentSchemas',
  'minItems',
  'minProperties',
  'minContains',
  'contains',
  'if',
  'then',
  'else',
  'not',
]);

export function relaxSchema(schema: JsonSchema): JsonSchema {
  const relaxed = relax(schema);
  return typeof relaxed === 'object' && relaxed !== null ? (relaxed as JsonSchema) : schema;
}

function relax(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const fields = Object.entries(schema as JsonSchema).flatMap(([keyword, value]): [string, unknown][] => {
    if (OF_THE_WHOLE.has(keyword)) return [];
    if (keyword === 'type') return [[keyword, nullable(value)]];
    if (keyword === 'enum' && Array.isArray(value))
      return [[keyword, value.includes(null) ? value : [...(value as unknown[]), null]]];
    if (keyword === 'const') return [['enum', [value, null]]];
    if (is(SCHEMA_KEYWORDS, keyword)) return [[keyword, relax(value)]];
    if (is(LIST_KEYWORDS, keyword)) return [[keyword, (value as unknown[]).map(relax)]];
    if (is(MAP_KEYWORDS, keyword) || keyword === '$defs') {
      return [
        [
          keyword,
          Object.fromEntries(Object.entries(value as JsonSchema).map(([name, member]) => [name, relax(member)])),
        ],
      ];
    }
    return [[keyword, value]];
  });
  // Relaxed, several alternatives fit what one of them was for.
  return Object.fromEntries(fields.map(([keyword, value]) => [keyword === 'oneOf' ? 'anyOf' : keyword, value]));
}

function nullable(type: unknown): unknown {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.includes('null') ? types : [...types, 'null'];
}

const is = (keywords: readonly string[], keyword: string): boolean => keywords.includes(keyword);
