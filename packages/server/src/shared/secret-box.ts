/**
 * Encrypts stored credentials with AES-256-GCM and a random 96-bit nonce each. A sealed text names its key and is bound
 * to the record that stores it (`place`, authenticated data): copied into another record it cannot be opened.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBoxKey {
  /** Encryption key, 32 bytes. */
  encryptionKey: Buffer;
  /** Identifies the key without revealing it. */
  keyId: string;
}

/** The secret was sealed with another key. */
export class ForeignSecretError extends Error {
  override readonly name = 'ForeignSecretError';
}

export class SecretBox {
  readonly #key: SecretBoxKey;

  constructor(key: SecretBoxKey) {
    this.#key = key;
  }

  get keyId(): string {
    return this.#key.keyId;
  }

  /** Returns `v1.<key id>.<nonce>.<ciphertext and tag>`, in base64url. */
  seal(secret: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key.encryptionKey, nonce);
    cipher.setAAD(Buffer.from(`${VERSION}.${this.#key.keyId}.${place}`));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.#key.keyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  /**
   * Throws if the text was sealed with another key or for another place, or was changed; the message reveals nothing.
   */
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

  /** Returns whether this box's key sealed the text. */
  sealedHere(sealed: string): boolean {
    return sealed.split('.')[1] === this.#key.keyId;
  }
}
