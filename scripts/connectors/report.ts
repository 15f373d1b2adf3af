/** Writes the page of the tested sources from the results of the tests of connectors. */

/** A test as the JSON reporter of vitest writes it. */
export interface TestResult {
  ancestorTitles: readonly string[];
  title: string;
  status: string;
}

/** Measurements of one source. */
export interface Figures {
  source: string;
  listedPerSecond: number;
  readyPerSecond: number;
  cpuMicrosPerUnchanged: number;
}

const SUITE = ': connector';
const MARKS: Readonly<Record<string, string>> = { passed: '✓', failed: '✗' };

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Returns a table; its first column is text, the others are centred. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_cell, at) => (at === 0 ? '---' : ':-:'));
  return [row(head), row(rule), ...rows.map(row)].join('\n');
}

/** Title of a case that a source cannot have, with the reason. */
const NOT_APPLICABLE = /^(.*) \(not applicable: (.*)\)$/;

/**
 * Returns the cases of the conformance suite by source, and the reasons of those that a source cannot have, numbered as
 * in the table.
 */
export function conformanceTable(results: readonly TestResult[]): string {
  const cases: string[] = [];
  const reasons: string[] = [];
  const sources = new Map<string, Map<string, string>>();
  for (const { ancestorTitles, title, status } of results) {
    const suite = ancestorTitles.at(-1);
    if (suite?.endsWith(SUITE) !== true) continue;
    const name = suite.slice(0, -SUITE.length);
    const [, left = title, reason] = NOT_APPLICABLE.exec(title) ?? [];
    if (reason !== undefined && !reasons.includes(reason)) reasons.push(reason);
    const mark = reason === undefined ? (MARKS[status] ?? '–') : `n/a ${reasons.indexOf(reason) + 1}`;
    if (!cases.includes(left)) cases.push(left);
    sources.set(name, (sources.get(name) ?? new Map<string, string>()).set(left, mark));
  }
  const columns = [...sources].filter(([name]) => name !== 'memory');
  const body = table(
    ['Case', ...columns.map(([name]) => name)],
    cases.map((each) => [each, ...columns.map(([, marks]) => marks.get(each) ?? '')]),
  );
  const notes = reasons.map((reason, at) => `${at + 1}. ${reason}`);
  return [
    '✓ passed, ✗ failed, – skipped, n/a not applicable, for the reason of that number.',
    body,
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
  ].join('\n\n');
}

/** Returns a table of sources and properties from the tests of the whole service, named `<source>: <property>`. */
export function serviceTable(results: readonly TestResult[]): string {
  const shown: string[] = [];
  const sources = new Map<string, Map<string, string>>();
  for (const { ancestorTitles, title, status } of results) {
    const match = /^'?([a-z_]+(?: on [\w-]+)?)'?: (.+)$/.exec(title);
    if (ancestorTitles.length > 0 || match === null) continue;
    const [, source = '', what = ''] = match;
    if (!shown.includes(what)) shown.push(what);
    const marks = sources.get(source) ?? new Map<string, string>();
    sources.set(source, marks);
    // The runs of the other kinds skip the test.
    if (MARKS[status] !== undefined || !marks.has(what)) marks.set(what, MARKS[status] ?? '–');
  }
  return table(
    ['Source', ...shown],
    [...sources].map(([source, marks]) => [source, ...shown.map((what) => marks.get(what) ?? '')]),
  );
}

export const figuresTable = (figures: readonly Figures[]): string =>
  table(
    [
      'Source',
      'Files listed and compared a second',
      'Files fetched and searchable a second',
      'CPU of an unchanged file',
    ],
    figures.map(({ source, listedPerSecond, readyPerSecond, cpuMicrosPerUnchanged }) => [
      source,
      String(Math.round(listedPerSecond)),
      readyPerSecond.toFixed(1),
      `${Math.round(cpuMicrosPerUnchanged)} µs`,
    ]),
  );

/** Returns the titles of the tests that were skipped. */
export const skippedTests = (results: readonly TestResult[]): string[] =>
  results
    .filter(({ status, title }) => (status === 'skipped' || status === 'pending') && !NOT_APPLICABLE.test(title))
    .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' > '));
