/** A problem of a caller's schema with its position. */
export type SchemaPath = readonly (string | number)[];

export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
  /** Path from the schema's root to the offending keyword. */
  readonly path: SchemaPath;

  constructor(path: SchemaPath, reason: string) {
    super(reason);
    this.path = path;
  }
}

/** Returns the path as a JSON Pointer (RFC 6901). */
export function jsonPointer(path: SchemaPath): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the segments of a JSON Pointer in a URI fragment (`/a/b%20c`); undefined for anything else. */
export function pointerSegments(fragment: string): string[] | undefined {
  if (fragment === '') return [];
  if (!fragment.startsWith('/')) return undefined;
  try {
    return decodeURIComponent(fragment)
      .slice(1)
      .split('/')
      .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}
