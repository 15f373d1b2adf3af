/**
 * Signs deliveries with `X-Service-Signature` and the Standard Webhooks headers (standardwebhooks.com, spec 1.0.0).
 * Every secret signs, the newest first.
 */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns whether a `whsec_` secret has valid base64 after its prefix; any other secret is valid. */
export function isSigningSecret(secret: string): boolean {
  return !secret.startsWith(PREFIX) || (secret.length > PREFIX.length && BASE64.test(secret.slice(PREFIX.length)));
}

/** Returns the key of the Standard Webhooks signature. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);

const mac = (key: Buffer, content: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(content).digest(encoding);

/**
 * Returns the signature headers. `id` is the same for all attempts; `timestamp` (Unix seconds) is that of the attempt.
 */
export function signatureHeaders(
  id: string,
  timestamp: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const ours = secrets.map((secret) => `v1=${mac(Buffer.from(secret), `${timestamp}.${body}`, 'hex')}`);
  const standard = secrets.map((secret) => `v1,${mac(standardKey(secret), `${id}.${timestamp}.${body}`, 'base64')}`);
  return {
    'x-service-signature': [`t=${timestamp}`, ...ours].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}
