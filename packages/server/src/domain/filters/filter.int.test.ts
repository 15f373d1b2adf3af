/** Compares the SQL of random filters with an in-memory evaluation over random documents. */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.ts';
import { narrowingCondition } from './filter-narrowing.ts';
import { filterCondition } from './filter-sql.ts';
import { parseFilter, type Filter, type FilterField, type Scalar } from './filter.ts';

interface StoredDocument {
  id: string;
  name: string;
  contentType: string;
  sizeBytes: number;
  language: string | null;
  pageCount: number | null;
  createdAt: string;
  readyAt: string | null;
  metadata: Record<string, unknown>;
  [field: string]: unknown;
}

const texts = fc.constantFrom(
  'a',
  'b',
  'B',
  'é',
  '日本',
  '😀',
  '\uffee',
  '',
  '1',
  "o'k",
  '%',
  '"',
  '\\',
  'true',
  'null',
  "'; drop table documents; --",
  '2020',
  '2020-03',
  '2020-03-15',
  '2020-03-15T10:00:00Z',
  '2021-11-01 and so on',
  '2021-1',
);
const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1, 1.5, -2, 1e21, 1e-7, 12345678901234),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const times = fc.constantFrom('2026-01-02T03:04:05.678Z', '2025-12-31T23:59:59.999Z', '2026-01-02T03:04:05.679Z');
const scalars: fc.Arbitrary<Scalar> = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null));
const metadataValues = fc.oneof(
  { weight: 4, arbitrary: scalars },
  fc.array(scalars, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('x', 'y'), fc.oneof(scalars, fc.array(scalars, { maxLength: 2 }))),
);
const documents: fc.Arbitrary<StoredDocument> = fc.record({
  id: fc.constant(null).map(() => randomUUID()),
  name: texts,
  contentType: fc.constantFrom('text/plain', 'application/pdf'),
  sizeBytes: fc.constantFrom(0, 1, 5_000_000_000),
  language: fc.constantFrom('de', 'en', null),
  pageCount: fc.constantFrom(1, 20, null),
  createdAt: times,
  readyAt: fc.option(times),
  metadata: fc.dictionary(fc.constantFrom('x', 'tags', "o'k", 'a b'), metadataValues),
});

const operatorsOn = (operand: fc.Arbitrary<unknown>, ordered: fc.Arbitrary<unknown>) =>
  fc.oneof(
    operand,
    fc.record({ eq: operand }),
    fc.record({ ne: operand }),
    fc.record({ in: fc.array(operand, { maxLength: 3 }) }),
    // More values than are looked up together.
    fc.record({ in: fc.array(operand, { minLength: 11, maxLength: 14 }) }),
    fc.record({ exists: fc.boolean() }),
    fc.constantFrom('gt', 'gte', 'lt', 'lte').chain((operator) => fc.record({ [operator]: ordered })),
    fc.record({ gte: ordered, lt: ordered }),
  );
const condition = fc.oneof(
  {
    weight: 3,
    arbitrary: fieldCondition(
      ['metadata.x', 'metadata.tags', "metadata.o'k", 'metadata.a b', 'metadata.x.y', 'metadata.none'],
      scalars,
      fc.oneof(texts, numbers),
    ),
  },
  fieldCondition(
    ['name', 'contentType', 'language', 'id', 'parentId', 'status'],
    fc.oneof(texts, fc.constantFrom('de', 'text/plain', 'ready', null)),
    texts,
  ),
  fieldCondition(
    ['sizeBytes', 'pageCount', 'chunkCount'],
    fc.oneof(numbers, fc.constantFrom(20, 5_000_000_000, null)),
    numbers,
  ),
  fieldCondition(['createdAt', 'readyAt'], fc.oneof(times, fc.constant(null)), times),
);
const filters = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({ not: tie('filter') }),
    fc.record({ and: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.tuple(condition, condition).map(([a, b]) => ({ ...a, ...b })),
  ),
})).filter;

function fieldCondition(names: string[], operand: fc.Arbitrary<unknown>, ordered: fc.Arbitrary<unknown>) {
  return fc.tuple(fc.constantFrom(...names), operatorsOn(operand, ordered)).map(([name, value]) => ({ [name]: value }));
}

const AMONG = { workspaceId: randomUUID(), collectionIds: [randomUUID()] };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Selects from rows of the statement itself, which needs no workspace or collection. */
async function idsBySql(
  stored: readonly StoredDocument[],
  filter: Filter,
  condition = filterCondition(filter),
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with documents as (
      select (d ->> 'id')::uuid as id, null::uuid as parent_id, d ->> 'name' as name, 'ready' as status,
        d ->> 'contentType' as content_type, (d ->> 'sizeBytes')::bigint as size_bytes, d ->> 'language' as language,
        (d ->> 'pageCount')::integer as page_count, 0 as chunk_count, (d ->> 'createdAt')::timestamptz + interval '999 microseconds' as created_at,
        (d ->> 'createdAt')::timestamptz as modified_at, (d ->> 'readyAt')::timestamptz as ready_at,
        d -> 'metadata' as metadata, row_number() over () as key, ${AMONG.workspaceId}::uuid as workspace_id,
        ${AMONG.collectionIds[0]}::uuid as collection_id, 1 as searchable_revision, null::timestamptz as deleted_at
      from jsonb_array_elements(${JSON.stringify(stored)}::jsonb) d
    )
    select id from documents where ${condition}`.execute(database.db);
  return rows.map((row) => row.id).toSorted();
}

function holds(filter: Filter, document: StoredDocument): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => holds(part, document));
    case 'or':
      return filter.parts.some((part) => holds(part, document));
    case 'not':
      return !holds(filter.part, document);
    case 'exists':
      return valueOf(filter.field, document) !== null;
    case 'in':
      return elements(valueOf(filter.field, document)).some((each) => filter.values.some((wanted) => wanted === each));
    case 'compare':
      return elements(valueOf(filter.field, document)).some(
        (each) => typeof each === typeof filter.value && ordered(filter.operator, order(each, filter.value)),
      );
  }
}

function valueOf(field: FilterField, document: StoredDocument): unknown {
  if (field.kind === 'column')
    return (
      new Map<string, unknown>(Object.entries({ status: 'ready', chunkCount: 0, ...document })).get(field.name) ?? null
    );
  let value: unknown = document.metadata;
  for (const key of field.path) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    value = isObject && Object.hasOwn(value as object, key) ? (value as Record<string, unknown>)[key] : null;
  }
  return value;
}

const elements = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const ordered = (operator: 'gt' | 'gte' | 'lt' | 'lte', sign: number) =>
  ({ gt: sign > 0, gte: sign >= 0, lt: sign < 0, lte: sign <= 0 })[operator];

/** Compares texts by code points, as `collate "C"` does. */
function order(a: unknown, b: unknown): number {
  return typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

test('matches the same documents in SQL as in memory', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(documents, { minLength: 1, maxLength: 8 }), filters, async (stored, written) => {
      const filter = parseFilter(written, []);
      const expected = stored.filter((document) => holds(filter, document)).map((document) => document.id);
      expect(await idsBySql(stored, filter)).toEqual(expected.toSorted());
      const narrowing = narrowingCondition(filter);
      if (narrowing === null) return;
      const narrowed = sql<boolean>`(${filterCondition(filter)} and ${narrowing(AMONG)})`;
      expect(await idsBySql(stored, filter, narrowed)).toEqual(expected.toSorted());
    }),
    { numRuns: 1000 },
  );
});

const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const day = fc.date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });

test.each([
  ['number', double.map((value): Scalar => value)],
  ['date', day.map((value): Scalar => value.toISOString())],
] as const)('ranges of a %s lose nothing when they are narrowed by the index', async (_, value) => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), value, value, async (values, a, b) => {
      const stored = [...values, a, b].map(
        (x) => ({ id: randomUUID(), createdAt: '2026-01-01T00:00:00Z', metadata: { at: { x } } }) as never,
      );
      const [from, to] = [a, b].toSorted((one, other) => order(one, other));
      const filter = parseFilter({ 'metadata.at.x': { gte: from, lte: to } }, []);
      const narrowing = narrowingCondition(filter)!(AMONG);
      const expected = await idsBySql(stored, filter);
      expect(expected.length).toBeGreaterThanOrEqual(2);
      expect(await idsBySql(stored, filter, sql<boolean>`(${filterCondition(filter)} and ${narrowing})`)).toEqual(
        expected,
      );
    }),
    { numRuns: 200 },
  );
});

test('the narrowing condition covers all matches and few others', async () => {
  const stored = Array.from({ length: 1000 }, (_, n) => ({
    id: randomUUID(),
    createdAt: '2026-01-01T00:00:00Z',
    metadata: { n, at: new Date(Date.UTC(2000, 0, n)).toISOString(), ...(n % 10 === 0 ? { tenth: [] } : {}) },
  })) as unknown as StoredDocument[];
  const narrowed = async (written: Record<string, unknown>): Promise<number> => {
    const filter = parseFilter(written, []);
    return (await idsBySql(stored, filter, narrowingCondition(filter)!(AMONG))).length;
  };
  expect(await narrowed({ 'metadata.n': { gte: 500, lt: 510 } })).toBe(11);
  expect(await narrowed({ 'metadata.n': { lt: 10 } })).toBe(11);
  expect(await narrowed({ 'metadata.at': { gte: '2000-02', lte: '2000-02-10' } })).toBe(10);
  expect(await narrowed({ 'metadata.tenth': { exists: true } })).toBe(100);
  expect(await narrowed({ or: [{ 'metadata.n': 7 }, { 'metadata.n': { gt: 998 } }] })).toBe(3);
});

test('does not narrow a filter that no index supports better', () => {
  const narrowing = (written: Record<string, unknown>) => narrowingCondition(parseFilter(written, []));
  expect(narrowing({ 'metadata.x': null })).toBeNull();
  expect(narrowing({ name: 'a' })).toBeNull();
  expect(narrowing({ not: { 'metadata.n': { gt: 1 } } })).toBeNull();
  expect(narrowing({ or: [{ 'metadata.n': { gt: 1 } }, { contentType: 'a' }] })).toBeNull();
  expect(narrowing({ 'metadata.list.0': { gt: 1 } })).toBeNull();
  expect(narrowing({ createdAt: { gt: '2026-01-01' } })).toBeNull();
  expect(narrowing({ or: [{ 'metadata.n': { gt: 1 } }, { sizeBytes: { gt: 1 } }] })).toBeNull();
  expect(narrowing({ or: [{ 'metadata.n': { gt: 1 } }, { createdAt: { gt: '2026-01-01' } }] })).not.toBeNull();
});

test('matches ids in their canonical spelling only', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  const stored = [a, b].map(
    (id) => ({ id, createdAt: '2026-01-01T00:00:00Z', metadata: {} }) as unknown as StoredDocument,
  );
  const found = (filter: Record<string, unknown>): Promise<string[]> => idsBySql(stored, parseFilter(filter, []));
  expect(await found({ id: a })).toEqual([a]);
  expect(await found({ id: a.toUpperCase() })).toEqual([]);
  expect(await found({ id: { in: ['x', b, null] } })).toEqual([b]);
  expect(await found({ id: { ne: a } })).toEqual([b]);
  expect(await found({ parentId: { ne: a } })).toEqual([a, b].toSorted());
  expect(await found({ parentId: null })).toEqual([a, b].toSorted());
});

test('runs a filter of as many conditions as one may have', async () => {
  const filter = parseFilter({ or: Array.from({ length: 200 }, (_, number) => ({ 'metadata.x': number })) }, []);
  const document = (x: number) =>
    ({ id: randomUUID(), createdAt: '2026-01-01T00:00:00Z', metadata: { x } }) as unknown as StoredDocument;
  const stored = [document(199), document(200)];
  expect(await idsBySql(stored, filter)).toEqual([stored[0]!.id]);
});

const longPath = ['metadata', ...Array.from({ length: 31 }, () => 'k'.repeat(256))].join('.');

test.each([
  ['values of one list', { [longPath]: { in: Array.from({ length: 1000 }, (_, number) => number) } }],
  ['conditions', { or: Array.from({ length: 7 }, () => ({ [longPath]: { in: ['a', 'b', 'c'] } })) }],
  ['comparisons', { and: Array.from({ length: 7 }, () => ({ [longPath]: { gt: 1, lt: 3 } })) }],
])('the parameters of the statement grow with the filter, not with names times %s', (_, written) => {
  const filter = parseFilter(written, []);
  const size = (condition: RawBuilder<SqlBool>): number =>
    condition.compile(database.db).parameters.reduce<number>((sum, each) => sum + JSON.stringify(each).length, 0);
  const bytes = JSON.stringify(written).length;
  expect(size(filterCondition(filter)) / bytes).toBeLessThan(10);
  expect(size(narrowingCondition(filter)!(AMONG)) / bytes).toBeLessThan(10);
});
