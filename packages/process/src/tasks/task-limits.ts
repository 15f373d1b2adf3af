/**
 * The estimated duration and the time limit of each task. The limit of a task is a bounded multiple of its estimate, so
 * that a small file does not hold a parser for as long as a large one may; the setting is the limit of all tasks.
 * Limits are generous: a machine under load takes ten times as long, and estimates are based on the size of a file.
 */
import { FORMATS } from '@quire/parse/formats';
import type { ParseOptions, SourceFile } from '@quire/parse/parser';
import type { RunOptions } from '@quire/sandbox/pool';
import type { Operation } from '../edit/operations.ts';
import type { TreeInput } from '../extract/extraction.ts';
import type { TaskMap } from './task-map.ts';

/** Tasks may take so many times their estimate. */
const FACTOR = 50;

interface TaskCost {
  expectedMs: number;
  /** Limit of a task with the smallest estimate, in ms. */
  leastMs: number;
}

type CostOf<Name extends keyof TaskMap> = (input: TaskMap[Name]['input']) => TaskCost;

/** Text may have to be recognised in pictures, of which the size of a file says nothing. */
const UNKNOWN_MS = Infinity;
const TEXT_MS = 120_000;
const EDIT_MS = 30_000;
/** A picture that a client waits for; pages that take longer are hostile or useless as pictures. */
const PICTURE_MS = 60_000;
const ARCHIVE_MS = 120_000;
const TREE_MS = 120_000;
const GZIPPED_TREE_COST = 0.3;
/** Time to render a tree, by the size of its JSON. */
const RENDER_MS_PER_MEGABYTE = 60;
const TREE_COST = { fixedMs: 100, msPerBlock: 0.2 };

const COSTS: { readonly [Name in keyof TaskMap]: CostOf<Name> } = {
  'parse-and-chunk': ({ file }) => ({ expectedMs: readingMs(file), leastMs: leastReadingMs(file) }),
  parse: ({ file }) => ({ expectedMs: readingMs(file), leastMs: leastReadingMs(file) }),
  rechunk: ({ tree }) => ({ expectedMs: (tree.length / 1024) * GZIPPED_TREE_COST, leastMs: TREE_MS }),
  'draw-pages': ({ pages }) => ({ expectedMs: pages.length * 200, leastMs: PICTURE_MS }),
  'list-pages': ({ file }) => ({ expectedMs: isOffice(file) ? 3_000 : 20, leastMs: PICTURE_MS }),
  'draw-page': () => ({ expectedMs: 200, leastMs: PICTURE_MS }),
  'mark-picture': () => ({ expectedMs: 60, leastMs: PICTURE_MS }),
  thumbnail: () => ({ expectedMs: 50, leastMs: PICTURE_MS }),
  render: ({ tree }) => renderCost(tree),
  'read-text': ({ tree }) => renderCost(tree),
  'inspect-archive': ({ file }) => ({ expectedMs: readingMs(file), leastMs: TEXT_MS }),
  'extract-archive': ({ file }) => ({ expectedMs: readingMs(file), leastMs: ARCHIVE_MS }),
  edit: ({ file, operations, options }) => ({
    expectedMs: readingMs(file),
    leastMs: recognises(operations, options) ? UNKNOWN_MS : EDIT_MS,
  }),
  extract: ({ tree }) => treeCost(tree),
  'embedding-inputs': ({ tree }) => treeCost(tree),
  'check-value': () => ({ expectedMs: 20, leastMs: TEXT_MS }),
  'locate-values': ({ tree }) => treeCost(tree),
};

const isOffice = (file: SourceFile): boolean => FORMATS[file.format].thumbnail === 'office';

const isText = ({ format }: SourceFile): boolean => FORMATS[format].family === 'text';

const recognises = (operations: readonly Operation[], options: ParseOptions | undefined): boolean =>
  options !== undefined && options.ocr !== 'never' && operations.some(({ type }) => type === 'redact');

const leastReadingMs = (file: SourceFile): number => (isText(file) ? TEXT_MS : UNKNOWN_MS);

/** A block takes about 300 bytes of a packed tree. */
const treeCost = (tree: TreeInput): TaskCost => {
  const blocks = tree instanceof Uint8Array ? tree.length / 300 : tree.blocks.length;
  return { expectedMs: TREE_COST.fixedMs + blocks * TREE_COST.msPerBlock, leastMs: TREE_MS };
};

/** The length of gzipped data is in its last four bytes. */
const renderCost = (tree: Buffer): TaskCost => ({
  expectedMs: (tree.readUInt32LE(tree.length - 4) / 1e6) * RENDER_MS_PER_MEGABYTE,
  leastMs: PICTURE_MS,
});

function readingMs({ format, sizeBytes }: SourceFile): number {
  const { fixedMs, msPerKilobyte } = FORMATS[format].cost;
  return fixedMs + (sizeBytes / 1024) * msPerKilobyte;
}

/** Returns the estimate and the limit of a task, which is `maxMs` at most. */
export function costOf<Name extends keyof TaskMap>(
  name: Name,
  input: TaskMap[Name]['input'],
  maxMs: number,
): Pick<RunOptions, 'expectedMs' | 'timeoutMs'> {
  const { expectedMs, leastMs } = COSTS[name](input);
  return { expectedMs, timeoutMs: Math.ceil(Math.min(maxMs, Math.max(leastMs, FACTOR * expectedMs))) };
}
