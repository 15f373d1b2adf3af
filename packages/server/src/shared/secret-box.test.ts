import { expect, test } from 'vitest';
import { SecretBox } from './secret-box.ts';

const key = { encryptionKey: Buffer.alloc(32, 7), keyId: 'k1' };
const box = new SecretBox(key);

test('a sealed secret opens again, and does not contain the secret', () => {
  const sealed = box.seal('sk-grüße', 'a/apiKey');
  expect(sealed).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]+$/);
  expect(sealed).not.toContain('sk-');
  expect(box.open(sealed, 'a/apiKey')).toBe('sk-grüße');
});

test('the same secret is sealed differently each time', () => {
  expect(box.seal('x', 'a')).not.toBe(box.seal('x', 'a'));
});

test('a sealed secret does not open for another place, or when it was changed or cut', () => {
  const sealed = box.seal('secret', 'a/apiKey');
  const [version, id, nonce, body = ''] = sealed.split('.');
  const changed = Buffer.from(body, 'base64url');
  changed[0] = (changed[0] ?? 0) ^ 1;
  expect(() => box.open(sealed, 'b/apiKey')).toThrow();
  expect(() => box.open([version, id, nonce, changed.toString('base64url')].join('.'), 'a/apiKey')).toThrow();
  expect(() => box.open([version, id, nonce, body.slice(0, -8)].join('.'), 'a/apiKey')).toThrow();
  expect(() => box.open('plain', 'a/apiKey')).toThrow('Not a sealed secret');
});

test('another key is recognised by its id, and does not open under a forged id', () => {
  const other = new SecretBox({ encryptionKey: Buffer.alloc(32, 8), keyId: 'k2' });
  const sealed = box.seal('secret', 'a');
  expect(() => other.open(sealed, 'a')).toThrow('A secret was sealed with key k1, not with k2');
  expect(() => other.open(sealed.replace('.k1.', '.k2.'), 'a')).toThrow();
  expect([box.sealedHere(sealed), other.sealedHere(sealed)]).toEqual([true, false]);
});
