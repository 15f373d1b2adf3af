/** The error answers, each once: a route names those it can give. */
import type { Route } from '../route.ts';
import { bodySchemaOf, querySchemaOf } from '../inputs.ts';
import { paramNames } from '../route.ts';
import type { JsonSchema } from './schemas.ts';

interface ErrorAnswer {
  name: string;
  description: string;
  detail: { loc: (string | number)[]; msg: string; type: string; input?: unknown; ctx?: Record<string, unknown> };
}

const ANSWERS: Record<number, ErrorAnswer> = {
  400: {
    name: 'BadRequest',
    description: 'The body cannot be read: broken multipart, aborted, not UTF-8',
    detail: { loc: [], msg: 'The body is not valid UTF-8', type: 'bad_request' },
  },
  401: {
    name: 'Unauthorized',
    description: 'No key, or one that is unknown, revoked or expired',
    detail: { loc: [], msg: 'This API key is not valid', type: 'unauthorized' },
  },
  403: {
    name: 'Forbidden',
    description: 'The key is of this workspace but lacks the permission',
    detail: { loc: [], msg: 'This key lacks the permission for this call', type: 'forbidden' },
  },
  404: {
    name: 'NotFound',
    description: 'There is no such thing, or it is of another workspace',
    detail: { loc: [], msg: 'Not found', type: 'not_found' },
  },
  409: {
    name: 'Conflict',
    description: 'The state forbids it; `ctx` says which',
    detail: {
      loc: [],
      msg: 'The document is deleted',
      type: 'deleted',
      ctx: { documentId: '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e' },
    },
  },
  413: {
    name: 'TooLarge',
    description: 'Larger than `ctx.limit`',
    detail: {
      loc: ['body'],
      msg: 'The file is larger than 209715200 bytes',
      type: 'file_too_large',
      ctx: { limit: 209_715_200 },
    },
  },
  415: {
    name: 'UnsupportedFile',
    description: 'Not one of the formats, or the content is not what the name says',
    detail: {
      loc: ['body', 'file'],
      msg: 'The content is not what the name says',
      type: 'file_type_mismatch',
      ctx: { detected: 'png' },
    },
  },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The range lies outside of the content',
    detail: { loc: ['header', 'range'], msg: 'Range not satisfiable', type: 'bad_request' },
  },
  422: {
    name: 'Invalid',
    description: 'Invalid input: all that is wrong with it',
    detail: {
      loc: ['query', 'limit'],
      msg: 'Input should be less than or equal to 100',
      type: 'less_than_equal',
      input: '101',
      ctx: { le: 100 },
    },
  },
  429: {
    name: 'RateLimited',
    description:
      'The key has used up its requests (`rate_limited`): `Retry-After` says when to try again. Or the workspace stores as much as it may (`quota_exceeded`): `ctx` has the quota, without those headers',
    detail: { loc: [], msg: 'This key may make 600 requests a minute', type: 'rate_limited', ctx: { limit: 600 } },
  },
  500: {
    name: 'Internal',
    description: 'A failure of ours; the request id finds it in the log',
    detail: {
      loc: [],
      msg: 'Internal server error',
      type: 'internal',
      ctx: { requestId: '0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e' },
    },
  },
  503: {
    name: 'Unavailable',
    description: 'Not available for a moment; try again after `Retry-After` seconds',
    detail: { loc: [], msg: 'The service is not available for a moment', type: 'unavailable' },
  },
};

export const errorSchema: JsonSchema = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'array',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: {
            type: 'array',
            items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
            description:
              'Place of the error: `body`, `query`, `path` or `header`, then keys and indexes; empty if no input is at fault',
          },
          msg: { type: 'string' },
          type: { type: 'string' },
          input: { description: 'The invalid value, up to 2 kB; never a secret', examples: ['abc'] },
          ctx: { type: 'object', additionalProperties: true },
        },
      },
    },
  },
};

const HEADERS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  503: ['Retry-After'],
};

export function errorResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(ANSWERS).map(([status, { name, description, detail }]) => [
      name,
      {
        description,
        ...(HEADERS[Number(status)] === undefined
          ? {}
          : {
              headers: Object.fromEntries(
                (HEADERS[Number(status)] ?? []).map((header) => [header, { schema: { type: 'string' } }]),
              ),
            }),
        content: {
          'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: { detail: [detail] } },
        },
      },
    ]),
  );
}

/** Parameters of records whose state can forbid a change. */
const STATEFUL = new Set(['col', 'model_id', 'embedder_id', 'parser_id', 'chat_id', 'run_id', 'delivery_id']);

/** The statuses of failure that the route can answer with. */
export function errorStatuses(route: Route): number[] {
  const statuses = new Set([500, 503]);
  const takesBody = bodySchemaOf(route) !== undefined || route.upload !== undefined;
  if (route.permission !== 'open') statuses.add(401).add(429);
  if (route.permission !== 'open' && route.permission !== 'any') statuses.add(403);
  if (paramNames(route.path).length > 0) statuses.add(404).add(422);
  if (takesBody || querySchemaOf(route) !== undefined) statuses.add(422);
  if (takesBody) statuses.add(400).add(413);
  if (route.renders === true) statuses.add(413);
  if (route.upload !== undefined) statuses.add(415);
  if (route.method !== 'GET' && paramNames(route.path).some((name) => STATEFUL.has(name))) statuses.add(409);
  // Those name their collections in the body.
  if (route.upload === 'run' || (takesBody && route.limitedKeys === true)) statuses.add(409);
  if (route.statuses?.includes(206) === true) statuses.add(416);
  return [...statuses].toSorted((a, b) => a - b);
}

export const errorReference = (status: number): JsonSchema => ({
  $ref: `#/components/responses/${ANSWERS[status]?.name}`,
});
