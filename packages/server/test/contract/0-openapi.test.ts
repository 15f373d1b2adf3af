/** The description of the API: valid, complete, fresh, and every example in it acceptable. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { allRoutes, describeWithoutServices, type AppServices } from '../../src/app.ts';
import { bodySchemaOf } from '../../src/http/inputs.ts';
import { REQUEST_EXAMPLES } from '../../src/http/openapi/examples.ts';
import { Metrics } from '../../src/metrics.ts';

const routes = allRoutes({ services: {} as AppServices, checks: {}, metrics: new Metrics(), basePath: '' });

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema?: object; example?: { data: unknown } }> }>;
}
const described = describeWithoutServices() as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
};

test('docs/openapi.json is what the routes say today (npm run generate)', async () => {
  const file = new URL('../../../../docs/openapi.json', import.meta.url);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(described);
});

test('every route is described, under an operation id of its own', () => {
  const ids = Object.values(described.paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  );
  expect(ids.toSorted()).toEqual(routes.map((route) => route.operationId).toSorted());
  expect(new Set(ids).size).toBe(routes.length);
});

test('what the state of a record can forbid is described with a 409', () => {
  for (const path of ['/v1/w/{ws}/deliveries/{delivery_id}/redeliver', '/v1/w/{ws}/process/{run_id}/submit']) {
    expect(Object.keys(described.paths[path]?.['post']?.responses ?? {})).toContain('409');
  }
});

test('every reference leads somewhere, and every shared schema is used', () => {
  const text = JSON.stringify(described);
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]));
  expect([...used].toSorted()).toEqual(Object.keys(described.components.schemas).toSorted());
});

test('every example of a request is one that its operation accepts', () => {
  const withBody = routes.filter((route) => bodySchemaOf(route) !== undefined);
  for (const route of withBody) {
    const result = bodySchemaOf(route)?.safeParse(REQUEST_EXAMPLES[route.operationId]);
    expect([route.operationId, result?.error?.issues ?? []]).toEqual([route.operationId, []]);
  }
  expect(Object.keys(REQUEST_EXAMPLES).toSorted()).toEqual(withBody.map((route) => route.operationId).toSorted());
});

test('every example of an answer has the shape of the answer', () => {
  for (const route of routes) {
    if (typeof route.response === 'string') continue;
    const status = String(route.statuses?.[0] ?? 200);
    const answer = described.paths[route.path]?.[route.method.toLowerCase()]?.responses[status];
    const data = answer?.content?.['application/json']?.example?.data;
    const values = route.list === true ? (data as { items: unknown[] }).items : [data];
    for (const value of values) {
      const result = route.response.safeParse(value);
      expect([route.operationId, result.error?.issues ?? []]).toEqual([route.operationId, []]);
    }
  }
});
