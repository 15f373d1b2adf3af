/** Mints scoped tokens as an application does: as `docs/guide/keys.md` describes, without code of the server. */
import { createHash, createHmac } from 'node:crypto';

export interface TokenFields {
  /** Lifetime in seconds; 600 by default. */
  lifetime?: number;
  header?: Record<string, unknown>;
  [claim: string]: unknown;
}

export function mintToken(keyId: string, key: string, { lifetime = 600, header = {}, ...claims }: TokenFields): string {
  const exp = Math.floor(Date.now() / 1000) + lifetime;
  return signClaims(keyId, key, JSON.stringify({ exp, ...claims }), header);
}

/** Signs the claims as they are written. */
export function signClaims(keyId: string, key: string, claims: string, header: Record<string, unknown> = {}): string {
  const secret = createHash('sha256').update(`quire-token:${key}`).digest();
  const encode = (part: string): string => Buffer.from(part).toString('base64url');
  const signed = `${encode(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid: keyId, ...header }))}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
