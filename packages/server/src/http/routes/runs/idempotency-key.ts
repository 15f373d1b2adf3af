import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../errors.ts';
import { valueProblem } from '../../validation/problem.ts';

const MAX_LENGTH = 255;

/** The query's key, or the header's; 422 when both are there and differ. */
export function idempotencyKey(fromQuery: string | undefined, { headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key'];
  const fromHeader = typeof header === 'string' && header !== '' ? header : undefined;
  if (fromHeader === undefined) return fromQuery;
  if (fromHeader.length > MAX_LENGTH) throw refusal(`a key has at most ${MAX_LENGTH} characters`, fromHeader);
  if (fromQuery !== undefined && fromQuery !== fromHeader) {
    throw refusal('it differs from idempotency_key in the query', fromHeader);
  }
  return fromHeader;
}

const refusal = (error: string, input: string): ApiError =>
  new ApiError(422, [{ loc: ['header', 'idempotency-key'], ...valueProblem(error).problem, input }]);
