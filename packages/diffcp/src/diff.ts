import { formatPointer, type Json, type Operation } from './patch.ts';

/**
 * Returns the operations that turn `before` into `after`: strings and arrays that grew at their end are appended to,
 * and other differences are replaced at the deepest level. `apply(before, diff(before, after))` equals `after`.
 */
export function diff(before: Json, after: Json): Operation[] {
  const ops: Operation[] = [];
  compare(before, after, [], ops);
  return ops;
}

type Path = readonly (string | number)[];

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function compare(before: Json, after: Json, path: Path, ops: Operation[]): void {
  if (Object.is(before, after)) return;
  if (typeof before === 'string' && typeof after === 'string' && extendsCleanly(before, after)) {
    ops.push({ op: 'append', path: formatPointer(path), value: after.slice(before.length) });
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareArrays(before, after, path, ops);
  } else if (isObject(before) && isObject(after)) {
    compareObjects(before, after, path, ops);
  } else {
    ops.push({ op: 'replace', path: formatPointer(path), value: after });
  }
}

/** Returns whether `after` extends `before` without splitting a surrogate pair. */
function extendsCleanly(before: string, after: string): boolean {
  if (after.length <= before.length || before === '' || !after.startsWith(before)) return false;
  const next = after.charCodeAt(before.length);
  return next < 0xdc00 || next > 0xdfff;
}

function compareArrays(before: Json[], after: Json[], path: Path, ops: Operation[]): void {
  const shared = Math.min(before.length, after.length);
  for (let index = 0; index < shared; index++)
    compare(before[index] ?? null, after[index] ?? null, [...path, index], ops);
  for (const value of after.slice(shared)) ops.push({ op: 'append', path: formatPointer(path), value });
  for (let index = before.length - 1; index >= shared; index--) {
    ops.push({ op: 'remove', path: formatPointer([...path, index]) });
  }
}

function compareObjects(
  before: { [key: string]: Json },
  after: { [key: string]: Json },
  path: Path,
  ops: Operation[],
): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) ops.push({ op: 'remove', path: formatPointer([...path, key]) });
  }
  for (const [key, value] of Object.entries(after)) {
    if (Object.hasOwn(before, key)) compare(before[key] ?? null, value, [...path, key], ops);
    else ops.push({ op: 'add', path: formatPointer([...path, key]), value });
  }
}
