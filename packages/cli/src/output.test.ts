import { expect, test } from 'vitest';
import { columns, formatBytes, Output, printable } from './output.ts';

function capture(isTTY: boolean, options: { json?: boolean; env?: Record<string, string> } = {}) {
  const written = { out: '', err: '' };
  const output = new Output({
    stdout: { isTTY, columns: 20, write: (text) => (written.out += text) },
    stderr: { isTTY, write: (text) => (written.err += text) },
    env: {},
    ...options,
  });
  return { output, written };
}

test('a record is text on a terminal and a line of JSON elsewhere, unless the options say otherwise', () => {
  const cases = [
    [true, undefined, 'text\n'],
    [false, undefined, '{"a":1}\n'],
    [true, true, '{"a":1}\n'],
    [false, false, 'text\n'],
  ] as const;
  for (const [isTTY, json, expected] of cases) {
    const { output, written } = capture(isTTY, json === undefined ? {} : { json });
    output.record({ a: 1 }, 'text');
    expect(written.out).toBe(expected);
  }
});

test('a progress line is rewritten, cut to the width, and cleared before other output', () => {
  const { output, written } = capture(true);
  output.progress('a line that is longer than the terminal');
  output.progress('short');
  output.note('done');
  expect(written.err).toBe(`\ra line that is long\rshort${' '.repeat(14)}\r     \rdone\n`);
});

test('no progress is written and no colour is used without a terminal, or with NO_COLOR', () => {
  const { output, written } = capture(false, { json: false });
  output.progress('50 %');
  expect(written.err).toBe('');
  expect(output.style('bold', 'x')).toBe('x');
  expect(capture(true, { env: { NO_COLOR: '1' } }).output.style('bold', 'x')).toBe('x');
  expect(capture(true).output.style('bold', 'x')).toBe('\u001b[1mx\u001b[22m');
});

test('a terminal that reports a width of 0 is treated as one of 80 columns', () => {
  const stdout = { isTTY: true, columns: 0, write: () => undefined };
  expect(new Output({ stdout, stderr: stdout, env: {} }).width).toBe(80);
});

test('columns are aligned and lines cut to the width', () => {
  expect(
    columns(
      [
        ['ID', 'NAME'],
        ['1', 'a'],
        ['200', 'a long name'],
      ],
      12,
    ),
  ).toBe('ID   NAME\n1    a\n200  a long…');
});

test('sizes are written with decimal units', () => {
  expect([0, 999, 1_000, 12_345, 3_400_000].map(formatBytes)).toEqual(['0 B', '999 B', '1.0 kB', '12 kB', '3.4 MB']);
});

test('control characters of documents do not reach the terminal', () => {
  expect(printable('a\u001b[31mb\u0007\tc\nd')).toBe('a[31mb\tc\nd');
});
