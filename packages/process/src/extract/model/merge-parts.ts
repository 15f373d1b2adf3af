/**
 * Merges the answers for the parts of a document. The value with better evidence wins, and the first of
 * equals. Lists are joined: an item found in two parts is kept once, and one found twice in a part is kept twice.
 */
import { jsonPointer } from '../schema/schema-problem.ts';

export interface Part {
  data: unknown;
  /** Confidence (0..1) by JSON Pointer of a leaf. */
  confidence: ReadonlyMap<string, number>;
}

type Path = readonly (string | number)[];

/** A value with its confidence. */
interface Rated {
  value: unknown;
  confidence: number;
}

export function mergeParts(parts: readonly Part[]): unknown {
  const rated = parts.map((part) => weigh(part.data, [], part.confidence));
  return strip(rated.reduce((merged, next) => join(merged, next), { value: null, confidence: 0 }));
}

/** Wraps the members of objects and lists with their confidence. */
function weigh(value: unknown, path: Path, confidence: Part['confidence']): Rated {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => weigh(item, [...path, index], confidence));
    return { value: items.filter((item) => !isNothing(strip(item))), confidence: 1 };
  }
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([name, member]) => [name, weigh(member, [...path, name], confidence)]);
    return { value: Object.fromEntries(entries), confidence: 1 };
  }
  return { value, confidence: confidence.get(jsonPointer(path)) ?? 0 };
}

function join(a: Rated, b: Rated): Rated {
  if (isNothing(strip(a))) return b;
  if (isNothing(strip(b))) return a;
  if (Array.isArray(a.value) && Array.isArray(b.value))
    return { value: gather(a.value as Rated[], b.value as Rated[]), confidence: 1 };
  if (isRecord(a.value) && isRecord(b.value)) {
    const first = a.value as Record<string, Rated>;
    const second = b.value as Record<string, Rated>;
    const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
    const none: Rated = { value: null, confidence: 0 };
    const own = (record: Record<string, Rated>, name: string): Rated =>
      Object.hasOwn(record, name) ? (record[name] ?? none) : none;
    return {
      value: Object.fromEntries(names.map((name) => [name, join(own(first, name), own(second, name))])),
      confidence: 1,
    };
  }
  return b.confidence > a.confidence ? b : a;
}

function gather(first: readonly Rated[], second: readonly Rated[]): Rated[] {
  const counts = new Map<string, number>();
  for (const item of first) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  const added = second.filter((item) => {
    const left = counts.get(key(item)) ?? 0;
    if (left > 0) counts.set(key(item), left - 1);
    return left === 0;
  });
  return [...first, ...added];
}

function strip(rated: Rated): unknown {
  const { value } = rated;
  if (Array.isArray(value)) return (value as Rated[]).map(strip);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Rated>).map(([name, member]) => [name, strip(member)]),
  );
}

/** Returns a key that ignores case and spaces. */
function key(item: Rated): string {
  return JSON.stringify(sorted(strip(item)))
    .toLowerCase()
    .replaceAll(/\s+/g, ' ');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => !isNothing(member));
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.every(isNothing);
  return isRecord(value) && Object.values(value).every(isNothing);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
