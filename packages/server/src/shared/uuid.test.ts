import { expect, test } from 'vitest';
import { idFromContent, newId } from './uuid.ts';

test('ids are version 7 and ascend within one millisecond', () => {
  const ids = Array.from({ length: 10_000 }, () => newId(1_700_000_000_000));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(10_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('content ids depend on the parts and on their boundaries', () => {
  expect(idFromContent('a', 'bc')).toBe(idFromContent('a', 'bc'));
  expect(idFromContent('a', 'bc')).not.toBe(idFromContent('ab', 'c'));
  expect(idFromContent('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
