/** Builds the OpenAPI 3.1 document from the declarations that serve the requests. */
import { z } from 'zod';
import { FORMAT_ENTRIES } from '@quire/parse/formats';
import { OPTIONAL_FIELDS } from '../document-fields.ts';
import { bodySchemaOf, querySchemaOf } from '../inputs.ts';
import { NDJSON } from '../ndjson.ts';
import { pathParameter } from '../path-parameters.ts';
import { isNumberParam, paramNames, type Route, type RoutePermission } from '../route.ts';
import { describeField, describeFields } from './complete.ts';
import { errorReference, errorResponses, errorSchema, errorStatuses } from './errors.ts';
import { exampleOf, REQUEST_EXAMPLES } from './examples.ts';
import { isSchema, SchemaRegistry, withoutNull, type JsonSchema } from './schemas.ts';
import { STATIC_COMPONENTS } from './static-schemas.ts';

export interface ApiInfo {
  title: string;
  version: string;
  description: string;
}

/** Path parameters that are numbers. */
const NUMBERS: Record<string, string> = {
  page: 'Number of the page, from 1.',
  file: 'Number of the file, from 1, in the order of `outcome.files`; while there is no outcome, of `files`.',
};
const ID = '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e';

const NEEDS: Record<RoutePermission, string> = {
  open: 'Needs no key.',
  any: 'Needs any valid key.',
  read: 'Needs `read`.',
  write: 'Needs `write`.',
  admin: 'Needs `admin`.',
  root: 'Needs the root key.',
};

/** `used` collects the keys of the field descriptions that the document uses, for a test. */
export function describeApi(
  routes: readonly Route[],
  info: ApiInfo,
  basePath: string,
  used: Set<string> = new Set(),
): JsonSchema {
  const registry = new SchemaRegistry();
  Object.assign(registry.components, structuredClone(STATIC_COMPONENTS), { Error: structuredClone(errorSchema) });
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const operations = (paths[route.path] ??= {});
    operations[route.method.toLowerCase()] = operation(route, registry, used);
  }
  for (const [name, schema] of Object.entries(registry.components)) nameBranches(name, schema, registry);
  for (const [name, schema] of Object.entries(registry.components)) {
    schema['description'] ??= `${titleOf(name)}.`;
    describeFields(schema, name, used);
  }
  for (const path of Object.values(paths)) {
    for (const each of Object.values(path)) addAnswerExamples(each, registry.components);
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ key: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API key>' } },
      schemas: sorted(registry.components),
      responses: errorResponses(),
    },
  };
}

/** Makes components of the branches of a union with a constant `type`: `redact` → `RedactEditOperation`. */
function nameBranches(name: string, schema: JsonSchema, registry: SchemaRegistry): void {
  const branches = schema['oneOf'];
  if (!Array.isArray(branches)) return;
  schema['oneOf'] = branches.map((branch: unknown) => {
    const properties = isSchema(branch) ? branch['properties'] : undefined;
    const type = isSchema(properties) ? properties['type'] : undefined;
    const value = isSchema(type) ? type['const'] : undefined;
    return isSchema(branch) && typeof value === 'string' ? registry.share(`${pascal(value)}${name}`, branch) : branch;
  });
}

/** `CreateChatRequest` → `Create chat request`. */
function titleOf(name: string): string {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const pascal = (operationId: string): string => operationId.charAt(0).toUpperCase() + operationId.slice(1);

function sorted<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function operation(route: Route, registry: SchemaRegistry, used: Set<string>): JsonSchema {
  const body = requestBody(route, registry);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, NEEDS[route.permission]].filter(Boolean).join(' '),
    tags: [route.tag],
    ...security(route),
    parameters: [...pathParameters(route), ...queryParameters(route, registry, used), ...headerParameters(route)],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...successes(route, registry), ...failures(route) },
  };
}

function security(route: Route): JsonSchema {
  if (route.permission === 'open') return { security: [] };
  return route.signedLinks === true ? { security: [{ key: [] }, {}] } : {};
}

const pathParameters = (route: Route): JsonSchema[] =>
  paramNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    ...describeParam(name),
  }));

function describeParam(name: string): JsonSchema {
  if (name === 'path') {
    const description = 'Path of the output, as `outputs` lists it.';
    return { description, schema: { type: 'string' }, example: '1/lease.md' };
  }
  if (isNumberParam(name)) {
    return { description: NUMBERS[name], schema: { type: 'integer', minimum: 1 }, example: 1 };
  }
  const description = `Identifier of the ${pathParameter(name)?.noun ?? name}.`;
  return { description, schema: { type: 'string', format: 'uuid' }, example: ID };
}

function queryParameters(route: Route, registry: SchemaRegistry, used: Set<string>): JsonSchema[] {
  const parameters: JsonSchema[] = Object.entries(querySchemaOf(route)?.shape ?? {}).map(([name, field]) => {
    const described = withoutNull(registry.describe(field as z.ZodType, 'input'));
    const { description, examples, ...schema } = describeField(described, `${route.operationId} query`, name, used);
    const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
    return { name, in: 'query', required: false, description, schema, ...(example === undefined ? {} : { example }) };
  });
  if (route.signedLinks === true) {
    const schema = { type: 'string' };
    parameters.push(
      {
        name: 'expires',
        in: 'query',
        description: 'Time at which a signed link expires, in Unix seconds.',
        schema,
        example: '1777800000',
      },
      {
        name: 'signature',
        in: 'query',
        description: 'Signature of a signed link; it replaces the key.',
        schema,
        example: 'k3J9c1dX',
      },
    );
  }
  return parameters;
}

const headerParameters = (route: Route): JsonSchema[] =>
  route.upload === 'binary' || route.upload === 'file'
    ? [
        {
          name: 'Content-Disposition',
          in: 'header',
          required: route.upload === 'binary',
          description: 'Name of the file (RFC 6266; `filename*` takes precedence over `filename`).',
          schema: { type: 'string' },
          example: `attachment; filename="lease.pdf"; filename*=UTF-8''lease.pdf`,
        },
      ]
    : [];

const BYTES: JsonSchema = { type: 'string', format: 'binary' };
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

function requestBody(route: Route, registry: SchemaRegistry): JsonSchema | undefined {
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
      parserId: { type: 'string', examples: [ID] },
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

function successes(route: Route, registry: SchemaRegistry): JsonSchema {
  const { response } = route;
  const statuses = route.statuses ?? [200];
  const content = typeof response === 'string' ? fileContent(route, response, registry) : dataContent(route, registry);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      status === 304 ? { description: DESCRIPTIONS[status] } : { description: DESCRIPTIONS[status] ?? 'Done', content },
    ]),
  );
}

function dataContent(route: Route, registry: SchemaRegistry): JsonSchema {
  const described = registry.describe(route.response as z.ZodType, 'output');
  const name = referencedName(described) ?? pascal(route.operationId);
  const data = registry.share(name, described);
  const schema =
    route.list === true
      ? registry.share(`${name}ListEnvelope`, envelope(registry.share(`${name}List`, listOf(data))))
      : registry.share(`${name}Envelope`, envelope(data));
  return { 'application/json': { schema } };
}

const referencedName = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

/** Describes an answer that is not JSON, and the JSON answer that can be requested instead of a stream. */
function fileContent(route: Route, contentType: string, registry: SchemaRegistry): JsonSchema {
  const types = route.anyFormat === true ? originalTypes() : [contentType];
  const schema = contentType === NDJSON ? { $ref: '#/components/schemas/DiffcpLine' } : contentSchema(contentType);
  const content: JsonSchema = Object.fromEntries(types.map((type) => [type, { schema }]));
  if (route.alternative !== undefined) {
    const data = registry.describe(route.alternative, 'output');
    const name = referencedName(data) ?? pascal(route.operationId);
    content['application/json'] = { schema: registry.share(`${name}Envelope`, envelope(registry.share(name, data))) };
  }
  return content;
}

const contentSchema = (contentType: string): JsonSchema =>
  contentType.startsWith('text/') ? { type: 'string' } : BYTES;

/** The types of the accepted formats, and the one of an output whose format is not among them. */
const originalTypes = (): string[] => [
  ...new Set(['application/octet-stream', ...FORMAT_ENTRIES.map(([, { contentType }]) => contentType)]),
];

const DESCRIPTIONS: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; the work goes on',
  206: 'The requested range of the content',
  304: 'Not changed',
};

const envelope = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['data', 'status'],
  properties: { data, status: { type: 'string', enum: ['ok'] } },
});

const listOf = (items: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['items', 'cursor', 'limit', 'total'],
  properties: {
    items: { type: 'array', items },
    cursor: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    limit: { type: 'integer' },
    total: { type: 'integer' },
  },
});

/** Adds an example to each JSON answer, made of the examples of its fields. */
function addAnswerExamples(described: unknown, components: Record<string, JsonSchema>): void {
  const responses = isSchema(described) ? described['responses'] : undefined;
  for (const response of Object.values(isSchema(responses) ? responses : {})) {
    const content = isSchema(response) && isSchema(response['content']) ? response['content'] : {};
    const json = content['application/json'];
    if (isSchema(json) && isSchema(json['schema'])) json['example'] ??= exampleOf(json['schema'], components);
  }
}

const failures = (route: Route): JsonSchema =>
  Object.fromEntries(errorStatuses(route).map((status) => [status, errorReference(status)]));
