import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { checkResources, readOpenFileLimit, type Resources } from './start-checks.ts';

const MB = 1_000_000;
const config = {
  role: 'all' as const,
  databaseUrl: null,
  searchMemoryBytes: 500 * MB,
  processing: { parseProcesses: 2, parseMemoryBytes: 1_200 * MB },
};
const enough: Resources = { openFiles: 1_024, memoryBytes: 4_000 * MB };

/** Returns the messages of the log. */
function check(resources: Partial<Resources>, settings: Partial<typeof config> = {}): unknown[] {
  const lines: unknown[] = [];
  const destination = new Writable({
    write: (line: Buffer, _encoding, done) => {
      const { memory, needed } = JSON.parse(line.toString()) as Record<string, unknown>;
      lines.push({ memory, needed });
      done();
    },
  });
  const logger = createLogger({ level: 'warn', destination });
  checkResources({ ...config, ...settings }, { ...enough, ...resources }, logger);
  return lines;
}

test('enough files and memory are accepted without a word', () => {
  expect([check({}), check({ openFiles: null })]).toEqual([[], []]);
});

test('too few open files are refused with the number that is needed', () => {
  expect(() => check({ openFiles: 1_023 })).toThrow(
    "The limit of open files is 1023, and 1024 are needed: raise it ('ulimit -n 1024', LimitNOFILE of systemd)",
  );
});

test('too little memory is refused with the size that is needed', () => {
  expect(() => check({ memoryBytes: 511 * MB })).toThrow(
    'The machine or container has 511 MB of memory, and at least 512 MB are needed',
  );
});

test('limits that exceed the memory together are reported with their sum', () => {
  expect(check({ memoryBytes: 3_283 * MB })).toEqual([{ memory: '3283 MB', needed: '3284 MB' }]);
  expect(check({ memoryBytes: 3_284 * MB })).toEqual([]);
});

test.runIf(process.platform === 'linux')('the limit of open files is read from the system', () => {
  expect(readOpenFileLimit()).toBeGreaterThan(0);
  expect(readOpenFileLimit('/proc/self/none')).toBe(null);
});
