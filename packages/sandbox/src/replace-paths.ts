/**
 * Returns a copy of a structured-clonable value in which every string that is one of the paths, or is within one of
 * them, is replaced. Buffers, dates and other class instances are kept as they are.
 */
export function replacePaths(value: unknown, places: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return replacePath(value, places);
  if (Array.isArray(value)) return value.map((element) => replacePaths(element, places));
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replacePaths(member, places)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function replacePath(text: string, places: ReadonlyMap<string, string>): string {
  const place = places.get(text);
  if (place !== undefined) return place;
  for (const [from, to] of places) if (text.startsWith(`${from}/`)) return to + text.slice(from.length);
  return text;
}
