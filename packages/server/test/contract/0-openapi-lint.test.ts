/**
 * The description of the API as code generators and readers need it: every part named, described and with an example.
 */
import { describe, expect, test } from 'vitest';
import { describeWithoutServices } from '../../src/app.ts';
import { isStructured } from '../../src/http/openapi/complete.ts';
import { FIELD_DESCRIPTIONS, FIELD_GROUPS } from '../../src/http/openapi/field-descriptions.ts';
import { isSchema, type JsonSchema } from '../../src/http/openapi/schemas.ts';

const used = new Set<string>();
const document = describeWithoutServices(used) as {
  paths: Record<string, Record<string, JsonSchema>>;
  components: { schemas: Record<string, JsonSchema> };
};

interface Found {
  place: string;
  schema: unknown;
}

/** Yields every schema below one, with its path. */
function* schemasIn(schema: unknown, place: string): Generator<Found> {
  yield { place, schema };
  if (!isSchema(schema)) return;
  for (const [name, property] of Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}))
    yield* schemasIn(property, `${place}.${name}`);
  for (const keyword of ['items', 'prefixItems', 'not'])
    if (schema[keyword] !== undefined) yield* schemasIn(schema[keyword], `${place}/${keyword}`);
  if (isSchema(schema['additionalProperties']))
    yield* schemasIn(schema['additionalProperties'], `${place}/additionalProperties`);
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    for (const [at, branch] of (Array.isArray(schema[keyword]) ? (schema[keyword] as unknown[]) : []).entries())
      yield* schemasIn(branch, `${place}/${keyword}/${at}`);
}

const all = Object.entries(document.components.schemas).flatMap(([name, schema]) => [...schemasIn(schema, name)]);
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

/** Returns the contents of requests and of successful answers, by operation. */
const contents = operations.flatMap((operation) => {
  const bodies = [operation['requestBody'], ...Object.values(operation['responses'] as JsonSchema)].filter(isSchema);
  return bodies.flatMap((body) =>
    Object.entries(isSchema(body['content']) ? body['content'] : {}).map(([type, content]) => ({
      place: `${String(operation['operationId'])} ${type}`,
      schema: (content as JsonSchema)['schema'],
    })),
  );
});

const isSentence = (text: unknown): boolean => typeof text === 'string' && /^.+\.$/s.test(text);

describe('schemas', () => {
  test('none is a boolean, and none uses prefixItems', () => {
    expect(all.filter(({ schema }) => !isSchema(schema) || 'prefixItems' in schema)).toEqual([]);
  });

  test('every JSON body and answer names a component; files are binary', () => {
    const inline = contents.filter(({ place, schema }) => {
      if (!isSchema(schema)) return true;
      if (schema['format'] === 'binary') return false;
      if (/json|multipart/.test(place)) return schema['$ref'] === undefined;
      return schema['type'] !== 'string';
    });
    expect(inline).toEqual([]);
  });

  const properties = all.filter(({ place }) => /\.[^/]+$/.test(place));

  test('every component and every field has a description that is a sentence', () => {
    const undescribed = properties.filter(
      ({ schema }) =>
        isSchema(schema) &&
        !isSentence(schema['description']) &&
        !('$ref' in schema && schema['description'] === undefined),
    );
    expect(undescribed.map(({ place, schema }) => [place, (schema as JsonSchema)['description']])).toEqual([]);
  });

  test('every field with a plain value has an example', () => {
    const without = properties.filter(
      ({ schema }) => isSchema(schema) && !isStructured(schema) && !Array.isArray(schema['examples']),
    );
    expect(without.map(({ place }) => place)).toEqual([]);
  });

  test('no field of a request takes null where that means no more than leaving it out', () => {
    const requests = all.filter(({ place }) =>
      /^(Create(Chat|Key|Collection|Webhook|Run)|SearchCollection|RunBlocks)/.test(place),
    );
    const nullable = requests.filter(
      ({ place, schema }) => isSchema(schema) && schema['type'] === 'null' && /^[A-Z]\w+\.\w+\/anyOf/.test(place),
    );
    expect(nullable.map(({ place }) => place)).toEqual([
      'CreateChatRequest.instructions/anyOf/1',
      'CreateChatRequest.filter/anyOf/1',
      'CreateCollectionRequest.description/anyOf/1',
      // Null turns off the reranker of the collection.
      'SearchCollectionRequest.rerank/anyOf/1',
      'SearchCollectionsRequest.rerank/anyOf/1',
    ]);
  });

  test('every field description is used', () => {
    expect(Object.keys(FIELD_DESCRIPTIONS).filter((key) => !used.has(key))).toEqual([]);
  });

  test('no two groups describe the same field', () => {
    const names = FIELD_GROUPS.flatMap((group) => Object.keys(group));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

test('every operation has a description, and every parameter a sentence and an example', () => {
  const wrong = operations.flatMap((operation) =>
    (operation['parameters'] as JsonSchema[])
      .filter((parameter) => {
        const schema = parameter['schema'];
        const exemplified =
          'example' in parameter ||
          (isSchema(schema) && ('enum' in schema || schema['type'] === 'array' || schema['type'] === 'boolean'));
        return !isSentence(parameter['description']) || !exemplified;
      })
      .map((parameter) => [operation['operationId'], parameter['name'], parameter['description']]),
  );
  expect(wrong).toEqual([]);
});
