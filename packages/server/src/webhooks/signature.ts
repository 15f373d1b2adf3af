/**
 * Both signatures of a delivery: `X-Service-Signature`, and the Standard Webhooks set (standardwebhooks.com, spec 1.0.0).
 * With several secrets each of them signs, the newest first.
 */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Whether a `whsec_` secret is what its prefix says; any other secret is taken as it is. */
export function isSigningSecret(secret: string): boolean {
  return !secret.startsWith(PREFIX) || (secret.length > PREFIX.length && BASE64.test(secret.slice(PREFIX.length)));
}

/** The key of the Standard Webhooks signature. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);

const mac = (key: Buffer, content: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(content).digest(encoding);

/** `id` stays the same over all attempts; `timestamp` (Unix seconds) is the attempt's. */
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
