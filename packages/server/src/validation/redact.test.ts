import { expect, test } from 'vitest';
import type { ErrorDetail } from '../errors.ts';
import { redactDetail } from './redact.ts';

const detail = (loc: ErrorDetail['loc'], input: unknown, type = 'string_type'): ErrorDetail => ({
  loc,
  msg: 'm',
  type,
  input,
});

test('the input of a secret field is never shown', () => {
  for (const field of ['apiKey', 'signingSecret', 'password', 'accessToken', 'secretAccessKey']) {
    expect(redactDetail(detail(['body', 'config', field], 'hunter2'))).not.toHaveProperty('input');
  }
});

test('a number of tokens is no secret', () => {
  for (const field of ['maxTokens', 'overlapTokens', 'maxOutputTokens']) {
    expect(redactDetail(detail(['body', 'chunking', field], 'many')).input).toBe('many');
  }
  expect(redactDetail(detail(['body', 'chunking'], { maxTokens: 'many' })).input).toEqual({ maxTokens: 'many' });
});

test('secrets inside of a shown input are taken out of it', () => {
  const input = { provider: 'x', apiKey: 'hunter2', nested: [{ password: 'hunter2', ok: 1 }] };
  expect(redactDetail(detail(['body', 'config'], input)).input).toEqual({ provider: 'x', nested: [{ ok: 1 }] });
});

test('credentials in a URL are not shown', () => {
  const shown = (url: string) => redactDetail(detail(['body', 'config', 'baseUrl'], url)).input;
  expect(shown('https://me:hunter2@a.example/v1')).toBe('https://••••@a.example/v1');
  expect(shown('HTTP:me:hunter2@a.example')).toBe('HTTP:••••@a.example');
  expect(shown('https://a.example/me@home')).toBe('https://a.example/me@home');
});

test('a password is masked although the text is cut before its @', () => {
  const input = `https://me:${'hunter2'.repeat(5000)}@a.example/v1`;
  expect(redactDetail(detail(['body', 'query'], input)).input).toBe('https://••••');
});

test('a text of hundreds of thousands of URL beginnings is refused in linear time', () => {
  const input = 'http:'.repeat(2_000_000);
  expect(redactDetail(detail(['body', 'query'], input)).input).toBe('http:••••');
});

test('a key of the client is cut in the place and in the message', () => {
  const key = 'k'.repeat(5_000_000);
  const shown = redactDetail({
    loc: ['body', key],
    msg: `Value error, ${key}`,
    type: 'value_error',
    ctx: { error: key },
  });
  expect(shown).toEqual({
    loc: ['body', `${'k'.repeat(256)}…`],
    msg: `Value error, ${'k'.repeat(4083)}`,
    type: 'value_error',
    ctx: { error: 'k'.repeat(4096) },
  });
});

test('missing fields and errors about the whole body have no input', () => {
  expect(redactDetail(detail(['body', 'name'], {}, 'missing'))).not.toHaveProperty('input');
  expect(redactDetail(detail(['body'], [1], 'model_attributes_type'))).not.toHaveProperty('input');
  expect(redactDetail(detail(['body', 17], {}, 'json_invalid'))).not.toHaveProperty('input');
});

test('a long text is cut at 2 kB without breaking a character, any other large input is left out', () => {
  expect(redactDetail(detail(['body', 'name'], 'é'.repeat(2000))).input).toBe('é'.repeat(1024));
  expect(redactDetail(detail(['body', 'name'], `x${'é'.repeat(2000)}`)).input).toBe(`x${'é'.repeat(1023)}`);
  expect(
    redactDetail(
      detail(
        ['body', 'tags'],
        Array.from({ length: 2000 }, () => 1),
      ),
    ),
  ).not.toHaveProperty('input');
});

test('null, false and zero are shown', () => {
  expect([null, false, 0].map((input) => redactDetail(detail(['query', 'x'], input)).input)).toEqual([null, false, 0]);
});
