/** diffcp streams a conversation state as differences, one JSON line each. The README contains the grammar. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The operations `add`, `replace` and `remove` of RFC 6902, and `append`, which extends the string or array at `path`.
 */
export type Operation =
  | { op: 'add'; path: string; value: Json }
  | { op: 'replace'; path: string; value: Json }
  | { op: 'remove'; path: string }
  | { op: 'append'; path: string; value: Json };

/**
 * One line of a stream. `seq` counts from 0 without gaps; a line without operations repeats the last one (heartbeat).
 */
export interface Line {
  seq: number;
  ops: Operation[];
}

/** Thrown for a line or operation that is not valid diffcp or does not fit the state. */
export class DiffcpError extends Error {
  override readonly name = 'DiffcpError';
}

/** Returns the parts of a JSON Pointer (RFC 6901); `''` is the whole document. */
export function parsePointer(path: string): string[] {
  if (path === '') return [];
  if (!path.startsWith('/')) throw new DiffcpError(`not a JSON Pointer: ${JSON.stringify(path)}`);
  return path
    .slice(1)
    .split('/')
    .map((part) => {
      if (/~(?![01])/.test(part)) throw new DiffcpError(`not a JSON Pointer: ${JSON.stringify(path)}`);
      return part.replaceAll('~1', '/').replaceAll('~0', '~');
    });
}

export function formatPointer(parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
