import { expect, test } from 'vitest';
import { foldersOf, isInDeletionScope } from './deletion-scope.ts';

test('the folders of a path begin with the root', () => {
  expect(foldersOf('a/b/c.txt')).toEqual(['', 'a', 'a/b']);
  expect(foldersOf('c.txt')).toEqual(['']);
});

test.each([
  ['below a complete folder', 'a/b/c.txt', ['a'], [], true],
  ['in a folder that is not complete', 'a/b/c.txt', ['a/d'], [], false],
  ['below a failed folder of a complete root', 'a/b/c.txt', [''], ['a'], false],
  ['beside a failed folder', 'd/c.txt', [''], ['a'], true],
  ['in a folder whose name begins like a complete one', 'ab/c.txt', ['a'], [], false],
])('a missing file %s: %s', (_case, path, complete, failed, expected) => {
  expect(isInDeletionScope(path, new Set(complete), new Set(failed))).toBe(expected);
});
