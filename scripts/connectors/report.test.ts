import { expect, test } from 'vitest';
import { conformanceTable, figuresTable, serviceTable, skippedTests, type TestResult } from './report.ts';

const result = (title: string, status = 'passed', ...ancestorTitles: string[]): TestResult => ({
  ancestorTitles,
  title,
  status,
});

test('the table of the suite has a row for each case, and the reasons of cases that a source cannot have', () => {
  const results = [
    result('resumes', 'passed', 'memory: connector'),
    result('resumes', 'passed', 'a: connector'),
    result('links', 'failed', 'a: connector'),
    result('resumes', 'skipped', 'outer', 'b on c: connector'),
    result('links (not applicable: no (real) links)', 'skipped', 'b on c: connector'),
    result('something else', 'passed', 'a'),
  ];
  expect(conformanceTable(results)).toBe(
    [
      '✓ passed, ✗ failed, – skipped, n/a not applicable, for the reason of that number.',
      '',
      '| Case | a | b on c |',
      '| --- | :-: | :-: |',
      '| resumes | ✓ | – |',
      '| links | ✗ | n/a 1 |',
      '',
      '1. no (real) links',
    ].join('\n'),
  );
  expect(skippedTests(results)).toEqual(['outer > b on c: connector > resumes']);
});

test('the table of the service names what each source has shown', () => {
  const results = [
    result('web: heals'),
    result("'ftp on pure-ftpd': heals", 'failed'),
    result('a day: of files'),
    result('web: heals', 'skipped'),
  ];
  expect(serviceTable(results)).toBe(
    ['| Source | heals |', '| --- | :-: |', '| web | ✓ |', '| ftp on pure-ftpd | ✗ |'].join('\n'),
  );
});

test('figures are rounded', () => {
  const figures = { source: 'web', listedPerSecond: 67.4, readyPerSecond: 3.21, cpuMicrosPerUnchanged: 11.6 };
  expect(figuresTable([figures]).split('\n').at(-1)).toBe('| web | 67 | 3.2 | 12 µs |');
});
