import { expect, test } from 'vitest';
import { MAX_TOKEN_LENGTH, readToken } from './token.ts';

const KEY_ID = '0192f0c4-0000-7000-8000-000000000001';
const header = Buffer.from(JSON.stringify({ alg: 'HS256', kid: KEY_ID })).toString('base64url');
const ofLength = (length: number): string => `${header}.${'A'.repeat(length - header.length - 2)}.`;

test('a token is not decoded beyond its maximum length', () => {
  expect(readToken(ofLength(MAX_TOKEN_LENGTH))).toMatchObject({ keyId: KEY_ID });
  expect(() => readToken(ofLength(MAX_TOKEN_LENGTH + 1))).toThrow('malformed');
  expect(() => readToken('a'.repeat(MAX_TOKEN_LENGTH + 1))).toThrow('malformed');
});
