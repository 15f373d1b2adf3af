/**
 * `npm run bench:compare -- --before REVISION`: one table of all test sets, with the figures of an earlier revision, of
 * this tree (or of `--after REVISION`), and of a plain baseline, and files with the outcome of each question in both.
 *
 * Kinds of sets, all or those named: `retrieval`, `qa`, `drawn` (question sets in the folders of `--drawn DIR`),
 * `statements`, `extraction` (also of further folders, `--extraction DIR`), `forms` (generated), `classification` and
 * `summarisation`; with `--models DIR`, a model cache, also `retrieval-model` and `classification-model`. `--only
 * NAME,…` selects sets, `--sample N --seed S` the number of questions of a set, the same ones in both revisions, and
 * `--minutes N` ends the measurement after this time: sets without both figures by then are named below the table.
 * `--data DIR` is the folder with the sets, and `--out DIR` where files are written. Options for folders can be
 * repeated.
 *
 * Revisions are checked out in a temporary folder, installed and built, and measured by the scripts of this tree.
 */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnWithParent } from '../scripts/child-process/spawn-with-parent.mjs';
import { labelsBaseline, questionsBaseline, retrievalBaseline, type Sampling } from './baseline.ts';
import { rowsOf, type SetReport } from './compare-report.ts';
import { addTree, createWorkFolder, removeAbandonedFolders, removeWorkFolder, shareModules } from './compare-trees.ts';
import { selectedNames } from './samples.ts';
import { round } from './statistics.ts';
import { STATEMENT_SETS } from './statements/statement-files.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    after: { type: 'string' },
    data: { type: 'string', default: path.join(root, '..', 'shared', 'eval', 'data') },
    drawn: { type: 'string', multiple: true, default: [] },
    extraction: { type: 'string', multiple: true, default: [] },
    models: { type: 'string' },
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1000000' },
    out: { type: 'string', default: path.join(here, 'results', 'compare') },
  },
});
const data = path.resolve(values.data);
const out = path.resolve(values.out);
const sampling: Sampling = { sample: Number(values.sample), seed: Number(values.seed) };
const endsAt = performance.now() + Number(values.minutes) * 60_000;

/** A test set with the arguments of the script that measures it. */
interface MeasuredSet {
  kind: string;
  name: string;
  args: readonly string[];
  baseline?(rows: SetReport['rows']): Record<string, number> | undefined;
}

const namesIn = (folder: string, file: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .toSorted()
        .filter((name) => existsSync(path.join(folder, name, file)))
    : [];

/** Arguments with a model cache, under a kind of its own; none without the cache. */
const withModels = (kind: string): { kind: string; args: string[] }[] => [
  { kind, args: [] },
  ...(values.models === undefined ? [] : [{ kind: `${kind}-model`, args: ['--models', path.resolve(values.models)] }]),
];

function retrievalSets(): MeasuredSet[] {
  const folder = path.join(data, 'retrieval');
  return withModels('retrieval').flatMap(({ kind, args }) =>
    namesIn(folder, 'qrels.tsv').map((name) => ({
      kind,
      name,
      args: ['eval.ts', '--data', folder, ...args, name],
      baseline: () => retrievalBaseline(path.join(folder, name), sampling),
    })),
  );
}

const questionSets = (kind: string, folder: string): MeasuredSet[] =>
  namesIn(folder, 'qa.jsonl').map((name) => ({
    kind,
    name,
    args: ['qa.ts', '--data', folder, name],
    baseline: () => questionsBaseline(path.join(folder, name), sampling),
  }));

const statementSets = (): MeasuredSet[] =>
  Object.keys(STATEMENT_SETS).map((name) => ({ kind: 'statements', name, args: ['statements.ts', '--only', name] }));

const extractionSets = (kind: string, folder: string): MeasuredSet[] =>
  namesIn(path.join(folder, 'data', 'extraction'), 'manifest.jsonl').map((name) => {
    const args = ['--data', folder, '--tools', path.join(path.dirname(data), 'tools'), '--only', name];
    return { kind, name, args: ['extraction.ts', ...args] };
  });

function classificationSets(): MeasuredSet[] {
  const folder = path.join(data, 'classification');
  const own = readdirSync(path.join(here, 'intents')).map((file) => path.parse(file).name);
  return withModels('classification').flatMap(({ kind, args }) =>
    [...namesIn(folder, 'items.jsonl'), ...own.toSorted()].map((name) => ({
      kind,
      name,
      args: ['classification.ts', '--data', folder, ...args, '--only', name],
      baseline: labelsBaseline,
    })),
  );
}

function summarisationSets(): MeasuredSet[] {
  const folder = path.join(data, 'summarisation');
  const names = new Set([...namesIn(folder, 'items.jsonl'), ...namesIn(folder, 'manifest.jsonl')]);
  return [...names].map((name) => ({
    kind: 'summarisation',
    name,
    args: ['summarisation.ts', '--data', folder, '--only', name],
  }));
}

const isChosen = (kind: string): boolean => positionals.length === 0 || positionals.includes(kind);

/** Returns the sets of all kinds that the arguments select. `work` is a folder for generated forms. */
function selectedSets(work: string): MeasuredSet[] {
  const forms = path.join(work, 'forms');
  if (isChosen('forms'))
    execFileSync(process.execPath, ['--import', 'tsx', path.join(here, 'forms', 'write-forms.ts'), forms], {
      cwd: root,
      stdio: ['ignore', 'ignore', 2],
    });
  const all = [
    ...retrievalSets(),
    ...questionSets('qa', path.join(data, 'qa')),
    ...values.drawn.flatMap((folder) => questionSets('drawn', path.resolve(folder))),
    ...statementSets(),
    ...extractionSets('extraction', path.dirname(data)),
    ...values.extraction.flatMap((folder) => extractionSets('extraction', path.resolve(folder))),
    ...extractionSets('forms', forms),
    ...classificationSets(),
    ...summarisationSets(),
  ].filter(({ kind }) => isChosen(kind));
  const names = selectedNames([...new Set(all.map(({ name }) => name))], values.only);
  return all.filter(({ name }) => names.includes(name));
}

/** Checks the revision out, installs its dependencies, builds it, and gives it the scripts of this tree. */
async function treeOf(revision: string, tree: string): Promise<string> {
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const [code] = await ended(spawnWithParent(program, args, { cwd: tree, stdio: ['ignore', 2, 2], detached: true }));
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
  };
  addTree(root, tree, revision);
  // `npm ci` refuses lock files of earlier versions of npm that lack packages of other platforms.
  if (!shareModules(root, tree))
    await run('npm', 'install', '--no-save', '--prefer-offline', '--no-audit', '--no-fund');
  await run(process.execPath, path.join('node_modules', 'typescript', 'bin', 'tsc'), '-b');
  rmSync(path.join(tree, 'bench'), { recursive: true });
  cpSync(here, path.join(tree, 'bench'), { recursive: true, filter: (file) => path.basename(file) !== 'results' });
  return tree;
}

let running: ChildProcess | undefined;

/** Resolves with the exit status or the signal of a child, which a signal to this process ends too. */
async function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  running = child;
  const outcome = await once(child, 'exit');
  running = undefined;
  return outcome as [number | null, NodeJS.Signals | null];
}

/** Time after SIGTERM in which a script ends the service that it started. */
const MAX_STOP_MS = 30_000;

/** Measures a set with the scripts of a tree. Returns why there is no report, if there is none. */
async function measured(tree: string, set: MeasuredSet, version: string): Promise<SetReport | string> {
  const leftMs = endsAt - performance.now();
  if (leftMs <= 0) return 'not measured in time';
  const file = path.join(out, `${set.kind}-${set.name}-${version}.json`);
  rmSync(file, { force: true });
  const [script = '', ...rest] = set.args;
  const sizes = ['--sample', values.sample, '--seed', values.seed, '--out', file];
  const startedAt = performance.now();
  const args = ['--import', 'tsx', path.join('bench', script), ...sizes, ...rest];
  const child = spawnWithParent(process.execPath, args, {
    cwd: tree,
    stdio: ['ignore', 2, 2],
    timeout: Math.min(Math.ceil(leftMs), 2 ** 31 - 1),
  });
  const [code, signal] = await ended(child);
  console.error(`${set.kind} ${set.name}, ${version}: ${round((performance.now() - startedAt) / 1_000)} s`);
  if (code === 0 && existsSync(file)) {
    const report = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, SetReport>)[set.name];
    if (report !== undefined) return report;
  }
  return performance.now() >= endsAt ? 'not finished in time' : `failed (${signal ?? `exit status ${code}`})`;
}

if (values.before === undefined) throw new Error('Usage: npm run bench:compare -- --before REVISION [KIND…]');
if (!existsSync(data)) throw new Error(`There are no test sets at ${data}: name their folder with --data`);
mkdirSync(out, { recursive: true });
removeAbandonedFolders(root, tmpdir());
const work = createWorkFolder(tmpdir());
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    const end = (): void => {
      removeWorkFolder(root, work);
      process.exit(1);
    };
    if (running === undefined) end();
    running?.once('exit', end);
    running?.kill('SIGTERM');
    setTimeout(end, MAX_STOP_MS);
  });

try {
  const sets = selectedSets(work);
  const before = await treeOf(values.before, path.join(work, 'before'));
  const after = values.after === undefined ? root : await treeOf(values.after, path.join(work, 'after'));
  const lines = ['| Kind | Set | Figure | Before | After | Baseline |', '|---|---|---|---|---|---|'];
  const missing: string[] = [];
  for (const set of sets) {
    const was = await measured(before, set, 'before');
    const now = await measured(after, set, 'after');
    for (const [version, report] of Object.entries({ before: was, after: now }))
      if (typeof report === 'string') missing.push(`- ${set.kind} ${set.name}, ${version}: ${report}`);
    if (typeof was === 'string' && typeof now === 'string') continue;
    const reports = { before: typeof was === 'string' ? null : was, after: typeof now === 'string' ? null : now };
    const baseline = reports.after?.baseline ?? set.baseline?.((reports.after ?? reports.before)?.rows ?? []);
    const { rows, changes } = rowsOf({ ...reports, baseline });
    lines.push(...rows.map((row) => `| ${set.kind} | ${set.name} | ${row}`));
    writeFileSync(path.join(out, `${set.kind}-${set.name}-changes.md`), changes);
    const list = missing.length === 0 ? [] : ['', 'Without a figure:', '', ...missing];
    writeFileSync(path.join(out, 'table.md'), `${[...lines, ...list].join('\n')}\n`);
  }
  console.log(lines.join('\n'));
  if (missing.length > 0) console.log(`\nWithout a figure:\n\n${missing.join('\n')}`);
  console.log(`\nThe outcome of each question is in ${out}`);
} finally {
  removeWorkFolder(root, work);
}
