/** Prepares the audit entry of a request from its route: every method but GET changes something, unless declared. */
import type { FastifyRequest } from 'fastify';
import type { AuditEntry } from '../domain/audit/pending.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../domain/keys/types.ts';
import { parseQueryBoolean } from '../validation/numbers.ts';
import { searchOf, type Params } from './access.ts';
import type { Route } from './route.ts';

/** Where entries go that no transaction has written. */
export interface AuditWriter {
  write(entry: AuditEntry): Promise<void>;
  refuse(entry: AuditEntry): void;
}

/** Kind of the record that a path parameter identifies, by its name. */
const KINDS: Readonly<Record<string, string>> = {
  ws: 'workspace',
  col: 'collection',
  doc_id: 'document',
  key_id: 'key',
  model_id: 'configuration',
  embedder_id: 'configuration',
  parser_id: 'configuration',
  chat_id: 'chat',
  message_id: 'message',
  run_id: 'run',
  webhook_id: 'webhook',
  delivery_id: 'delivery',
  connector_id: 'connector',
  sync_id: 'sync',
};

export const isAudited = (route: Route): boolean => route.audit ?? (route.method !== 'GET' && route.brief !== true);

export function auditEntryOf(
  route: Route,
  request: FastifyRequest,
  principal: Principal | undefined,
  params: Params,
): AuditEntry {
  const [name, id = null] = Object.entries(params).findLast(([each]) => each in KINDS) ?? ['ws'];
  return {
    workspaceId: params['ws'] ?? '',
    action: route.operationId,
    resourceType: KINDS[name] ?? 'workspace',
    resourceId: id,
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
