/** Tests a run with a fake sandbox: failures, timeouts and cancellation. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ContentError } from '@quire/blocks/content-error';
import { StorageFull } from '@quire/shared/free-space';
import type { ParsedFile, ParseInput } from './tasks/sandbox-client.ts';
import { packTree } from './parse/packed-tree.ts';
import type { RunBlocks } from './blocks.ts';
import type { UploadedFile } from './expand-files.ts';
import { hasRequestedOutput, runModules, type RunDeps, type RunSignals } from './run-modules.ts';
import { TempDirectories } from './temp-directories.ts';

const LIMITS = { maxInflatedBytes: 1e9, maxArchiveEntries: 1e4, maxArchiveRatio: 100, maxArchiveDepth: 3 };
const OPTIONS = { ocr: 'never', ocrLanguages: [], jpegQuality: 85, maxPixels: 1e6 } as const;
const UPPER: RunBlocks = {
  editConfig: { operations: [{ type: 'replaceText', find: 'a', replace: 'b', ignoreCase: false, wholeWord: false }] },
};

let directories: TempDirectories;
let directory: string;
let parses: string[];
let unexpected: [unknown, string][];
let progress: number[];

beforeEach(async () => {
  directories = new TempDirectories();
  directory = await directories.make('files');
  parses = [];
  unexpected = [];
  progress = [];
});
afterEach(() => directories.remove());

async function file(name: string, content = 'text'): Promise<UploadedFile> {
  const place = path.join(directory, name);
  await writeFile(place, content);
  return { id: name, path: place, name, sizeBytes: content.length, format: 'txt', contentType: 'text/plain' };
}

/** Fails with `corrupt` for content that begins with `!`, and with an unexpected error for `!!`. */
async function parse({ file: source, formats, tree }: ParseInput): Promise<ParsedFile> {
  parses.push(source.name);
  const content = await readFile(source.path, 'utf8');
  if (content.startsWith('!!')) throw new Error('the disk is full');
  if (content.startsWith('!')) throw new ContentError('corrupt', content.slice(1));
  const blocks = [{ id: 'b1', type: 'paragraph' as const, text: content }];
  return {
    language: 'en',
    pageCount: 2,
    warnings: [],
    renderings: Object.fromEntries(formats.map((format) => [format, Buffer.from(content)])),
    tree: tree ? packTree({ version: 1, title: null, language: 'en', pageCount: 2, warnings: [], blocks }) : null,
  };
}

const never = (): Promise<never> => Promise.reject(new Error('not asked for here'));

function run(
  files: UploadedFile[],
  blocks: RunBlocks = {},
  deps: Partial<RunDeps> = {},
  signals: Partial<RunSignals> = {},
) {
  const sandbox = { parse, edit: never, parseAndChunk: never, rechunk: never, unpack: never, thumbnail: never };
  const all = { deadline: new AbortController().signal, cancelled: new AbortController().signal, ...signals };
  return runModules(
    { files, blocks, parser: { options: OPTIONS, limits: LIMITS, parser: null }, maxFileBytes: 1_000_000 },
    {
      sandbox: sandbox as unknown as RunDeps['sandbox'],
      openModel: () => Promise.resolve(null),
      openEmbedder: () => Promise.resolve(null),
      store: never,
      directories,
      onProgress: (fraction) => progress.push(fraction),
      onUnexpected: (error, module) => unexpected.push([error, module]),
      ...deps,
    },
    all,
  );
}

test('every file is parsed once and reported in the order of the request', async () => {
  const outcome = await run([await file('a.txt', 'one'), await file('b.txt', '!broken'), await file('c.txt', 'three')]);
  expect(parses.toSorted()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  expect(outcome.files.map(({ name, modules, errors }) => [name, Object.keys(modules), errors])).toEqual([
    ['a.txt', ['parse'], []],
    ['b.txt', [], [{ module: 'parse', type: 'corrupt', message: 'broken' }]],
    ['c.txt', ['parse'], []],
  ]);
  expect(outcome.usage).toEqual({ inputTokens: 0, outputTokens: 0, pageCount: 4 });
  expect(hasRequestedOutput(outcome, {})).toBe(true);
  expect(progress.at(-1)).toBe(2 / 3);
});

test('a module that fails leaves the parse, but the run has not produced what was requested', async () => {
  const outcome = await run([await file('a.txt')], UPPER);
  expect(outcome.files[0]?.errors).toEqual([
    { module: 'edit', type: 'internal', message: 'The module failed because of an internal error' },
  ]);
  expect(unexpected.map(([, module]) => module)).toEqual(['edit']);
  expect(Object.keys(outcome.files[0]?.modules ?? {})).toEqual(['parse']);
  expect(hasRequestedOutput(outcome, UPPER)).toBe(false);
  expect(hasRequestedOutput(outcome, { ...UPPER, parserConfig: { formats: ['html'] } })).toBe(true);
});

test('an output that finds no space on the disk is an error of its file with a type of its own', async () => {
  const edit = () => Promise.reject(new StorageFull('1 MB free'));
  const sandbox = { parse, edit } as unknown as RunDeps['sandbox'];
  const { files } = await run([await file('a.txt', 'a')], UPPER, { sandbox });
  expect(files[0]?.errors).toEqual([
    { module: 'edit', type: 'storage_full', message: 'The service has no storage space left' },
  ]);
});

test('an unexpected error while parsing ends the whole run, so that it is retried', async () => {
  await expect(run([await file('a.txt', '!!'), await file('b.txt')])).rejects.toThrow('the disk is full');
});

test('files that are not finished by the deadline fail with timeout, finished ones are kept', async () => {
  const deadline = new AbortController();
  const late = await file('late.txt');
  const deps = {
    sandbox: {
      parse: async (input: ParseInput) => {
        const parsed = await parse(input);
        if (input.file.name !== 'late.txt') return parsed;
        deadline.abort(new Error('too late'));
        throw new Error('killed');
      },
    } as unknown as RunDeps['sandbox'],
  };
  const files = [await file('a.txt'), await file('b.txt'), await file('c.txt'), late, await file('e.txt')];
  const { files: outcomes } = await run(files, {}, deps, { deadline: deadline.signal });
  const timeouts = outcomes.filter(({ errors }) => errors[0]?.type === 'timeout').map(({ name }) => name);
  expect(timeouts).toContain('late.txt');
  expect(outcomes.find(({ name }) => name === 'a.txt')?.modules['parse']).toBeDefined();
  expect(outcomes).toHaveLength(5);
});

test('a cancelled run rejects and starts no further file', async () => {
  const cancelled = new AbortController();
  const deps = {
    sandbox: {
      parse: (input: ParseInput) => {
        parses.push(input.file.name);
        cancelled.abort(new Error('cancelled'));
        return Promise.reject(new Error('killed'));
      },
    } as unknown as RunDeps['sandbox'],
  };
  const files = await Promise.all(Array.from({ length: 9 }, (_, index) => file(`${index}.txt`)));
  await expect(run(files, {}, deps, { cancelled: cancelled.signal })).rejects.toThrow();
  expect(parses.length).toBeLessThanOrEqual(4);
});
