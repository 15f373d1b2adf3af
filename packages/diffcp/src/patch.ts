/** diffcp: a conversation state told as differences, one JSON line each. The grammar stands in the README. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** RFC 6902's `add`, `replace` and `remove`, and `append`: adds to the string or the array at `path`. */
export type Operation =
  | { op: 'add'; path: string; value: Json }
  | { op: 'replace'; path: string; value: Json }
  | { op: 'remove'; path: string }
  | { op: 'append'; path: string; value: Json };

/** One line of a stream. `seq` counts from 0 without gaps; a line without operations repeats the last one (heartbeat). */
export interface Line {
  seq: number;
  ops: Operation[];
}

/** A line or operation that is not diffcp, or does not fit the state it is applied to. */
export class DiffcpError extends Error {
  override readonly name = 'DiffcpError';
}

/** The parts of a JSON Pointer (RFC 6901); `''` is the whole document. */
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
