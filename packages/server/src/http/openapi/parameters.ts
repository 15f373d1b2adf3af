/** Describes the parameters of routes. */
import type { z } from 'zod';
import { querySchemaOf } from '../inputs.ts';
import { pathParameter } from '../path-parameters.ts';
import { MAX_INT4 } from '../../validation/numbers.ts';
import { isNumberParam, paramNames, type Route } from '../route.ts';
import { describeField } from './complete.ts';
import { EXAMPLE_ID } from './examples.ts';
import { withoutNull, type JsonSchema, type SchemaRegistry } from './schemas.ts';

/** Path parameters that are numbers. */
const NUMBERS: Record<string, string> = {
  page: 'Number of the page, from 1.',
  file: 'Number of the file, from 1, in the order of `outcome.files`; while there is no outcome, of `files`.',
};

/** Returns the parameters of a route in its path, its query and its headers. `used` collects keys of descriptions. */
export const parametersOf = (route: Route, registry: SchemaRegistry, used: Set<string>): JsonSchema[] => [
  ...pathParameters(route),
  ...queryParameters(route, registry, used),
  ...headerParameters(route),
];

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
    return { description: NUMBERS[name], schema: { type: 'integer', minimum: 1, maximum: MAX_INT4 }, example: 1 };
  }
  const description = `Identifier of the ${pathParameter(name)?.noun ?? name}.`;
  return { description, schema: { type: 'string', format: 'uuid' }, example: EXAMPLE_ID };
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
