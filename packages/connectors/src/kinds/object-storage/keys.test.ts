import { expect, test } from 'vitest';
import { encodeKey, isAddressable, keyOfPath, pathOfKey } from './keys.ts';

test.each([
  ['a/b.txt', 'a/b.txt'],
  ['/a//b', '%/a/%/b'],
  ['a/../b/.', 'a/%../b/%.'],
  ['%/%%/100%', '%%/%%%/100%'],
])('the key %s has the path %s, from which the key is found again', (key, path) => {
  expect([pathOfKey(key), keyOfPath(path)]).toEqual([path, key]);
});

test('all characters but the unreserved ones are encoded', () => {
  expect(encodeKey("a+b c/é!'()*~-_.txt")).toBe('a%2Bb%20c/%C3%A9%21%27%28%29%2A~-_.txt');
});

test('a key with a segment of dots or a null character cannot be requested', () => {
  expect(['a/./b', '../a', 'a\0b', 'a..b/c', 'a//b'].map(isAddressable)).toEqual([false, false, false, true, true]);
  expect(pathOfKey('a\0b')).toBe('a\uFFFDb');
});
