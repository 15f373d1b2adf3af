/** Describes the bodies of requests: JSON, files and forms. */
import { z } from 'zod';
import { OPTIONAL_FIELDS } from '../document-fields.ts';
import { bodySchemaOf } from '../inputs.ts';
import type { Route } from '../route.ts';
import { EXAMPLE_ID, REQUEST_EXAMPLES } from './examples.ts';
import { BYTES, pascal, withoutNull, type JsonSchema, type SchemaRegistry } from './schemas.ts';

const FILE: JsonSchema = { ...BYTES, description: 'A file with its name.' };
const BINARY: JsonSchema = { 'application/octet-stream': { schema: BYTES } };

/** The form of an upload, with the fields that clients set if the file becomes a document. */
function formSchema(isDocument: boolean, registry: SchemaRegistry): JsonSchema {
  const fields = isDocument ? withoutNull(registry.describe(z.object(OPTIONAL_FIELDS), 'input'))['properties'] : {};
  return {
    type: 'object',
    required: ['file'],
    additionalProperties: false,
    properties: { file: FILE, ...(fields as JsonSchema) },
  };
}

/** Returns undefined for a route without a body. */
export function requestBody(route: Route, registry: SchemaRegistry): JsonSchema | undefined {
  if (route.upload === 'run') return runRequestBody(route, registry);
  if (route.upload === 'file' || route.upload === 'multipart') {
    const isDocument = route.upload === 'multipart';
    const schema = registry.share(isDocument ? 'DocumentForm' : 'FileForm', formSchema(isDocument, registry));
    const form = { 'multipart/form-data': { schema } };
    return { required: true, content: isDocument ? form : { ...form, ...BINARY } };
  }
  if (route.upload === 'binary') return { required: true, content: BINARY };
  const schema = bodySchemaOf(route);
  if (schema === undefined) return undefined;
  return {
    required: !schema.safeParse(undefined).success,
    content: { 'application/json': jsonContent(route, withoutNull(registry.describe(schema, 'input')), registry) },
  };
}

function jsonContent({ operationId }: Route, described: JsonSchema, registry: SchemaRegistry): JsonSchema {
  const example = REQUEST_EXAMPLES[operationId];
  const schema = registry.share(`${pascal(operationId)}Request`, described);
  return { schema, ...(example === undefined ? {} : { example }) };
}

/**
 * Describes a run's form, a part for each block beside the files, and its JSON body of the blocks alone. Files with
 * other part names are permitted and not described: typed clients cannot combine them with the parts that have names.
 */
function runRequestBody(route: Route, registry: SchemaRegistry): JsonSchema {
  const described = withoutNull(registry.describe(bodySchemaOf(route) ?? z.undefined(), 'input'));
  const blocks = registry.components['RunBlocks'] ?? {};
  const form = {
    ...blocks,
    // Generators for Python write broken code for a part of the format `uuid`.
    properties: {
      files: { type: 'array', items: FILE },
      ...(blocks['properties'] as JsonSchema),
      parserId: { type: 'string', examples: [EXAMPLE_ID] },
    },
    additionalProperties: true,
  };
  return {
    required: false,
    content: {
      'multipart/form-data': { schema: registry.share('RunForm', form) },
      'application/json': jsonContent(route, described, registry),
    },
  };
}
