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
  sub: z.string().min(1).max(200).optional(),
  permission: z.enum(['read', 'write', 'admin']),
  collectionIds: z.array(z.uuid()).max(1000).nullish(),
  filter: z.record(z.string(), z.unknown()).nullish(),
});

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
  const [header, payload, signature, ...rest] = text.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) return undefined;
  const decoded = decodeJson(header);
  if (typeof decoded !== 'object' || decoded === null) return undefined;
  const read = headerSchema.safeParse(decoded);
  if (!read.success) throw new TokenRefused('malformed');
  if (read.data.alg !== 'HS256') throw new TokenRefused('algorithm', read.data.kid);
  return {
    keyId: read.data.kid,
    signed: `${header}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
    payload,
  };
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

/** Returns undefined for what is not JSON, or holds a number that would not be kept: a filter would match others. */
function decodeJson(part: string): unknown {
  const parsed = parseJson(Buffer.from(part, 'base64url').toString('utf8'), []);
  return 'value' in parsed ? parsed.value : undefined;
}
