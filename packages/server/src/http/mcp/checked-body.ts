/**
 * Checks the text of an MCP request before the library of the protocol parses it, which has no limits and would round
 * numbers: a filter would then match other documents.
 */
import { INPUT_LIMITS } from '@quire/shared/input-limits';
import { badRequest, type ErrorDetail } from '../../errors.ts';
import { redactDetail } from '../../validation/redact.ts';
import { parseJson } from '../../validation/json.ts';

/** Maximum number of messages in one request of a client of the revision 2025-03-26. */
const MAX_MESSAGES = INPUT_LIMITS.mcpMessages.max;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

/** An error of JSON-RPC. */
export interface RefusedMessage {
  status: 200 | 400;
  body: { jsonrpc: '2.0'; id: string | number | null; error: { code: number; message: string; data: unknown } };
}

/**
 * Returns the error for a body that must not be parsed; undefined for every other, also for one that is not JSON, which
 * the library answers. Throws 400 for a list of many messages: a request counts once against the limit of its key.
 */
export function refusedMessage(text: string): RefusedMessage | undefined {
  const parsed = parseJson(text, ['body']);
  if ('value' in parsed) {
    if (Array.isArray(parsed.value) && parsed.value.length > MAX_MESSAGES) {
      throw badRequest(`The body has more than ${MAX_MESSAGES} messages`, { ctx: { limit: MAX_MESSAGES } });
    }
    return undefined;
  }
  const { details } = parsed;
  if (details.some(({ ctx }) => ctx?.['limit'] !== undefined)) return refused(400, null, INVALID_REQUEST, details);
  if (details.some(({ type }) => type === 'json_invalid')) return undefined;
  // The numbers are at fault, so that the nesting is bounded and the text can be parsed.
  const message: unknown = JSON.parse(text);
  const isOne = typeof message === 'object' && message !== null && 'id' in message;
  const id = isOne && !details.some(({ loc }) => loc[1] === 'id') ? message.id : null;
  return typeof id === 'string' || typeof id === 'number'
    ? refused(200, id, INVALID_PARAMS, details)
    : refused(400, null, INVALID_REQUEST, details);
}

function refused(
  status: RefusedMessage['status'],
  id: string | number | null,
  code: number,
  details: readonly ErrorDetail[],
): RefusedMessage {
  const shown = details.map(redactDetail);
  const message = shown.map(({ msg, loc }) => `${msg} (${loc.slice(1).join('.')})`).join('\n');
  return { status, body: { jsonrpc: '2.0', id, error: { code, message, data: { detail: shown } } } };
}
