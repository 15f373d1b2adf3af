import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ModuleOutput } from './module.ts';
import { INLINE_BYTES, RunOutputs } from './run-outputs.ts';

let stored: ModuleOutput['content'][];
let runOutputs: RunOutputs;

beforeEach(() => {
  stored = [];
  runOutputs = new RunOutputs(async (content) => `key-${stored.push(content)}`);
});

const add = (name: string, contentType: string, content: ModuleOutput['content'], fileNumber = 1) =>
  runOutputs.addOutput(fileNumber, { name, contentType, content });

test('texts and JSON up to the limit are stored inline, a byte more or another type goes to the object store', async () => {
  const limit = Buffer.alloc(INLINE_BYTES, 'x');
  expect(await add('a.txt', 'text/plain', limit)).toEqual({
    path: '1/a.txt',
    contentType: 'text/plain',
    sizeBytes: INLINE_BYTES,
    key: null,
    text: limit.toString(),
  });
  expect(await add('b.json', 'application/json', Buffer.from('{}'))).toMatchObject({ key: null, text: '{}' });
  expect(await add('c.txt', 'text/plain', Buffer.alloc(INLINE_BYTES + 1, 'x'))).toMatchObject({
    key: 'key-1',
    text: null,
  });
  expect(await add('d.pdf', 'application/pdf', Buffer.from('%PDF'))).toMatchObject({ key: 'key-2', text: null });
  expect(await add('e.txt', 'text/plain', Buffer.from([0xff, 0xfe]))).toMatchObject({ key: 'key-3', text: null });
  expect(stored).toHaveLength(3);
});

test('a file on disk is measured and passed to the store unchanged', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'quire-outputs-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = path.join(directory, 'x');
  await writeFile(file, 'content');
  expect(await add('x.md', 'text/markdown', { path: file })).toMatchObject({ sizeBytes: 7, text: 'content' });
  expect(await add('x.bin', 'application/zip', { path: file })).toMatchObject({ sizeBytes: 7, key: 'key-1' });
  expect(stored).toEqual([{ path: file }]);
});

test('paths need no escape in a URL and are unique in the run', async () => {
  const names = ['Vertrag (1).pdf', 'Vertrag (1).pdf', '../../etc/passwd', '…', '.hidden'];
  const outputs = [];
  for (const name of names) outputs.push(await add(name, 'application/pdf', Buffer.from('')));
  expect(outputs.map((output) => output.path)).toEqual([
    '1/Vertrag_1_.pdf',
    '1/2-Vertrag_1_.pdf',
    '1/_.._etc_passwd',
    '1/_',
    '1/hidden',
  ]);
  expect((await add('hidden', 'text/plain', Buffer.from(''), 2)).path).toBe('2/hidden');
});

test('the largest fields of a large result become outputs until the rest fits', async () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => index);
  const text = 'x'.repeat(INLINE_BYTES);
  const { outcome, outputs } = await runOutputs.addResult(3, 'extraction', { data: { rows }, text, small: 'kept' });
  expect(outcome).toEqual({
    result: { data: { rows }, small: 'kept' },
    references: { text: '3/extraction.text.txt' },
  });
  expect(outputs).toEqual([
    expect.objectContaining({ path: '3/extraction.text.txt', contentType: 'text/plain; charset=utf-8', text }),
  ]);
});

test('the inline texts of a run share one limit', async () => {
  const kept = [];
  for (let number = 1; number <= 20; number += 1) {
    kept.push(await add(`${number}.txt`, 'text/plain', Buffer.alloc(INLINE_BYTES, 'x')));
  }
  expect(kept.filter(({ text }) => text !== null)).toHaveLength(15);
  const { outcome } = await runOutputs.addResult(1, 'summary', { text: 'y'.repeat(200_000) });
  expect(outcome.references).toEqual({ text: '1/summary.text.txt' });
});
