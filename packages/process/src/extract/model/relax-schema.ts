/** Returns the schema for a part of a document, in which nothing is required and everything may be missing. */
import type { JsonSchema } from '@quire/models/chat-model';
import { LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS } from '../schema/keywords.ts';

/** Keywords that a part may violate although the whole satisfies them. */
const WHOLE_VALUE_KEYWORDS = new Set([
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
    if (WHOLE_VALUE_KEYWORDS.has(keyword)) return [];
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
  // Relaxed alternatives may all match, so `oneOf` becomes `anyOf`.
  return Object.fromEntries(fields.map(([keyword, value]) => [keyword === 'oneOf' ? 'anyOf' : keyword, value]));
}

function nullable(type: unknown): unknown {
  const types: unknown[] = Array.isArray(type) ? type : [type];
  return types.includes('null') ? types : [...types, 'null'];
}

const is = (keywords: readonly string[], keyword: string): boolean => keywords.includes(keyword);
