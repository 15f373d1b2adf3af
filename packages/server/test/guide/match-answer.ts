/**
 * Compares an answer with the documented one. Ids, timestamps, hashes and numbers match any value of their kind; `…`
 * matches what a page leaves out: a string, its rest, further members of an object or further elements of an array.
 */
import type { AnswerKind } from './read-page.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HASH = /^[0-9a-f]{64}$/;
const REST = '…';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the differences, each with its JSON path; empty if the answer is as documented. */
export function differences(documented: unknown, actual: unknown, path = '$'): string[] {
  if (documented === REST) return [];
  if (Array.isArray(documented)) return arrayDifferences(documented, actual, path);
  if (isObject(documented)) return objectDifferences(documented, actual, path);
  if (typeof documented === 'number' && typeof actual === 'number') return [];
  if (typeof documented === 'string' && typeof actual === 'string') {
    if ([UUID, TIMESTAMP, HASH].some((kind) => kind.test(documented) && kind.test(actual))) return [];
    if (documented.endsWith(REST) && actual.startsWith(documented.slice(0, -REST.length))) return [];
  }
  return Object.is(documented, actual)
    ? []
    : [`${path}: ${JSON.stringify(actual)} is not ${JSON.stringify(documented)}`];
}

function arrayDifferences(documented: readonly unknown[], actual: unknown, path: string): string[] {
  if (!Array.isArray(actual)) return [`${path}: ${JSON.stringify(actual)} is no array`];
  const isOpen = documented.at(-1) === REST;
  const shown = isOpen ? documented.slice(0, -1) : documented;
  if (isOpen ? actual.length < shown.length : actual.length !== shown.length) {
    return [`${path}: ${actual.length} elements, ${shown.length} are documented: ${JSON.stringify(actual)}`];
  }
  return shown.flatMap((each, index) => differences(each, actual[index], `${path}[${index}]`));
}

function objectDifferences(documented: Record<string, unknown>, actual: unknown, path: string): string[] {
  if (!isObject(actual)) return [`${path}: ${JSON.stringify(actual)} is no object`];
  const names = Object.keys(documented).filter((name) => name !== REST);
  const unnamed = REST in documented ? [] : Object.keys(actual).filter((name) => !names.includes(name));
  return [
    ...unnamed.map((name) => `${path}.${name}: not documented: ${JSON.stringify(actual[name])}`),
    ...names.flatMap((name) =>
      name in actual
        ? differences(documented[name], actual[name], `${path}.${name}`)
        : [`${path}.${name}: missing; the members are ${Object.keys(actual).join(', ')}`],
    ),
  ];
}

/** Lines of text or NDJSON; a line with `…` alone matches any number of lines. */
function lineDifferences(documented: readonly unknown[], actual: readonly unknown[]): string[] {
  const at = documented.indexOf(REST);
  if (at < 0) return differences(documented, actual);
  const tail = documented.length - at - 1;
  return [
    ...differences(documented.slice(0, at), actual.slice(0, at)),
    ...differences(documented.slice(at + 1), tail === 0 ? [] : actual.slice(-tail)),
  ];
}

const linesOf = (text: string): string[] => text.trimEnd().split('\n');
const parseLine = (line: string): unknown => (line === REST ? line : (JSON.parse(line) as unknown));

/** Returns the differences between the output of a request and the documented answer. */
export function answerDifferences(kind: AnswerKind, documented: string, actual: string): string[] {
  if (kind === 'json') return differences(JSON.parse(documented), JSON.parse(actual));
  if (kind === 'text') return lineDifferences(linesOf(documented), linesOf(actual));
  return lineDifferences(linesOf(documented).map(parseLine), linesOf(actual).map(parseLine));
}
