import { expect, it } from 'vitest';
import type { Format } from '@quire/parse/formats';
import type { RunOptions } from '@quire/sandbox/pool';
import type { Operation } from '../edit/operations.ts';
import { createSandboxClient } from './create-sandbox-client.ts';

const file = (format: Format, sizeBytes: number) => ({ path: '/a', name: 'a', sizeBytes, format, contentType: '' });
const limits = { maxInflatedBytes: 1e9, maxArchiveEntries: 1000, maxArchiveRatio: 100, maxArchiveDepth: 3 };
const options = { ocr: 'auto', ocrLanguages: ['eng'], jpegQuality: 80, maxPixels: 1e8 } as const;
const task = { signal: new AbortController().signal };

type Call = [string, { [Name in 'expectedMs' | 'timeoutMs' | 'priority' | 'owner']: RunOptions[Name] }];

/** A client over a pool that only records its calls. */
function recording(timeoutMs: number) {
  const calls: Call[] = [];
  const pool = {
    run: (name: string, _input: unknown, { expectedMs, timeoutMs: limitMs, priority, owner }: RunOptions) => {
      calls.push([name, { expectedMs, timeoutMs: limitMs, priority, owner }]);
      return new Promise<never>(() => undefined);
    },
  };
  const client = createSandboxClient(pool, { timeoutMs, presentOwner: () => 'w1' });
  return { calls, client };
}

const limitsOf = (calls: readonly Call[]) => calls.map(([, { timeoutMs }]) => timeoutMs);

it('names the owner, the estimate and the limit of a task', () => {
  const { calls, client } = recording(300_000);
  void client.rechunk({ tree: Buffer.alloc(10_240), name: 'a', chunking: { maxTokens: 1, overlapTokens: 0 } }, task);
  void client.thumbnail({ file: file('pdf', 1), options, limits, tree: null, maxSide: 1 }, task);
  expect(calls).toEqual([
    ['rechunk', { expectedMs: 3, timeoutMs: 120_000, priority: 'normal', owner: 'w1' }],
    ['thumbnail', { expectedMs: 50, timeoutMs: 60_000, priority: 'low', owner: 'w1' }],
  ]);
});

it('gives a small text two minutes, and a large one a multiple of its estimate', () => {
  const { calls, client } = recording(300_000);
  const chunking = { maxTokens: 200, overlapTokens: 0 };
  for (const sizeBytes of [20_480, 32_768_000, 1_024_000_000])
    void client.parseAndChunk({ file: file('html', sizeBytes), options, limits, chunking }, task);
  expect(limitsOf(calls)).toEqual([120_000, 160_100, 300_000]);
});

it('gives a file whose pictures may hold text all the time', () => {
  const { calls, client } = recording(300_000);
  for (const format of ['pdf', 'docx', 'png'] as const)
    void client.parse({ file: file(format, 20_000), options, limits, formats: [], tree: true }, task);
  expect(limitsOf(calls)).toEqual([300_000, 300_000, 300_000]);
});

it('gives an edit of 20 kB half a minute, unless it has to recognise text', () => {
  const { calls, client } = recording(300_000);
  const redact = { type: 'redact', texts: ['a'], patterns: [], boxes: [], ignoreCase: true, wholeWord: false };
  const operations = [redact] as Operation[];
  const rest = { siblings: [], limits, maxPixels: 1, maxFileBytes: 1, directory: '/' };
  for (const format of ['txt', 'docx', 'pdf'] as const)
    void client.edit({ file: file(format, 20_000), operations: [], options, ...rest }, task);
  void client.edit({ file: file('pdf', 20_000), operations, options, ...rest }, task);
  void client.edit({ file: file('pdf', 20_000), operations, options: { ...options, ocr: 'never' }, ...rest }, task);
  expect(limitsOf(calls)).toEqual([30_000, 30_000, 30_000, 300_000, 30_000]);
});

it('never exceeds the setting', () => {
  const { calls, client } = recording(5_000);
  void client.drawPage({ file: file('pdf', 1), page: 1, width: 1, limitPixels: 1 }, task);
  void client.unpack({ file: file('zip', 1e9), limits, directory: '/' }, task);
  expect(limitsOf(calls)).toEqual([5_000, 5_000]);
});
