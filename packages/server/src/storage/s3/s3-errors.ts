/** Classifies failures of requests to an S3 service. */

/** The store cannot be used: it is not reachable, refuses the credentials, or lacks a guarantee that Quire needs. */
export class S3StoreUnusable extends Error {
  override readonly name = 'S3StoreUnusable';
}

/** The bytes that arrived are not those that were stored. */
export class ObjectCorrupted extends Error {
  override readonly name = 'ObjectCorrupted';
}

/** Returns the status of the response behind an error; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  const metadata = (error as { $metadata?: { httpStatusCode?: unknown } } | null)?.$metadata;
  return typeof metadata?.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}

export const isAbsent = (error: unknown): boolean => statusOf(error) === 404;

/** Whether a range begins behind the last byte. */
export const isOutOfRange = (error: unknown): boolean => statusOf(error) === 416;

/** Whether a failed transfer may succeed when it is continued: after a lost connection or a failure of the service. */
export function isInterruption(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined && status >= 400) return status >= 500 || status === 429;
  return !(error instanceof Error && error.name === 'AbortError');
}
