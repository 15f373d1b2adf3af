/** Components without a zod schema: filters, which the domain reads, and lines of a chat stream. */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import type { JsonSchema } from './schemas.ts';

export const FILTER_COMPONENT = 'DocumentFilter';
const FILTER_REFERENCE: JsonSchema = { $ref: `#/components/schemas/${FILTER_COMPONENT}` };

const { filter, filterClauses, filterLevels, filterListValues, filterValues, fieldName, fieldPath } = INPUT_LIMITS;
const number = (value: number): string => value.toLocaleString('en');

const SCALAR: readonly JsonSchema[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }];
const ORDERED: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'number' }] };

const operator = (description: string, schema: JsonSchema, example: unknown): JsonSchema => ({
  description,
  ...schema,
  examples: [example],
});

export const STATIC_COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  [FILTER_COMPONENT]: {
    type: 'object',
    description:
      'A condition on documents: fields with a value or a condition, all of which must hold. Fields are those of a ' +
      'document and `metadata.<key>`. ' +
      `At most ${number(filter.max / 1024)} kB as JSON, ${number(filterClauses.max)} conditions on ${number(filterLevels.max)} ` +
      `levels and ${number(filterValues.max)} values; a name in a path has at most ${number(fieldName.max)} bytes, a path ` +
      `${number(fieldPath.max)} parts.`,
    properties: {
      and: { type: 'array', items: FILTER_REFERENCE, description: 'Filters that must all hold.' },
      or: { type: 'array', items: FILTER_REFERENCE, description: 'Filters of which one must hold.' },
      not: { ...FILTER_REFERENCE, description: 'A filter that must not hold.' },
    },
    additionalProperties: {
      anyOf: [
        ...SCALAR,
        { $ref: '#/components/schemas/FilterCondition' },
        FILTER_REFERENCE,
        { type: 'array', items: FILTER_REFERENCE },
      ],
    },
    examples: [{ 'metadata.year': { gte: 2025 }, status: 'ready' }],
  },
  FilterCondition: {
    type: 'object',
    description: 'Comparisons of one field, all of which must hold.',
    additionalProperties: false,
    properties: {
      eq: operator('Equal to the value.', { anyOf: SCALAR }, 'lease'),
      ne: operator('Not equal to the value.', { anyOf: SCALAR }, 'draft'),
      in: operator(
        `Equal to one of the values, at most ${number(filterListValues.max)}.`,
        { type: 'array', items: { anyOf: SCALAR }, maxItems: filterListValues.max },
        [2025, 2026],
      ),
      gt: operator('Greater than the value.', ORDERED, 2024),
      gte: operator('Greater than or equal to the value.', ORDERED, 2025),
      lt: operator('Less than the value.', ORDERED, 2027),
      lte: operator('Less than or equal to the value.', ORDERED, 2026),
      exists: operator('Whether the field has a value.', { type: 'boolean' }, true),
    },
  },
  DiffcpLine: {
    type: 'object',
    description:
      'One line of a chat stream: changes of the conversation `{ chat, messages }`. Applying every line in order gives ' +
      'the state that `GET …/history` returns.',
    required: ['seq', 'ops'],
    properties: {
      seq: {
        type: 'integer',
        description: 'Number of the line, from 0; a heartbeat repeats the last one.',
        examples: [3],
      },
      ops: {
        type: 'array',
        description: 'Changes to apply in order.',
        items: { $ref: '#/components/schemas/DiffcpOperation' },
      },
    },
  },
  DiffcpOperation: {
    type: 'object',
    description: 'A change of the state: an operation of RFC 6902, or `append` to a string or an array.',
    required: ['op', 'path'],
    properties: {
      op: { type: 'string', enum: ['add', 'replace', 'remove', 'append'], description: 'Kind of the change.' },
      path: {
        type: 'string',
        description: 'JSON Pointer to the changed place.',
        examples: ['/messages/1/parts/0/text'],
      },
      value: { description: 'New or appended value; absent for `remove`.', examples: ['The lease ends'] },
    },
  },
};
