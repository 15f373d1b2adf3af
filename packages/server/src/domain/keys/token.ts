/**
 * Scoped tokens: short-lived JSON Web Tokens (RFC 7519, HS256) that an application signs with a secret derived from one
 * of its keys. `docs/guide/keys.md` describes them.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../validation/json.ts';

export const MAX_LIFETIME_SECONDS = 24 * 3600;
/** Difference between the clocks of the application and this server that the longest lifetime may exceed. */
const CLOCK_SKEW_SECONDS = 60;

/** Maximum length of a token, checked before it is decoded: that of all headers of a request. */
export const MAX_TOKEN_LENGTH = 16 * 1024;
/** Ids of keys are compared as text, so only their canonical form is one. */
const KEY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Characters that PostgreSQL cannot store; as half a surrogate pair, different subjects could be stored alike. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Reason for refusing a token; for the log only. */
export type TokenProblem =
  | 'malformed'
  | 'algorithm'
  | 'claims'
  | 'unknown_key'
  | 'no_token_secret'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'lifetime'
  | 'permission'
  | 'collections'
  | 'filter';

export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  readonly problem: TokenProblem;
  /** The key that the token names, whether or not it exists; empty if it names none. */
  readonly keyId: string;

  constructor(problem: TokenProblem, keyId = '') {
    super(`The token is refused: ${problem}`);
    this.problem = problem;
    this.keyId = keyId;
  }
}

const headerSchema = z.object({ alg: z.string(), kid: z.string(), crit: z.undefined().optional() });

const claimsSchema = z.object({
  exp: z.number(),
  nbf: z.number().optional(),
  sub: z
    .string()
    .min(1)
    .max(200)
    .refine((text) => !UNSTORABLE.test(text))
    .optional(),
  permission: z.enum(['read', 'write', 'admin']),
  // A limit that is null is refused: an application that lost a user's rights must not give all of them.
  collectionIds: z.array(z.uuid()).max(1000).optional(),
  filter: z.custom<Record<string, unknown>>(isObject).optional(),
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type TokenClaims = z.output<typeof claimsSchema>;

export interface UnverifiedToken {
  keyId: string;
  /** The part that is signed. */
  signed: string;
  signature: Buffer;
  payload: string;
}

/** Returns the secret that signs the tokens of a key: 32 bytes that the stored hash of the key does not reveal. */
export const tokenSecretOf = (key: string): Buffer => createHash('sha256').update(`quire-token:${key}`).digest();

/** Returns the parts of a token, or undefined if the text is not a JSON Web Token. Throws `TokenRefused`. */
export function readToken(text: string): UnverifiedToken | undefined {
  if (text.length > MAX_TOKEN_LENGTH) throw new TokenRefused('malformed');
  const [header, payload, signature, ...rest] = text.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined;
  const decoded = decodeJson(header);
  if (typeof decoded !== 'object' || decoded === null) return undefined;
  const read = headerSchema.safeParse(decoded);
  if (!read.success) throw new TokenRefused('malformed');
  const { alg, kid: keyId } = read.data;
  if (alg !== 'HS256') throw new TokenRefused('algorithm', keyId);
  if (!KEY_ID.test(keyId)) throw new TokenRefused('unknown_key', keyId);
  return { keyId, signed: `${header}.${payload}`, signature: decode(signature) ?? Buffer.alloc(0), payload };
}

/** Checks signature and times, and returns the claims. Throws `TokenRefused`. */
export function verifyToken(token: UnverifiedToken, secret: Buffer, nowMs: number): TokenClaims {
  const { keyId, signed, signature, payload } = token;
  const expected = createHmac('sha256', secret).update(signed).digest();
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    throw new TokenRefused('signature', keyId);
  }
  const read = claimsSchema.safeParse(decodeJson(payload));
  if (!read.success) throw new TokenRefused('claims', keyId);
  const now = nowMs / 1000;
  const { exp, nbf } = read.data;
  if (exp <= now) throw new TokenRefused('expired', keyId);
  if (exp > now + MAX_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS) throw new TokenRefused('lifetime', keyId);
  if (nbf !== undefined && nbf > now + CLOCK_SKEW_SECONDS) throw new TokenRefused('not_yet_valid', keyId);
  return read.data;
}

/** Returns the bytes of a part; undefined unless it is their canonical encoding, so that a token has one form. */
function decode(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns the value of a part; undefined if it is no JSON, or holds a number that would not be kept: a filter would
 * match others. The last of members with the same name counts.
 */
function decodeJson(part: string): unknown {
  try {
    const parsed = parseJson(utf8.decode(decode(part)), []);
    return 'value' in parsed ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}
