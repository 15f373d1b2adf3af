/**
 * Returns the code of a system, PostgreSQL or Node error (`ENOENT`, `23505`, `ERR_…`); undefined for any other value.
 */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
