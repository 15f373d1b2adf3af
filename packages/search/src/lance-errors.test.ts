import { expect, test } from 'vitest';
import { isDamage, isTransient } from './lance-errors.ts';

test.each([
  'LanceError(IO): Generic LocalFileSystem error: failed to fill whole buffer, function.rs:250:5',
  'LanceError(IO): Generic memory error: Invalid range 0..1597 for object of size 500 bytes',
  'Wrapped error: Not found: /index/t.lance/data/0110.lance',
])('%s is damage', (message) => {
  expect([isDamage(new Error(message)), isTransient(new Error(message))]).toEqual([true, false]);
});

test.each([
  'Generic S3 error: Server returned non-2xx status code: 503 Service Unavailable',
  'HTTP status server error (500 Internal Server Error): not found',
  'error sending request: connection refused',
])('%s is transient and no damage', (message) => {
  expect([isDamage(new Error(message)), isTransient(new Error(message))]).toEqual([false, true]);
});
