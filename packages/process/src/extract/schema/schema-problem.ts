/** What is wrong with a caller's schema, and where. */
export type SchemaPath = readonly (string | number)[];

export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
  /** From the schema's root to the offending keyword. */
  readonly path: SchemaPath;

  constructor(path: SchemaPath, reason: string) {
    super(reason);
    this.path = path;
  }
}

/** RFC 6901. */
export function jsonPointer(path: SchemaPath): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The segments of a JSON Pointer in a URI fragment (`/a/b%20c`); undefined when it is not one. */
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
