import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createWebhookSecret, verifyWebhook, WebhookError } from './webhook.ts';

const NOW = 1_700_000_000;
const now = (): number => NOW * 1000;
const BODY = JSON.stringify({ id: 'e', type: 'document.ready', createdAt: '', workspaceId: 'w', data: { name: 'ä' } });
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const mac = (key: string | Buffer, content: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(content).digest(encoding);

function own(secrets: readonly string[], time = NOW): Record<string, string> {
  const signatures = secrets.map((secret) => `v1=${mac(secret, `${time}.${BODY}`, 'hex')}`);
  return { 'X-Service-Signature': [`t=${time}`, ...signatures].join(',') };
}

function standard(secrets: readonly string[], time = NOW): Record<string, string> {
  const key = (secret: string): Buffer =>
    secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const signatures = secrets.map((secret) => `v1,${mac(key(secret), `msg_1.${time}.${BODY}`, 'base64')}`);
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(time), 'webhook-signature': signatures.join(' ') };
}

const problem = (headers: Record<string, string | string[]>, secret: string | string[], body = BODY): Promise<string> =>
  verifyWebhook(body, headers, secret, { now }).then(
    () => 'valid',
    (error: unknown) => (error instanceof WebhookError ? error.type : String(error)),
  );

test('both kinds of signature are verified, with secrets of both kinds', async () => {
  for (const secret of [SECRET, 'a plain secret of the user']) {
    for (const headers of [own([secret]), standard([secret]), { ...own([secret]), ...standard([secret]) }])
      expect(await problem(headers, secret)).toBe('valid');
  }
});

test('the body is the event, as text, bytes or a buffer', async () => {
  const bytes = new TextEncoder().encode(BODY);
  for (const body of [BODY, bytes, bytes.buffer])
    expect(await verifyWebhook(body, new Headers(own([SECRET])), SECRET, { now })).toEqual(JSON.parse(BODY));
});

test('while a secret is rotated, either side may have both', async () => {
  for (const headers of [own(['new secret', 'old secret']), standard(['new secret', 'old secret'])]) {
    expect(await problem(headers, 'old secret')).toBe('valid');
    expect(await problem(headers, 'new secret')).toBe('valid');
  }
  expect(await problem(standard(['old secret']), ['new secret', 'old secret'])).toBe('valid');
});

test('a wrong secret, a changed body and a broken signature are refused', async () => {
  const headers = own([SECRET]);
  expect(await problem(headers, 'another secret')).toBe('signature_invalid');
  expect(await problem(headers, SECRET, BODY.replace('ready', 'reads'))).toBe('signature_invalid');
  expect(await problem({ 'x-service-signature': `t=${NOW},v1=zz` }, SECRET)).toBe('signature_invalid');
  expect(await problem({ ...standard([SECRET]), 'webhook-signature': 'v2,abcd v1,%%' }, SECRET)).toBe(
    'signature_invalid',
  );
  expect(await problem({}, SECRET)).toBe('signature_missing');
  expect(await problem({ 'x-service-signature': '' }, SECRET)).toBe('too_old');
});

test('deliveries outside of the replay window are refused', async () => {
  for (const sign of [own, standard]) {
    expect(await problem(sign([SECRET], NOW - 300), SECRET)).toBe('valid');
    expect(await problem(sign([SECRET], NOW - 301), SECRET)).toBe('too_old');
    expect(await problem(sign([SECRET], NOW + 301), SECRET)).toBe('too_old');
  }
  const options = { now, toleranceSeconds: 3600 };
  expect((await verifyWebhook(BODY, own([SECRET], NOW - 3000), SECRET, options)).id).toBe('e');
});

test('a timestamp cannot be renewed without the secret', async () => {
  const headers = { ...standard([SECRET], NOW - 1000), 'webhook-timestamp': String(NOW) };
  expect(await problem(headers, SECRET)).toBe('signature_invalid');
});

test('a new secret signs and verifies', async () => {
  const secret = createWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await problem(standard([secret]), secret)).toBe('valid');
});
