/**
 * `npm run connector-servers`: installs the servers that tests of connectors use, as far as they are missing, runs the
 * tests of all kinds on all of them (many minutes), and names what was skipped. The tests start and end the servers.
 *
 * --install       only installs
 * --figures       measures each source as well
 * --write         writes docs/connectors-tested.md from the results
 * FOLDER…         runs only these tests; `--write` needs all
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installServers } from './connectors/install.ts';
import {
  conformanceTable,
  figuresTable,
  serviceTable,
  skippedTests,
  type Figures,
  type TestResult,
} from './connectors/report.ts';

const PAGE = 'docs/connectors-tested.md';
const TESTS = ['packages/connectors', 'packages/server/test/connectors'];

const flag = { type: 'boolean', default: false } as const;
const { values, positionals } = parseArgs({
  options: { install: flag, figures: flag, write: flag },
  allowPositionals: true,
});

/** Runs the tests in a group of processes of their own, which ends with this one. */
async function runTests(folder: string): Promise<number> {
  const output = path.join(folder, 'results.json');
  const args = ['vitest', 'run', ...(positionals.length > 0 ? positionals : TESTS), '--reporter=default'];
  const tests = spawn('npx', [...args, '--reporter=json', `--outputFile.json=${output}`], {
    stdio: 'inherit',
    detached: true,
    env: {
      ...process.env,
      QUIRE_TEST_ALL_SERVERS: '1',
      ...(values.figures ? { QUIRE_CONNECTOR_FIGURES: path.join(folder, 'figures.jsonl') } : {}),
    },
  });
  const stop = (): void => void process.kill(-(tests.pid ?? 0), 'SIGTERM');
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  const [code] = (await once(tests, 'exit')) as [number | null];
  return code ?? 1;
}

function readResults(folder: string): TestResult[] {
  const file = path.join(folder, 'results.json');
  if (!existsSync(file)) return [];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: { assertionResults: TestResult[] }[];
  };
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

function readFigures(folder: string): Figures[] {
  const file = path.join(folder, 'figures.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Figures);
}

const pageOf = (results: readonly TestResult[], figures: readonly Figures[]): string => `# Tested sources of connectors

\`npm run connector-servers -- --figures --write\` generated this page. A source without the name of a server is one of the
tests, which plays the documented interface of its service.

## Cases of the conformance suite

✓ passed, ✗ failed, – skipped; an empty cell is a case that the source cannot have or show.

${conformanceTable(results)}

## Through the whole service and the engine

${serviceTable(results)}
${
  figures.length === 0
    ? ''
    : `
## Figures

Measured on one machine, together with the servers of the tests; the CPU of a source without the name of a server includes
that server.

${figuresTable(figures)}
`
}`;

installServers();
if (!values.install) {
  const folder = mkdtempSync(path.join(tmpdir(), 'quire-connector-servers-'));
  try {
    process.exitCode = await runTests(folder);
    const results = readResults(folder);
    const skipped = skippedTests(results);
    console.log(`Skipped: ${skipped.length === 0 ? 'nothing' : `\n  ${skipped.join('\n  ')}`}`);
    if (values.write) writeFileSync(PAGE, pageOf(results, readFigures(folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
