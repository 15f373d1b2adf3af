import { expect, test } from 'vitest';
import { isSigningSecret, signatureHeaders } from './signature.ts';
import { parseRetryAfter } from './sender.ts';

test('the signature is that of the Standard Webhooks specification', () => {
  // Example from the specification (standard-webhooks/standard-webhooks).
  const body = '{"test": 2432232314}';
  const headers = signatureHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body, [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ]);
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  expect(headers['x-service-signature']).toMatch(/^t=1614265330,v1=[0-9a-f]{64}$/);
});

test('the rest of a whsec_ secret is padded base64; any other secret is taken literally', () => {
  const secrets = ['whsec_', 'whsec_abc', 'whsec_abcd', 'whsec_ab==', 'whsec_ab+/', 'whsec_ab-_', 'plain', ''];
  expect(secrets.filter(isSigningSecret)).toEqual(['whsec_abcd', 'whsec_ab==', 'whsec_ab+/', 'plain', '']);
});

test('Retry-After is read as seconds or as a date, up to a day', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const read = [
    '120',
    ' 7 ',
    'Sat, 21 Nov 2026 12:01:00 GMT',
    'Sat, 21 Nov 2026 11:00:00 GMT',
    '999999',
    'soon',
    undefined,
  ];
  expect(read.map((value) => parseRetryAfter(value, now))).toEqual([120_000, 7000, 60_000, 0, 86_400_000, null, null]);
});
