import { INPUT_LIMITS } from '@quire/shared/input-limits';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../errors.ts';
import { valueProblem, type Problem } from '../../../validation/problem.ts';
import { parseText } from '../../../validation/text.ts';

/** Bounds on the length of the key, in the query and in the header. */
export const KEY_LENGTH = { min: 1, max: INPUT_LIMITS.idempotencyKey.max };

/** Returns the key of the query or of the header. Throws 422 if both are present and differ. */
export function idempotencyKey(fromQuery: string | undefined, { headers }: FastifyRequest): string | undefined {
  const header = headers['idempotency-key'];
  const fromHeader = typeof header === 'string' && header !== '' ? header : undefined;
  if (fromHeader === undefined) return fromQuery;
  const parsed = parseText(fromHeader, KEY_LENGTH);
  if ('problem' in parsed) throw refusal(parsed.problem, fromHeader);
  if (fromQuery !== undefined && fromQuery !== fromHeader) {
    throw refusal(valueProblem('it differs from idempotency_key in the query').problem, fromHeader);
  }
  return fromHeader;
}

const refusal = (found: Problem, input: string): ApiError =>
  new ApiError(422, [{ loc: ['header', 'idempotency-key'], ...found, input }]);
