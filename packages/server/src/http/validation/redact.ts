/** What a client may see of its own input in an error: no secret, at most 2 kB, nothing for the whole body. */
import type { ErrorDetail } from '../../errors.ts';

const SECRET = /api_?key|secret|password|token|authorization|credential/i;
/** Numbers of tokens are no secrets: `maxTokens`, `overlapTokens`, `maxOutputTokens`. */
const COUNT = /^(max|overlap)\w*tokens$/i;
/** Name and password of a URL. */
const USER_INFO = /(https?:[\\/]*)[^\\/?#\s]*@/gi;
const MAX_INPUT_BYTES = 2048;

const isSecret = (key: string | number): boolean => typeof key === 'string' && SECRET.test(key) && !COUNT.test(key);

/** The detail as it may be sent. */
export function redactDetail(detail: ErrorDetail): ErrorDetail {
  const { loc, msg, type, input, ctx } = detail;
  const shown: ErrorDetail = { loc, msg, type };
  const about = loc.slice(1);
  const wholeBody = loc[0] === 'body' && (about.length === 0 || type === 'json_invalid');
  if (input !== undefined && type !== 'missing' && !wholeBody && !about.some(isSecret)) {
    const visible = cap(withoutSecrets(input));
    if (visible !== undefined) shown.input = visible;
  }
  if (ctx !== undefined) shown.ctx = ctx;
  return shown;
}

function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll(USER_INFO, '$1••••@');
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 16) return undefined;
  if (Array.isArray(value)) return value.map((member) => withoutSecrets(member, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isSecret(key))
      .map(([key, member]) => [key, withoutSecrets(member, depth + 1)]),
  );
}

/** A text is cut, anything else that is too large is left out. */
function cap(value: unknown): unknown {
  const size = typeof value === 'string' ? Buffer.byteLength(value) : Buffer.byteLength(JSON.stringify(value) ?? '');
  if (size <= MAX_INPUT_BYTES) return value;
  if (typeof value !== 'string') return undefined;
  // Cutting inside a character leaves a replacement character, which is taken off again.
  return Buffer.from(value)
    .subarray(0, MAX_INPUT_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}
