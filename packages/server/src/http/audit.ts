/** Prepares the audit entry of a request from its route: every method but GET changes something, unless declared. */
import type { FastifyRequest } from 'fastify';
import type { AuditEntry } from '../domain/audit/pending.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../domain/keys/types.ts';
import { parseQueryBoolean } from '../validation/numbers.ts';
import { searchOf, type Params } from './access.ts';
import { pathParameter } from './path-parameters.ts';
import type { Route } from './route.ts';

/** Where entries go that no transaction has written. */
export interface AuditWriter {
  write(entry: AuditEntry): Promise<void>;
  refuse(entry: AuditEntry): void;
}

export const isAudited = (route: Route): boolean => route.audit ?? (route.method !== 'GET' && route.brief !== true);

export function auditEntryOf(
  route: Route,
  request: FastifyRequest,
  principal: Principal | undefined,
  params: Params,
): AuditEntry {
  const named = Object.entries(params).flatMap(([name, id]) => {
    const type = pathParameter(name)?.auditType ?? null;
    return type === null ? [] : [{ type, id }];
  });
  return {
    workspaceId: params['ws'] ?? '',
    action: route.operationId,
    resourceType: named.at(-1)?.type ?? 'workspace',
    resourceId: named.at(-1)?.id ?? null,
    ...actorOf(principal),
    requestId: request.id,
    address: request.ip,
    outcome: 'done',
    details: raisedBy(route, request),
  };
}

function actorOf(principal: Principal | undefined): Pick<AuditEntry, 'actor' | 'keyId' | 'subject'> {
  if (principal === undefined || principal.keyId === '') return { actor: 'anonymous', keyId: null, subject: null };
  if (principal.keyId === 'link') return { actor: 'link', keyId: null, subject: null };
  const { keyId, token } = principal;
  return { actor: token === undefined ? 'key' : 'token', keyId, subject: token?.subject ?? null };
}

/** Returns the flag of the query that makes the call dearer, such as `purge`. */
function raisedBy({ adminQuery }: Route, request: FastifyRequest): Record<string, unknown> | null {
  if (adminQuery === undefined) return null;
  const parsed = parseQueryBoolean(searchOf(request).get(adminQuery));
  return 'value' in parsed && parsed.value ? { [adminQuery]: true } : null;
}

/** Returns whether an error is a refusal of the caller's rights. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.status === 403);
