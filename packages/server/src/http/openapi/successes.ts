/** Describes the answers of routes to successful requests. */
import type { z } from 'zod';
import { FORMAT_ENTRIES } from '@quire/parse/formats';
import { NDJSON } from '../ndjson.ts';
import type { Route } from '../route.ts';
import { BYTES, pascal, type JsonSchema, type SchemaRegistry } from './schemas.ts';

/** Returns the answers of a route by status. */
export function successes(route: Route, registry: SchemaRegistry): JsonSchema {
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
