/** JSON Schema (2020-12, as OpenAPI 3.1 has it) of our zod schemas; those with an `id` become shared components. */
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export class SchemaRegistry {
  readonly components: Record<string, JsonSchema> = {};

  /** `input`: what may be sent; `output`: what is answered. */
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _dialect,
      $defs,
      ...described
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // zod leaves defaults out where a value is transformed; ours have the same type on both sides.
        if (io === 'input' && zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
        // Answers may gain fields; clients must not refuse those.
        if (io === 'output') delete jsonSchema.additionalProperties;
      },
    });
    for (const [id, definition] of Object.entries($defs ?? {})) {
      const shared = relocate(definition);
      if (isObject(shared)) this.components[id] = shared;
    }
    return relocate(described);
  }
}

/** References to `$defs` become references to the document's components. */
function relocate<T>(value: T): T;
function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => relocate(member));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? member.replace('#/$defs/', '#/components/schemas/')
        : relocate(member),
    ]),
  );
}
