/**
 * `npm run bench:compare -- --before REVISION`: one table of all question sets, with the figures of an earlier
 * revision, of this tree, and of a plain baseline, and files with the outcome of each question in both. Kinds of sets
 * are `eval` (retrieval), `qa`, `extraction` and `classification`, all or those named; `--only NAME,…` selects sets,
 * `--sample N` the number of questions of a set, `--data DIR` the folder with the sets, and `--out DIR` where files are
 * written.
 *
 * The revision is checked out and built in a temporary folder, and measured by the scripts of this tree.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { baselineOf } from './baseline.ts';
import { changesOf, type SetReport } from './compare-report.ts';

const KINDS = {
  eval: 'retrieval',
  qa: 'qa',
  extraction: 'extraction',
  classification: 'classification',
} as const;
type Kind = keyof typeof KINDS;

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    data: { type: 'string', default: path.join(root, '..', 'shared', 'eval', 'data') },
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '1000000' },
    out: { type: 'string', default: path.join(here, 'results', 'compare') },
  },
});

/** Checks the revision out with the dependencies of this tree, builds it, and gives it the scripts of this tree. */
function treeOf(revision: string, folder: string): string {
  const tree = path.join(folder, 'before');
  execFileSync('git', ['-C', root, 'worktree', 'add', '--quiet', '--detach', tree, revision], { stdio: 'inherit' });
  for (const place of ['.', ...readdirSync(path.join(root, 'packages')).map((name) => path.join('packages', name))]) {
    const modules = path.join(root, place, 'node_modules');
    const wanted = path.join(tree, place);
    if (existsSync(modules) && existsSync(wanted)) {
      copyModules(modules, path.join(wanted, 'node_modules'));
    }
  }
  rmSync(path.join(tree, 'bench'), { recursive: true });
  cpSync(here, path.join(tree, 'bench'), { recursive: true, filter: (file) => path.basename(file) !== 'results' });
  execFileSync(process.execPath, [path.join('node_modules', 'typescript', 'bin', 'tsc'), '-b'], {
    cwd: tree,
    stdio: 'inherit',
  });
  return tree;
}

/** Links the files of installed packages, or copies them where the file systems differ or `cp` has no such option. */
function copyModules(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Returns the names of the sets of a kind that the arguments select. */
function setsOf(kind: Kind): string[] {
  const folder = path.join(values.data, KINDS[kind]);
  return existsSync(folder)
    ? readdirSync(folder)
        .toSorted()
        .filter((name) => values.only.split(',').some((part) => name.includes(part)))
    : [];
}

/** Runs a script of the tree on the sets and returns what it wrote, by set. */
function measured(tree: string, kind: Kind, version: string): Record<string, SetReport> {
  const file = path.join(values.out, `${kind}-${version}.json`);
  // The script of extraction takes the folder above, with the tool that scores.
  const data = kind === 'extraction' ? path.dirname(values.data) : path.join(values.data, KINDS[kind]);
  const chosen = kind === 'qa' || kind === 'eval' ? setsOf(kind) : ['--only', values.only];
  const args = ['--import', 'tsx', `bench/${kind}.ts`, '--data', data, '--out', file, '--sample', values.sample];
  console.error(`${kind}, ${version}…`);
  const { status } = spawnSync(process.execPath, [...args, ...chosen], { cwd: tree, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`bench/${kind}.ts ended with ${status} in ${tree}`);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, SetReport>;
}

const cell = (value: number | null | undefined): string =>
  value === undefined || value === null || Number.isNaN(value) ? '–' : String(value);

function table(kind: Kind, before: Record<string, SetReport>, after: Record<string, SetReport>): string[] {
  return Object.entries(after).flatMap(([set, report]) => {
    const was = before[set];
    const baseline = baselineOf(kind, path.join(values.data, KINDS[kind], set), Number(values.sample));
    const changes = changesOf(was?.rows ?? [], report.rows);
    writeFileSync(path.join(values.out, `${kind}-${set}-changes.md`), changes.text);
    const figures = Object.entries(report.figures).map(
      ([figure, value]) =>
        `| ${set} | ${figure} | ${cell(was?.figures[figure])} | ${cell(value)} | ${cell(baseline?.[figure])} |`,
    );
    return [...figures, `| ${set} | questions better / worse | | ${changes.better} / ${changes.worse} | |`];
  });
}

if (values.before === undefined) throw new Error('Usage: npm run bench:compare -- --before REVISION [KIND…]');
if (!existsSync(values.data))
  throw new Error(`There are no test sets at ${values.data}: name their folder with --data`);
mkdirSync(values.out, { recursive: true });
const folder = mkdtempSync(path.join(tmpdir(), 'quire-compare-'));
try {
  const tree = treeOf(values.before, folder);
  const lines = ['| Set | Figure | Before | After | Baseline |', '|---|---|---|---|---|'];
  for (const kind of Object.keys(KINDS) as Kind[]) {
    if ((positionals.length > 0 && !positionals.includes(kind)) || setsOf(kind).length === 0) continue;
    lines.push(...table(kind, measured(tree, kind, 'before'), measured(root, kind, 'after')));
  }
  writeFileSync(path.join(values.out, 'table.md'), `${lines.join('\n')}\n`);
  console.log(lines.join('\n'));
  console.log(`\nThe outcome of each question is in ${values.out}`);
} finally {
  spawnSync('git', ['-C', root, 'worktree', 'remove', '--force', path.join(folder, 'before')]);
  rmSync(folder, { recursive: true, force: true });
}
