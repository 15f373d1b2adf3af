/** Measures JSON values without writing them. */

/**
 * Returns true if the value, as JSON in its shortest form and in UTF-8, has more than `max` bytes. It stops there, so
 * that a large value costs no more than a small one. The value came from a JSON text.
 */
export function exceedsBytes(value: unknown, max: number): boolean {
  const open: unknown[] = [value];
  let bytes = 0;
  for (; open.length > 0 && bytes <= max;) {
    const next = open.pop();
    if (typeof next === 'string') bytes += stringBytes(next, max);
    else if (typeof next !== 'object' || next === null) bytes += String(next).length;
    else if (Array.isArray(next)) {
      bytes += 1 + Math.max(1, next.length);
      if (bytes <= max) for (const member of next) open.push(member);
    } else {
      const keys = Object.keys(next);
      bytes += 1 + Math.max(1, 2 * keys.length);
      for (const key of keys) {
        bytes += stringBytes(key, max);
        if (bytes > max) break;
        open.push(Reflect.get(next, key));
      }
    }
  }
  return bytes > max;
}

/** Returns the bytes of the string in JSON, or more than `max`. */
const stringBytes = (text: string, max: number): number =>
  text.length > max ? max + 1 : Buffer.byteLength(JSON.stringify(text));
