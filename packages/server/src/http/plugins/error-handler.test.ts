import { expect, test } from 'vitest';
import { IndexUnavailableError } from '@quire/search/search-index';
import { StorageFull } from '@quire/shared/free-space';
import { FilterTimeout } from '../../shared/filter-timeout.ts';
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

test('a disk that fails is 503 unavailable, of the file system and of PostgreSQL', () => {
  for (const code of ['EIO', 'EROFS', '58030'])
    expect(answer(Object.assign(new Error('i/o error'), { code }))).toEqual([503, 'unavailable', '2']);
});

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Query read timeout',
])('the loss of a database connection that pg reports as "%s" without a code is 503 unavailable', (message) => {
  expect(answer(new Error(message))).toEqual([503, 'unavailable', '2']);
});

test('a transaction that lost against another one and an index that cannot be reached are 503 unavailable', () => {
  const failures = ['40P01', '40001', '55P03'].map((code) => Object.assign(new Error('x'), { code }));
  for (const failure of [...failures, new IndexUnavailableError('The index cannot be reached', 2)])
    expect(answer(failure)).toEqual([503, 'unavailable', '2']);
});

test('a statement that was cancelled at its time limit is 503 timeout', () => {
  const cancelled = new Error('canceling statement due to statement timeout');
  expect(answer(Object.assign(cancelled, { code: '57014' }))).toEqual([503, 'timeout', '5']);
  expect(answer(new FilterTimeout('x'))).toEqual([503, 'timeout', '5']);
});
