/**
 * Encryption of stored credentials: AES-256-GCM with a fresh 96-bit nonce each. A sealed text names the key that made it,
 * and is bound to the place it is stored in (`place`, authenticated): copied into another record it does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBoxKey {
  /** 32 bytes. */
  encryptionKey: Buffer;
  /** Names the key without telling anything about it. */
  keyId: string;
}

/** A secret was sealed with another key than this service has. */
export class ForeignSecretError extends Error {
  override readonly name = 'ForeignSecretError';
}

export class SecretBox {
  readonly #key: SecretBoxKey;

  constructor(key: SecretBoxKey) {
    this.#key = key;
  }

  /** `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. */
  seal(secret: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key.encryptionKey, nonce);
    cipher.setAAD(Buffer.from(`${VERSION}.${this.#key.keyId}.${place}`));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.#key.keyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /** Throws when it was sealed with another key, for another place, or was changed; the message tells nothing of it. */
  open(sealed: string, place: string): string {
    const [version, keyId, nonce, body] = sealed.split('.');
    if (version !== VERSION || nonce === undefined || body === undefined) throw new Error('Not a sealed secret');
    if (keyId !== this.#key.keyId)
      throw new ForeignSecretError(`A secret was sealed with key ${keyId}, not with ${this.#key.keyId}`);
    const bytes = Buffer.from(body, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key.encryptionKey, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(`${VERSION}.${keyId}.${place}`));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  /** Whether this box's key made it. */
  sealedHere(sealed: string): boolean {
    return sealed.split('.')[1] === this.#key.keyId;
  }
}
