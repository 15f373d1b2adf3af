/** Classifies failures of OpenSearch. */
import { errors } from '@opensearch-project/opensearch';
import { IndexUnavailableError } from '../search-index.ts';

const OVERLOADED = 429;
const RETRY_AFTER_SECONDS = 2;

export function statusOf(error: unknown): number | undefined {
  return error instanceof errors.ResponseError ? (error.statusCode ?? undefined) : undefined;
}

/** Returns the type of the error that the cluster reports, such as `index_not_found_exception`. */
export function typeOf(error: unknown): string | undefined {
  if (!(error instanceof errors.ResponseError)) return undefined;
  const body = error.body as { error?: { type?: string } | string } | undefined;
  return typeof body?.error === 'object' ? body.error.type : undefined;
}

export const isMissingIndex = (error: unknown): boolean => typeOf(error) === 'index_not_found_exception';
/** A missing alias is reported as text, without a type. */
export function isMissingAlias(error: unknown): boolean {
  if (statusOf(error) !== 404 || !(error instanceof errors.ResponseError)) return false;
  return /^alias(es)? .* missing$/.test(String((error.body as { error?: unknown } | undefined)?.error));
}

export const isOverloaded = (error: unknown): boolean => statusOf(error) === OVERLOADED;

/** Whether shards have not started: those of an index that is being created, or whose copy takes over. */
export const isStarting = (error: unknown): boolean =>
  statusOf(error) === 503 && typeOf(error) === 'search_phase_execution_exception';

/** Whether no node has answered: refused, cut or timed out connections. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof errors.ConnectionError ||
  error instanceof errors.TimeoutError ||
  error instanceof errors.NoLivingConnectionsError;

/** Converts failures that say nothing about the table. Other errors, such as a refused request, are returned. */
export function unavailable(error: unknown): unknown {
  const status = statusOf(error);
  const isTemporary = isUnreachable(error) || (status !== undefined && (status === OVERLOADED || status >= 500));
  // A node without disk space refuses writes with 403 and this type until space is free.
  if (!isTemporary && typeOf(error) !== 'cluster_block_exception') return error;
  const reason = status === undefined ? 'cannot be reached' : `answered ${status} ${typeOf(error) ?? ''}`.trim();
  return new IndexUnavailableError(`The search cluster ${reason}`, RETRY_AFTER_SECONDS, { cause: error });
}
