import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A fresh API key: 256 random bits behind a recognisable prefix. */
export function mintKey(): string {
  return `quire_${randomBytes(32).toString('base64url')}`;
}

/** Keys are 256 random bits, so a plain SHA-256 is enough: there is nothing to guess. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function sameHash(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The last four characters, to tell keys apart in lists. */
export function keyHint(key: string): string {
  return `••••${key.slice(-4)}`;
}
