/** Turns zod's issues into the error details of pydantic v2: same types, messages, contexts and order. */
import type { z } from 'zod';
import { MAX_DETAILS, type ErrorDetail, type ErrorLocation } from '../errors.ts';
import { MISSING, oneOf, plural, problem, valueProblem, type Problem } from './problem.ts';

type Issue = z.core.$ZodIssue;
type Path = (string | number)[];

const TYPES: Record<string, Problem> = {
  string: problem('string_type', 'Input should be a valid string').problem,
  number: problem('float_type', 'Input should be a valid number').problem,
  int: problem('int_type', 'Input should be a valid integer').problem,
  boolean: problem('bool_type', 'Input should be a valid boolean').problem,
  array: problem('list_type', 'Input should be a valid list').problem,
  record: problem('dict_type', 'Input should be a valid dictionary').problem,
  object: problem('model_attributes_type', 'Input should be a valid dictionary or object to extract fields from')
    .problem,
};

/** Checks a value against a schema. `loc` of each detail begins with `part`; at most `MAX_DETAILS` are returned. */
export function validate<T>(
  schema: z.ZodType<T>,
  value: unknown,
  part: ErrorLocation,
): { value: T } | { details: ErrorDetail[] } {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  // pydantic stops at the first failed check of a value: one detail for each place.
  const byPlace = new Map<string, ErrorDetail>();
  for (const issue of result.error.issues) {
    for (const detail of detailsOf(issue, part, value)) {
      const place = JSON.stringify(detail.loc);
      if (!byPlace.has(place)) byPlace.set(place, detail);
      if (byPlace.size >= MAX_DETAILS) return { details: [...byPlace.values()] };
    }
  }
  return { details: [...byPlace.values()] };
}

function detailsOf(issue: Issue, prefix: ErrorLocation, root: unknown, above: Path = []): ErrorDetail[] {
  const path: Path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const loc = [...prefix, ...path];
  const input = valueAt(root, path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_DETAILS).map((key) => ({
      loc: [...loc, key],
      msg: 'Extra inputs are not permitted',
      type: 'extra_forbidden',
      input: valueAt(input, [key]),
    }));
  }
  if (issue.code === 'invalid_union' && 'options' in issue && issue.errors.length === 0 && input !== undefined) {
    const expected = oneOf(issue.options ?? []);
    return [{ loc, ...problem('enum', `Input should be ${expected}`, { expected }).problem, input }];
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return closestBranch(issue.errors).flatMap((inner) => detailsOf(inner, prefix, root, path));
  }
  const found = input === undefined && issue.code !== 'custom' ? MISSING : problemOf(issue, input);
  return [{ loc, ...found, ...(input === undefined || found.type === 'missing' ? {} : { input }) }];
}

/** Returns the issues of the branch of a union that matched furthest into the value, or at least its type. */
function closestBranch(branches: Issue[][]): Issue[] {
  const depth = (issues: Issue[]): number => issues.reduce((deepest, issue) => Math.max(deepest, issue.path.length), 0);
  const hasType = (issues: Issue[]): number => (issues.some(({ code }) => OF_THE_TYPE.has(code)) ? 1 : 0);
  return branches.toSorted((a, b) => depth(b) - depth(a) || hasType(b) - hasType(a))[0] ?? [];
}

/** Codes of issues with a value that has the right type. */
const OF_THE_TYPE: ReadonlySet<Issue['code']> = new Set(['too_big', 'too_small']);

function problemOf(issue: Issue, input: unknown): Problem {
  if (issue.code === 'too_small' || issue.code === 'too_big') return sizeProblem(issue, input);
  if (issue.code === 'custom' && isProblem(issue.params?.['problem'])) return issue.params['problem'];
  if (issue.code === 'invalid_value') {
    const expected = oneOf(issue.values);
    return problem(issue.values.length === 1 ? 'literal_error' : 'enum', `Input should be ${expected}`, { expected })
      .problem;
  }
  const known = issue.code === 'invalid_type' ? TYPES[issue.expected] : undefined;
  return known ?? valueProblem(issue.message).problem;
}

const isProblem = (value: unknown): value is Problem => typeof value === 'object' && value !== null && 'type' in value;

function sizeProblem(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>, input: unknown): Problem {
  const small = issue.code === 'too_small';
  const limit = Number(small ? issue.minimum : issue.maximum);
  if (issue.origin === 'array') {
    const actual = Array.isArray(input) ? input.length : 0;
    return problem(
      small ? 'too_short' : 'too_long',
      `List should have at ${small ? 'least' : 'most'} ${plural(limit, 'item')} after validation, not ${actual}`,
      { field_type: 'List', [small ? 'min_length' : 'max_length']: limit, actual_length: actual },
    ).problem;
  }
  if (issue.origin === 'string') {
    return problem(
      small ? 'string_too_short' : 'string_too_long',
      `String should have at ${small ? 'least' : 'most'} ${plural(limit, 'character')}`,
      { [small ? 'min_length' : 'max_length']: limit },
    ).problem;
  }
  const words = small ? 'greater than' : 'less than';
  const type = small ? 'greater_than' : 'less_than';
  return issue.inclusive
    ? problem(`${type}_equal`, `Input should be ${words} or equal to ${limit}`, { [small ? 'ge' : 'le']: limit })
        .problem
    : problem(type, `Input should be ${words} ${limit}`, { [small ? 'gt' : 'lt']: limit }).problem;
}

function valueAt(root: unknown, path: Path): unknown {
  let value: unknown = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}
