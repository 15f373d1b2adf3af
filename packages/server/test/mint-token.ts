/** Mints scoped tokens as an application does: as `docs/guide/keys.md` describes, without code of the server. */
import { createHash, createHmac } from 'node:crypto';

export interface TokenFields {
  /** Lifetime in seconds; 600 by default. */
  lifetime?: number;
  header?: Record<string, unknown>;
  [claim: string]: unknown;
}

export function mintToken(keyId: string, key: string, { lifetime = 600, header, ...claims }: TokenFields): string {
  const secret = createHash('sha256').update(`quire-token:${key}`).digest();
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + lifetime;
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid: keyId, ...header })}.${encode({ exp, ...claims })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
