/** Scoped tokens: short-lived rights that an application gives to its users without calling the service. */
import type { Filter } from './api.ts';
import { sign, toBase64Url, utf8 } from './hmac.ts';

export interface TokenRequest {
  /** Id of the key that signs the token. */
  keyId: string;
  /** The key itself. It stays with the application; the token does not contain it. */
  key: string;
  /** At most that of the key. */
  permission: 'read' | 'write' | 'admin';
  /** Collections that the token reaches; by default those of the key. */
  collectionIds?: readonly string[];
  /** Joined by `and` to every search, chat, list and read. */
  filter?: Filter;
  /** The person or system that uses the token; sees only its own chats, and is shown in the audit log. */
  subject?: string;
  /** Lifetime in seconds, up to 86,400; 3,600 by default. */
  expiresInSeconds?: number;
}

/** Returns a token that is used in place of a key. It ends with its key or at its expiry. */
export async function mintToken(request: TokenRequest): Promise<string> {
  const { keyId, key, permission, collectionIds, filter, subject, expiresInSeconds = 3_600 } = request;
  const exp = Math.floor(Date.now() / 1000) + expiresInSeconds;
  const claims = { exp, permission, collectionIds, filter, sub: subject };
  const signed = [{ alg: 'HS256', typ: 'JWT', kid: keyId }, claims].map(encode).join('.');
  // The key itself does not sign, so that the service can store this digest and not the key.
  const secret = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(`quire-token:${key}`)));
  return `${signed}.${toBase64Url(await sign(secret, utf8(signed)))}`;
}

const encode = (part: object): string => toBase64Url(utf8(JSON.stringify(part)));
