import { expect, test } from 'vitest';
import { StorageFull } from '../../shared/free-space.ts';
import { toApiError } from './error-handler.ts';

const answer = (error: unknown) => {
  const { status, details, headers } = toApiError(error, 'r1');
  return [status, details[0]?.type, headers['retry-after']];
};

test('a full disk or quota is 503 storage_full, of the file system and of PostgreSQL', () => {
  const failures = ['ENOSPC', 'EDQUOT', '53100'].map((code) => Object.assign(new Error('full'), { code }));
  for (const failure of [...failures, new StorageFull('1 MB free')])
    expect(answer(failure)).toEqual([503, 'storage_full', '30']);
});

test('a dependency that is unreachable is 503 unavailable, anything else 500 internal', () => {
  expect(answer(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toEqual([503, 'unavailable', '2']);
  expect(answer(new Error('x'))).toEqual([500, 'internal', undefined]);
});
