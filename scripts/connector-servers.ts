/**
 * `npm run connector-servers`: installs the servers that tests of connectors use, as far as they are missing, runs the
 * tests of each kind on all of them (many minutes), and names what was skipped. The tests start and end the servers.
 *
 * --kind NAME     only this kind (`object_storage`, `web`, `cloud_drive`, `ftp`); may be repeated
 * --install       only installs
 * --figures       measures each source as well
 * --write         writes docs/connectors-tested.md from the last results of every kind
 * --report        only writes that page
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CONNECTOR_KINDS } from '@quire/connectors/connector-descriptor';
import { runGroup } from './child-process/run-group.mjs';
import { installServers } from './connectors/install.ts';
import { writePage } from './connectors/page.ts';
import { skippedTests, type Figures, type TestResult } from './connectors/report.ts';
import { store } from './connectors/stored-results.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: { kind: { type: 'string', multiple: true }, install: flag, figures: flag, write: flag, report: flag },
});

/** Runs the tests of a kind. */
function runTests(kind: string, folder: string): Promise<number> {
  const files = [
    `packages/connectors/src/kinds/${kind.replace('_', '-')}/`,
    ...['kinds', 'faults', 'folder-order', 'figures'].map(
      (name) => `packages/server/test/connectors/${name}.int.test.ts`,
    ),
  ];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path.join(folder, 'results.json')}`];
  process.env['QUIRE_TEST_ALL_SERVERS'] = '1';
  process.env['QUIRE_TEST_CONNECTOR_KIND'] = kind;
  if (values.figures) process.env['QUIRE_CONNECTOR_FIGURES'] = path.join(folder, 'figures.jsonl');
  return runGroup('npx', ['vitest', 'run', ...files, ...reporters]);
}

function readResults(folder: string): TestResult[] {
  const { testResults } = JSON.parse(readFileSync(path.join(folder, 'results.json'), 'utf8')) as {
    testResults: { assertionResults: TestResult[] }[];
  };
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({ ancestorTitles, title, status })),
  );
}

function readFigures(folder: string): Figures[] {
  const file = path.join(folder, 'figures.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Figures);
}

async function testKind(kind: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-connector-servers-'));
  try {
    const code = await runTests(kind, folder);
    if (code !== 0) process.exitCode = code;
    const results = readResults(folder);
    store(kind, { results, figures: readFigures(folder) });
    const skipped = skippedTests(results);
    console.log(`${kind}, skipped: ${skipped.length === 0 ? 'nothing' : `\n  ${skipped.join('\n  ')}`}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const kinds = values.kind ?? [...CONNECTOR_KINDS];
for (const kind of kinds) {
  if (!CONNECTOR_KINDS.some((known) => known === kind)) throw new Error(`there is no kind '${kind}'`);
}
if (!values.report) installServers();
if (!values.report && !values.install) for (const kind of kinds) await testKind(kind);
if (values.report || values.write) writePage(CONNECTOR_KINDS);
