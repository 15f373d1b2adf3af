/** Builds the OpenAPI 3.1 document from the declarations that serve the requests. */
import type { Route, RoutePermission } from '../route.ts';
import { describeFields } from './complete.ts';
import { errorReference, errorResponses, errorSchema, errorStatuses } from './errors.ts';
import { exampleOf } from './examples.ts';
import { parametersOf } from './parameters.ts';
import { requestBody } from './request-bodies.ts';
import { isSchema, pascal, SchemaRegistry, type JsonSchema } from './schemas.ts';
import { STATIC_COMPONENTS } from './static-schemas.ts';
import { successes } from './successes.ts';

export interface ApiInfo {
  title: string;
  version: string;
  description: string;
}

const NEEDS: Record<RoutePermission, string> = {
  open: 'Needs no key.',
  any: 'Needs any valid key.',
  read: 'Needs `read`.',
  write: 'Needs `write`.',
  admin: 'Needs `admin`.',
  root: 'Needs the root key.',
};

/**
 * Yields between parts of the work, which takes 250 ms of processor time in all, and returns the document. `used`
 * collects the keys of the field descriptions that the document uses, for a test.
 */
export function* describeApi(
  routes: readonly Route[],
  info: ApiInfo,
  basePath: string,
  used: Set<string> = new Set(),
): Generator<undefined, JsonSchema> {
  const registry = new SchemaRegistry();
  Object.assign(registry.components, structuredClone(STATIC_COMPONENTS), { Error: structuredClone(errorSchema) });
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const operations = (paths[route.path] ??= {});
    operations[route.method.toLowerCase()] = operation(route, registry, used);
    yield;
  }
  for (const [name, schema] of Object.entries(registry.components)) nameBranches(name, schema, registry);
  for (const [name, schema] of Object.entries(registry.components)) {
    schema['description'] ??= `${titleOf(name)}.`;
    describeFields(schema, name, used);
    yield;
  }
  for (const path of Object.values(paths)) {
    for (const each of Object.values(path)) addAnswerExamples(each, registry.components);
    yield;
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
    parameters: parametersOf(route, registry, used),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...successes(route, registry), ...failures(route) },
  };
}

function security(route: Route): JsonSchema {
  if (route.permission === 'open') return { security: [] };
  return route.signedLinks === true ? { security: [{ key: [] }, {}] } : {};
}

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
