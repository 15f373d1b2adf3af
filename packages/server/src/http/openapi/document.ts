/** The OpenAPI 3.1 document, made from the same declarations that serve the requests. */
import { z } from 'zod';
import { bodySchemaOf, querySchemaOf } from '../inputs.ts';
import { paramNames, type Route, type RoutePermission } from '../route.ts';
import { errorReference, errorResponses, errorSchema, errorStatuses } from './errors.ts';
import { exampleOf, REQUEST_EXAMPLES } from './examples.ts';
import { SchemaRegistry, type JsonSchema } from './schemas.ts';

export interface ApiInfo {
  title: string;
  version: string;
  description: string;
}

const PARAMS: Record<string, string> = {
  ws: 'Workspace',
  col: 'Collection',
  doc_id: 'Document',
  key_id: 'API key',
  model_id: 'Model',
  embedder_id: 'Embedder',
  parser_id: 'Parser',
  chat_id: 'Chat',
  message_id: 'Message',
  run_id: 'Run',
  webhook_id: 'Webhook',
  delivery_id: 'Delivery',
};

const NEEDS: Record<RoutePermission, string> = {
  open: 'Needs no key.',
  any: 'Needs any valid key.',
  read: 'Needs `read`.',
  write: 'Needs `write`.',
  admin: 'Needs `admin`.',
  root: 'Needs the root key.',
};

export function describeApi(routes: readonly Route[], info: ApiInfo, basePath: string): JsonSchema {
  const registry = new SchemaRegistry();
  registry.components['Error'] = errorSchema;
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const operations = (paths[route.path] ??= {});
    operations[route.method.toLowerCase()] = operation(route, registry);
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

function sorted<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function operation(route: Route, registry: SchemaRegistry): JsonSchema {
  const body = requestBody(route, registry);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, NEEDS[route.permission]].filter(Boolean).join(' '),
    tags: [route.tag],
    ...security(route),
    parameters: [...pathParameters(route), ...queryParameters(route, registry), ...headerParameters(route)],
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
    description: name === 'path' ? 'As `outputs` has it' : `${PARAMS[name] ?? name} id`,
    schema: name === 'path' ? { type: 'string' } : { type: 'string', format: 'uuid' },
  }));

function queryParameters(route: Route, registry: SchemaRegistry): JsonSchema[] {
  const schema = querySchemaOf(route);
  const parameters: JsonSchema[] = Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, ...described } = withoutNull(registry.describe(field as z.ZodType, 'input'));
    return {
      name,
      in: 'query',
      required: false,
      ...(description === undefined ? {} : { description }),
      schema: described,
    };
  });
  if (route.signedLinks === true) {
    parameters.push(
      { name: 'expires', in: 'query', description: 'Of a signed link: Unix seconds', schema: { type: 'string' } },
      {
        name: 'signature',
        in: 'query',
        description: 'Of a signed link, in place of a key',
        schema: { type: 'string' },
      },
    );
  }
  return parameters;
}

/** A query cannot say null: what is left of `anyOf: [x, null]` is x. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const branches = (anyOf as JsonSchema[]).filter((branch) => branch['type'] !== 'null');
  return branches.length === 1 ? { ...branches[0], ...rest } : { anyOf: branches, ...rest };
}

const headerParameters = (route: Route): JsonSchema[] =>
  route.upload === 'binary' || route.upload === 'file'
    ? [
        {
          name: 'Content-Disposition',
          in: 'header',
          required: route.upload === 'binary',
          description: "The file's name (RFC 6266; `filename*` wins over `filename`)",
          schema: { type: 'string' },
          example: `attachment; filename="lease.pdf"; filename*=UTF-8''lease.pdf`,
        },
      ]
    : [];

function requestBody(route: Route, registry: SchemaRegistry): JsonSchema | undefined {
  if (route.upload === 'run') return runRequestBody(route, registry);
  if (route.upload === 'file') return { required: true, content: { ...formOf(FILE_FORM), ...BINARY } };
  if (route.upload === 'multipart') return { required: true, content: { 'multipart/form-data': { schema: FORM } } };
  if (route.upload === 'binary') return { required: true, content: { 'application/octet-stream': { schema: {} } } };
  const schema = bodySchemaOf(route);
  if (schema === undefined) return undefined;
  const example = REQUEST_EXAMPLES[route.operationId];
  return {
    required: !schema.safeParse(undefined).success,
    content: {
      'application/json': { schema: registry.describe(schema, 'input'), ...(example === undefined ? {} : { example }) },
    },
  };
}

const formOf = (schema: JsonSchema): JsonSchema => ({ 'multipart/form-data': { schema } });
const BINARY: JsonSchema = { 'application/octet-stream': { schema: {} } };

/** A part for each block beside the files; with `staged` the blocks alone as JSON. */
function runRequestBody(route: Route, registry: SchemaRegistry): JsonSchema {
  const described = registry.describe(bodySchemaOf(route) ?? z.undefined(), 'input');
  const blocks = registry.components['RunBlocks'] ?? {};
  const example = REQUEST_EXAMPLES[route.operationId];
  const form = {
    ...blocks,
    properties: { files: FILES, ...(blocks['properties'] as JsonSchema) },
    additionalProperties: FILE,
  };
  return {
    required: false,
    content: {
      ...formOf(form),
      'application/json': { schema: described, ...(example === undefined ? {} : { example }) },
    },
  };
}

const FILE: JsonSchema = {
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'A file, with its name',
};
const FILES: JsonSchema = { type: 'array', items: FILE };
const FILE_FORM: JsonSchema = {
  type: 'object',
  required: ['file'],
  additionalProperties: false,
  properties: { file: FILE },
};

const FORM: JsonSchema = {
  type: 'object',
  required: ['file'],
  additionalProperties: false,
  properties: {
    file: { type: 'string', contentMediaType: 'application/octet-stream', description: 'The file, with its name' },
    metadata: { type: 'object', additionalProperties: true, description: 'A JSON object' },
    name: { type: 'string', minLength: 1, maxLength: 255, description: "In place of the file's name" },
  },
};

function successes(route: Route, registry: SchemaRegistry): JsonSchema {
  const { response } = route;
  const statuses = route.statuses ?? [200];
  if (typeof response === 'string') {
    const content: JsonSchema = { [response]: { schema: {} } };
    if (route.alternative !== undefined) {
      const schema = envelope(registry.describe(route.alternative, 'output'));
      content['application/json'] = { schema, example: exampleOf(schema, registry.components) };
    }
    return Object.fromEntries(
      statuses.map((status) => [
        status,
        status === 304 ? { description: 'Not changed' } : { description: 'The content', content },
      ]),
    );
  }
  const described = registry.describe(response, 'output');
  const schema = envelope(route.list === true ? listOf(described) : described);
  const example = exampleOf(schema, registry.components);
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: DESCRIPTIONS[status] ?? 'Done', content: { 'application/json': { schema, example } } },
    ]),
  );
}

const DESCRIPTIONS: Record<number, string> = { 200: 'Done', 201: 'Created', 202: 'Accepted; the work goes on' };

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
    cursor: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'For the next page; null on the last' },
    limit: { type: 'integer' },
    total: { type: 'integer', description: 'Of all pages' },
  },
});

const failures = (route: Route): JsonSchema =>
  Object.fromEntries(errorStatuses(route).map((status) => [status, errorReference(status)]));
