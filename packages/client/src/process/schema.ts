/** Schemas of extracted data: JSON Schema, or a schema of a library that implements Standard Schema (zod, ArkType). */

export type JsonSchema = Record<string, unknown>;

interface Issue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

type Result<Output> = { value: Output; issues?: undefined } | { issues: readonly Issue[] };

/** The parts of Standard Schema (standardschema.dev) and its JSON Schema extension that are used. */
export interface StandardSchema<Output = unknown> {
  '~standard': {
    version: 1;
    validate: (value: unknown) => Result<Output> | Promise<Result<Output>>;
    types?: { input: unknown; output: Output } | undefined;
    jsonSchema?: { input: (options: { target: 'draft-2020-12' }) => Record<string, unknown> };
  };
}

export type ExtractionSchema = JsonSchema | StandardSchema;

/** Type of the data that a schema describes; unknown for JSON Schema. */
export type Extracted<S> = S extends StandardSchema<infer Output> ? Output : unknown;

const isStandard = (schema: ExtractionSchema): schema is StandardSchema => '~standard' in schema;

/** Returns the JSON Schema to send. */
export function jsonSchemaOf(schema: ExtractionSchema): JsonSchema {
  if (!isStandard(schema)) return schema;
  const { jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined)
    throw new TypeError('the schema gives no JSON Schema: use a library that does, such as zod 4.2');
  return jsonSchema.input({ target: 'draft-2020-12' });
}

/** Returns the data as the schema's own validator gives it, with its transformations, or the reason for refusing it. */
export async function validated<S extends ExtractionSchema>(
  schema: S,
  data: unknown,
): Promise<{ data: Extracted<S> } | { message: string }> {
  if (!isStandard(schema)) return { data: data as Extracted<S> };
  const result = await schema['~standard'].validate(data);
  if (result.issues === undefined) return { data: result.value as Extracted<S> };
  return {
    message: result.issues.map(({ path = [], message }) => [...path.map(keyOf), message].join(': ')).join('; '),
  };
}

const keyOf = (part: PropertyKey | { key: PropertyKey }): string => String(typeof part === 'object' ? part.key : part);
