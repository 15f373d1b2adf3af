/** JSON Schema (2020-12, the dialect of OpenAPI 3.1) of zod schemas; those with an `id` become shared components. */
import { z } from 'zod';
import { isAbsentWhenNull } from '../../validation/fields.ts';

export type JsonSchema = Record<string, unknown>;

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Marks a field whose null is removed from its description; never part of the result. */
const NULL_IS_ABSENT = 'x-null-is-absent';

export class SchemaRegistry {
  readonly components: Record<string, JsonSchema> = {};

  /** Returns the schema of requests (`input`) or of answers (`output`). */
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _dialect,
      $defs,
      ...described
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // zod leaves out the default of a transformed value; ours have the same type on both sides.
        if (io === 'input' && zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
        if (io === 'input' && isAbsentWhenNull(zodSchema)) Reflect.set(jsonSchema, NULL_IS_ABSENT, true);
        // Answers may gain fields; clients must not refuse those.
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    for (const [id, definition] of Object.entries($defs ?? {})) {
      const shared = finish(definition);
      if (isSchema(shared)) this.components[id] = shared;
    }
    return finish(described);
  }

  /** Makes the schema a component, unless it is a reference to one, and returns the reference. */
  share(name: string, schema: JsonSchema): JsonSchema {
    if (typeof schema['$ref'] === 'string' && Object.keys(schema).length === 1) return schema;
    this.components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Describes a tuple as a list of fixed length: code generators do not read `prefixItems`. */
function describeTuple({ prefixItems, ...schema }: JsonSchema): JsonSchema {
  const items = prefixItems as JsonSchema[];
  const distinct = [...new Map(items.map((each) => [JSON.stringify(each), each])).values()];
  const [only] = distinct;
  return {
    ...schema,
    items: distinct.length === 1 && only !== undefined ? only : { anyOf: distinct },
    minItems: items.length,
    maxItems: items.length,
  };
}

/** Points references at the components of the document, rewrites tuples, and applies `NULL_IS_ABSENT`. */
function finish<T>(value: T): T;
function finish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => finish(member));
  if (!isSchema(value)) return value;
  const { [NULL_IS_ABSENT]: nullIsAbsent, ...schema } = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : finish(member),
    ]),
  );
  // The component has the type; only a description is kept beside the reference.
  if (typeof schema['$ref'] === 'string') return pickReference(schema);
  const plain = Array.isArray(schema['prefixItems']) ? describeTuple(schema) : schema;
  return nullIsAbsent === true ? withoutNull(plain) : plain;
}

const pickReference = ({ $ref, description }: JsonSchema): JsonSchema =>
  description === undefined ? { $ref } : { $ref, description };

/** Removes the branch `null` of an `anyOf`. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const branches = (anyOf as JsonSchema[]).filter((branch) => branch['type'] !== 'null');
  return branches.length === 1 ? { ...branches[0], ...rest } : { anyOf: branches, ...rest };
}

/** Content of any bytes. */
export const BYTES: JsonSchema = { type: 'string', format: 'binary' };

/** `createChat` → `CreateChat`. */
export const pascal = (operationId: string): string => operationId.charAt(0).toUpperCase() + operationId.slice(1);
