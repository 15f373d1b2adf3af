/**
 * `npm run bench:extraction`: field F1 of extraction without a model, in the sandbox as in the service. Test sets are
 * read from `--data DIR`: each has a `manifest.jsonl` of files with gold values and a schema, and is scored by
 * `tools/json-f1.mjs` of that folder. A folder of schemas checks that each is accepted, or refused with a location.
 * `--trees DIR` caches parsed files (photos take seconds), `--only NAME,…` selects sets, `--sample N --seed S` takes N
 * files of each, the same ones for the same seed, `--verbose` lists the errors, and `--out FILE` names the file with
 * the score of each document. `--tools DIR` is the folder of the scorer if the data lacks it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { DocumentTree } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import type { Extraction } from '@quire/process/extract/extraction';
import { readSchema } from '@quire/process/extract/schema/read-schema';
import { SchemaProblem } from '@quire/process/extract/schema/schema-problem';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';
import * as taskPools from '@quire/process/tasks/task-pool';
import { createSandboxClient } from '@quire/process/tasks/create-sandbox-client';
import type { QuestionRow, SetReport } from './compare-report.ts';
import { confidenceTable, figuresOfConfident, judgedValues, type JudgedValue } from './confidence-table.ts';
import { readJsonLines } from './json-lines.ts';
import { sampled, selectedNames } from './samples.ts';

interface Leaves {
  tp: number;
  g: number;
  p: number;
}
interface Scorer {
  score(gold: unknown, predicted: unknown, mode: string, path: string, log: unknown[]): Leaves;
  prf(leaves: Leaves): { precision: number; recall: number; f1: number };
}
interface Sample {
  file: string;
  gold: string;
  schema?: string;
}
interface SetResult {
  rows: QuestionRow[];
  total: Leaves;
  byField: Map<string, Leaves>;
  errors: Map<string, number>;
  judged: JudgedValue[];
}

const here = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: path.join(here, '..', '..', 'shared', 'eval') },
    trees: { type: 'string' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    sample: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
    tools: { type: 'string' },
  },
});
const signal = AbortSignal.timeout(3_600_000);
const CONTENT_TYPES = { pdf: 'application/pdf', jpg: 'image/jpeg', png: 'image/png', html: 'text/html' } as const;
const LIMITS = { maxInflatedBytes: 1e9, maxArchiveEntries: 1e4, maxArchiveRatio: 100, maxArchiveDepth: 2 };
const OPTIONS = { ocr: 'auto', ocrLanguages: ['eng'], jpegQuality: 85, maxPixels: 40_000_000 } as const;

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

async function treeOf(file: string, sandbox: SandboxClient): Promise<DocumentTree> {
  const kept =
    values.trees === undefined ? undefined : path.join(values.trees, `${file.replaceAll(/[^\w.-]/g, '_')}.json`);
  if (kept !== undefined && existsSync(kept)) return json(kept) as DocumentTree;
  const format = path.extname(file).slice(1).toLowerCase() as keyof typeof CONTENT_TYPES;
  const source = {
    path: file,
    name: path.basename(file),
    sizeBytes: statSync(file).size,
    format,
    contentType: CONTENT_TYPES[format],
  };
  const chunking = { maxTokens: 320, overlapTokens: 0 };
  const { tree } = await sandbox.parseAndChunk(
    { file: source, options: OPTIONS, limits: LIMITS, chunking },
    { signal },
  );
  const text = gunzipSync(tree).toString('utf8');
  if (kept !== undefined) {
    mkdirSync(path.dirname(kept), { recursive: true });
    writeFileSync(kept, text);
  }
  return JSON.parse(text) as DocumentTree;
}

/** Returns the schema beside the file, or that of the set. */
function schemaOf(directory: string, { file, schema }: Sample): string {
  const places = [schema, path.join(path.dirname(file), 'schema.json'), 'schema.json'];
  const found = places
    .flatMap((place) => (place === undefined ? [] : [path.join(directory, place)]))
    .find((place) => existsSync(place));
  if (found === undefined) throw new Error(`no schema for ${file}`);
  return found;
}

async function measureSet(directory: string, sandbox: SandboxClient, scorer: Scorer): Promise<SetResult> {
  const result: SetResult = {
    rows: [],
    total: { tp: 0, g: 0, p: 0 },
    byField: new Map(),
    errors: new Map(),
    judged: [],
  };
  const samples = readJsonLines<Sample>(path.join(directory, 'manifest.jsonl'));
  for (const sample of sampled(samples, Number(values.sample), Number(values.seed))) {
    const schema = readSchema(json(schemaOf(directory, sample)));
    const tree = await treeOf(path.join(directory, sample.file), sandbox);
    const { data, evidence, failure } = await extracted(sandbox, tree, schema);
    if (failure !== null) result.errors.set(failure, (result.errors.get(failure) ?? 0) + 1);
    else if ((await sandbox.checkValue({ schema, value: data }, { signal })).length > 0)
      throw new Error(`${sample.file}: invalid data`);
    const gold = json(path.join(directory, sample.gold));
    const log: unknown[] = [];
    const leaves = scorer.score(gold, data, 'norm', '', log);
    add(result.total, leaves);
    result.judged.push(...judgedValues(data, evidence, (value, at) => isRight(scorer, gold, value, at)));
    result.rows.push({ id: sample.file, score: scorer.prf(leaves).f1, answer: data, gold });
    if (values.verbose) console.log(sample.file, JSON.stringify(log).slice(0, 2_000));
    for (const field of new Set([...names(gold), ...names(data)])) {
      const sum = result.byField.get(field) ?? { tp: 0, g: 0, p: 0 };
      add(sum, scorer.score(member(gold, field), member(data, field), 'norm', '', []));
      result.byField.set(field, sum);
    }
  }
  return result;
}

async function extracted(
  sandbox: SandboxClient,
  tree: DocumentTree,
  schema: Record<string, unknown>,
): Promise<Extraction & { failure: string | null }> {
  try {
    return { ...(await sandbox.extract({ tree, schema }, { signal })), failure: null };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { data: {}, evidence: {}, failure: error.type };
  }
}

/** Returns whether the gold has the value at this place; in a list, at the place in any of its items. */
function isRight(scorer: Scorer, gold: unknown, value: unknown, place: readonly string[]): boolean {
  const [name, ...rest] = place;
  if (name === undefined) return scorer.score(gold, value, 'norm', '', []).tp > 0;
  if (Array.isArray(gold)) return gold.some((item: unknown) => isRight(scorer, item, value, rest));
  return isRight(scorer, member(gold, name), value, rest);
}

const names = (value: unknown): string[] => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
const member = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null)?.[name];
function add(sum: Leaves, more: Leaves): void {
  for (const key of ['tp', 'g', 'p'] as const) sum[key] += more[key];
}

/** Checks each schema: it is refused with a location, or an empty document gives valid data or a typed error. */
async function measureSchemas(directory: string, sandbox: SandboxClient): Promise<void> {
  const counts: Record<string, number> = {};
  const tree: DocumentTree = { version: 1, title: null, language: null, pageCount: null, warnings: [], blocks: [] };
  const files = readdirSync(directory).filter((file) => file.endsWith('.json'));
  for (const file of files) {
    let outcome: string;
    try {
      const schema = readSchema(json(path.join(directory, file)));
      const { data, failure } = await extracted(sandbox, tree, schema);
      outcome = failure === null ? 'accepted' : `accepted, ${failure} for an empty document`;
      if (failure === null && (await sandbox.checkValue({ schema, value: data }, { signal })).length > 0)
        outcome = 'INVALID';
    } catch (error) {
      if (!(error instanceof SchemaProblem)) throw error;
      outcome = 'refused with a place';
    }
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  console.log(`\n${path.basename(directory)}: ${files.length} schemas`);
  for (const [outcome, count] of Object.entries(counts)) console.log(`  ${outcome.padEnd(46)} ${count}`);
}

type OpenPool = (options: { size: number }) => Promise<taskPools.TaskPool> | taskPools.TaskPool;

/** The function has another name in revisions of before 2026-11-23, which `bench:compare` measures too. */
const { openTaskPool, createTaskPool }: { openTaskPool?: OpenPool; createTaskPool?: OpenPool } = taskPools as object;
const openPool = openTaskPool ?? createTaskPool;
if (openPool === undefined) throw new Error('This revision has no pool of tasks that the measurement knows');
const report: Record<string, SetReport> = {};
const sets = path.join(values.data, 'data', 'extraction');
const tool = path.join(values.tools ?? path.join(values.data, 'tools'), 'json-f1.mjs');
if (!existsSync(sets) || !existsSync(tool)) {
  console.log(`No test sets at ${values.data}; name a folder with --data`);
} else {
  const scorer = (await import(tool)) as Scorer;
  const pool = await openPool({ size: 1 });
  const sandbox = createSandboxClient(pool, { timeoutMs: 300_000 });
  try {
    for (const name of selectedNames(readdirSync(sets), values.only)) {
      const directory = path.join(sets, name);
      if (!existsSync(path.join(directory, 'manifest.jsonl'))) {
        await measureSchemas(directory, sandbox);
        continue;
      }
      const { total, byField, errors, rows, judged } = await measureSet(directory, sandbox, scorer);
      const { precision, recall, f1 } = scorer.prf(total);
      report[name] = { figures: { 'field F1': f1, precision, recall, ...figuresOfConfident(judged) }, rows };
      console.log(`\n${name}: F1 ${f1} (precision ${precision}, recall ${recall}, ${total.g} leaves)`);
      for (const [error, count] of errors) console.log(`  failed with ${error}: ${count}`);
      for (const [field, leaves] of byField) console.log(`  ${field.padEnd(26)} ${scorer.prf(leaves).f1}`);
      for (const line of confidenceTable(judged)) console.log(`  ${line}`);
    }
  } finally {
    await pool.close();
  }
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
}
