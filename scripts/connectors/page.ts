/** Writes the page of the tested sources from the last results of every kind. */
import { readFileSync, writeFileSync } from 'node:fs';
import { conformanceTable, figuresTable, serviceTable } from './report.ts';
import { readStored } from './stored-results.ts';

const PAGE = 'docs/connectors-tested.md';
const [BEGIN, END] = ['<!-- begin: npm run connector-servers -->', '<!-- end -->'];

function generated(kinds: readonly string[]): string {
  const stored = kinds.flatMap((kind) => {
    const run = readStored(kind);
    return run === undefined ? [] : [{ kind, ...run }];
  });
  const results = stored.flatMap((run) => run.results);
  const figures = stored.flatMap((run) => run.figures);
  const days = stored.map(({ kind, day }) => `\`${kind}\` ${day}`).join(', ');
  const parts = [
    `Days of the runs: ${days}.`,
    '## Cases of the conformance suite',
    conformanceTable(results),
    '## Through the whole service and the engine',
    serviceTable(results),
    ...(figures.length === 0 ? [] : ['## Figures', figuresTable(figures)]),
  ];
  return `${BEGIN}\n\n${parts.join('\n\n')}\n\n${END}`;
}

/** Replaces the generated part of the page; the text around it is written by hand. */
export function writePage(kinds: readonly string[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${PAGE} has no generated part`);
  writeFileSync(PAGE, `${before}${generated(kinds)}${after}`);
}
