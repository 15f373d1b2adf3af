/** Format of a key: segments of `[A-Za-z0-9._-]` joined by single slashes, without `.` and `..`, at most 512 bytes. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;
const MAX_KEY_LENGTH = 512;

export class ObjectKeyError extends Error {
  override readonly name = 'ObjectKeyError';
}

export function checkKey(key: string): string {
  if (key.length > MAX_KEY_LENGTH || !key.split('/').every((part) => SEGMENT.test(part))) {
    throw new ObjectKeyError(`Not an object key: ${JSON.stringify(key.slice(0, 80))}`);
  }
  return key;
}

/** A prefix ends with a slash, so that deleting `a/1/` cannot reach `a/10/`. */
export function checkPrefix(prefix: string): string {
  if (!prefix.endsWith('/')) throw new ObjectKeyError(`Not a prefix that ends with a slash: ${JSON.stringify(prefix)}`);
  checkKey(prefix.slice(0, -1));
  return prefix;
}
