import { expect, test } from 'vitest';
import { startFault } from './postmaster.ts';

test('a full disk is named as the reason why PostgreSQL did not start, as its log is cut then', () => {
  expect(startFault('/data/postgres/server.log', 'FATAL:', 4096)).toBe(
    'PostgreSQL did not start: the disk of /data/postgres is full. Free some space, then start again',
  );
  expect(startFault('/data/postgres/server.log', 'FATAL: data directory has wrong ownership', 5e9)).toBe(
    'PostgreSQL did not start (/data/postgres/server.log): FATAL: data directory has wrong ownership',
  );
});
