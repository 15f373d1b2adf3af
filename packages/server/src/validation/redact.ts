/** Limits what a client sees of its own input in an error: no secret, at most 2 kB, nothing for the whole body. */
import type { ErrorDetail, ErrorLocation } from '../errors.ts';

const SECRET = /api_?key|secret|password|token|authorization|credential/i;
/** Numbers of tokens are not secrets: `maxTokens`, `overlapTokens`, `maxOutputTokens`. */
const COUNT = /^(max|overlap)\w*tokens$/i;
const URL_START = /https?:[\\/]*/gi;
const MAX_INPUT_BYTES = 2048;
/** Maximum length of a text before it is searched for URLs; masking shortens it, so it is longer than the result. */
const MAX_SEARCHED_CHARACTERS = 4 * MAX_INPUT_BYTES;
/** Maximum length of a key in `loc`; names of unknown fields are chosen by the client. */
const MAX_KEY_CHARACTERS = 256;
const MAX_MESSAGE_CHARACTERS = 4096;
const MAX_DEPTH = 16;

const isSecret = (key: string | number): boolean => typeof key === 'string' && SECRET.test(key) && !COUNT.test(key);

/** Returns the detail in the form in which it may be sent. */
export function redactDetail(detail: ErrorDetail): ErrorDetail {
  const { loc, msg, type, input, ctx } = detail;
  const shown: ErrorDetail = { loc: shortened(loc), msg: msg.slice(0, MAX_MESSAGE_CHARACTERS), type };
  const about = loc.slice(1);
  const wholeBody = loc[0] === 'body' && (about.length === 0 || type === 'json_invalid');
  if (input !== undefined && type !== 'missing' && !wholeBody && !about.some(isSecret)) {
    const visible = cap(input);
    if (visible !== undefined) shown.input = visible;
  }
  if (ctx !== undefined) {
    shown.ctx =
      'error' in ctx && typeof ctx['error'] === 'string'
        ? { ...ctx, error: ctx['error'].slice(0, MAX_MESSAGE_CHARACTERS) }
        : ctx;
  }
  return shown;
}

const shortened = (loc: ErrorLocation): ErrorLocation =>
  loc.map((step) =>
    typeof step === 'string' && step.length > MAX_KEY_CHARACTERS ? `${step.slice(0, MAX_KEY_CHARACTERS)}…` : step,
  );

/** Cuts a text; leaves out any other value that is too large. Both are bounded before they are searched for secrets. */
function cap(input: unknown): unknown {
  if (typeof input === 'string') return cutText(withoutUserInfo(input));
  if (remaining(input, MAX_INPUT_BYTES, 0) < 0) return undefined;
  const visible = withoutSecrets(input);
  return Buffer.byteLength(JSON.stringify(visible) ?? '') <= MAX_INPUT_BYTES ? visible : undefined;
}

function cutText(text: string): string {
  if (Buffer.byteLength(text) <= MAX_INPUT_BYTES) return text;
  // A cut inside a character leaves a replacement character, which is removed.
  return Buffer.from(text)
    .subarray(0, MAX_INPUT_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}

/** Subtracts a lower bound of the value's JSON size from `budget`, and stops as soon as the result is negative. */
function remaining(value: unknown, budget: number, depth: number): number {
  if (typeof value === 'string') return budget - value.length;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return budget - 1;
  let left = budget;
  if (Array.isArray(value)) {
    for (const member of value as unknown[]) {
      left = remaining(member, left - 1, depth + 1);
      if (left < 0) return left;
    }
    return left;
  }
  for (const key in value) {
    if (isSecret(key)) continue;
    left = remaining(Reflect.get(value, key), left - key.length, depth + 1);
    if (left < 0) return left;
  }
  return left;
}

function withoutSecrets(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return withoutUserInfo(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((member) => withoutSecrets(member, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isSecret(key))
      .map(([key, member]) => [key, withoutSecrets(member, depth + 1)]),
  );
}

/**
 * Masks name and password of every URL in the beginning of a text. An authority that the cut ends may hold a password
 * whose `@` was cut off, so it is masked as well.
 */
function withoutUserInfo(text: string): string {
  const searched = text.slice(0, MAX_SEARCHED_CHARACTERS);
  const wasCut = searched.length < text.length;
  let masked = '';
  let from = 0;
  URL_START.lastIndex = 0;
  for (let match = URL_START.exec(searched); match !== null; match = URL_START.exec(searched)) {
    const start = match.index + match[0].length;
    const end = authorityEnd(searched, start);
    const at = wasCut && end === searched.length ? end : searched.lastIndexOf('@', end - 1);
    if (at >= start) {
      masked += `${searched.slice(from, start)}••••`;
      from = at;
    }
    URL_START.lastIndex = end;
  }
  return masked + searched.slice(from);
}

function authorityEnd(text: string, start: number): number {
  const length = text.slice(start).search(/[\\/?#\s]/);
  return length < 0 ? text.length : start + length;
}
