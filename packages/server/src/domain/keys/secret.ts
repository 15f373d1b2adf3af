import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns a new API key: 256 random bits after a recognisable prefix. */
export function mintKey(): string {
  return `quire_${randomBytes(32).toString('base64url')}`;
}

/** Hashes a key. A plain SHA-256 is enough, since 256 random bits cannot be guessed. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Returns the authenticated data that binds the token secret of a key to its record. */
export const tokenSecretPlace = (keyId: string): string => `key/${keyId}/token`;

export function sameHash(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Returns the last four characters, to distinguish keys in lists. */
export function keyHint(key: string): string {
  return `••••${key.slice(-4)}`;
}
