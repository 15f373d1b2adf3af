import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentTree } from '@quire/blocks/block';
import type { Format } from '@quire/parse/formats';
import { makeZip } from '@quire/parse/archive/testing/make-zip';
import type { SourceFile } from '@quire/parse/parser';
import { openTaskPool } from './task-pool.ts';
import { createSandboxClient } from './create-sandbox-client.ts';

const limits = { maxInflatedBytes: 1e9, maxArchiveEntries: 1000, maxArchiveRatio: 100, maxArchiveDepth: 3 };
const options = { ocr: 'never', ocrLanguages: ['eng'], jpegQuality: 80, maxPixels: 1e8 } as const;
const task = { signal: new AbortController().signal };
const markdown = '# Harbour rules\n\nAll vessels must report their arrival to the harbour master before they enter.\n';

let root: string;
const pool = await openTaskPool({ size: 1 });
const sandbox = createSandboxClient(pool, { timeoutMs: 100_000 });

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'quire-sandbox-client-'));
});
afterAll(async () => {
  await pool.close();
  rmSync(root, { recursive: true });
});

function source(name: string, format: Format, content: string | Buffer): SourceFile {
  const file = path.join(root, name);
  writeFileSync(file, content);
  return { path: file, name, sizeBytes: content.length, format, contentType: '' };
}

describe('the sandbox', () => {
  it('turns a file into its tree and its analysed chunks', async () => {
    const file = source('rules.md', 'markdown', markdown);
    const chunking = { maxTokens: 200, overlapTokens: 0 };
    const chunked = await sandbox.parseAndChunk({ file, options, limits, chunking }, task);
    expect([chunked.language, chunked.pageCount, chunked.warnings]).toEqual(['en', null, []]);
    const tree: DocumentTree = JSON.parse(gunzipSync(chunked.tree).toString('utf8'));
    expect([tree.version, tree.language, tree.blocks[0]?.type]).toEqual([1, 'en', 'section']);
    expect(chunked.chunks).toHaveLength(1);
    const [chunk] = chunked.chunks;
    expect(chunk?.text).toContain('All vessels must report their arrival');
    expect(chunk?.terms.split(' ')).toEqual(expect.arrayContaining(['harbour', 'vessel', 'arriv']));
    expect(chunk?.terms.split(' ')).not.toContain('the');
  });

  it('splits a stored tree into the same chunks as the file', async () => {
    const file = source('rules.md', 'markdown', markdown);
    const chunking = { maxTokens: 200, overlapTokens: 0 };
    const { tree, chunks } = await sandbox.parseAndChunk({ file, options, limits, chunking }, task);
    expect(await sandbox.rechunk({ tree: Buffer.from(tree), name: file.name, chunking }, task)).toEqual(chunks);
  });

  it('reads a Chinese scan without settings and within the memory of a parser', async () => {
    const scan = new URL('../../../parse/src/ocr/testing/chinese-page.png', import.meta.url);
    const file = source('scan.png', 'png', readFileSync(scan));
    const chunking = { maxTokens: 200, overlapTokens: 0 };
    const reading = { file, options: { ...options, ocr: 'auto' as const }, limits, chunking };
    const { chunks, language, warnings } = await sandbox.parseAndChunk(reading, task);
    expect([language, warnings]).toEqual(['zh', []]);
    expect(chunks[0]?.text).toContain('凡进入港口的船只都会连同抵达日期登记在册');
  });

  it('passes on the error of a parser for a broken file', async () => {
    const file = source('broken.json', 'json', '{"a":');
    const chunking = { maxTokens: 200, overlapTokens: 0 };
    await expect(sandbox.parseAndChunk({ file, options, limits, chunking }, task)).rejects.toMatchObject({
      name: 'ContentError',
      type: 'corrupt',
    });
  });

  it('unpacks an archive into the directory', async () => {
    const file = source('a.zip', 'zip', makeZip([{ name: 'in/rules.md', data: markdown }]));
    const directory = path.join(root, 'members');
    mkdirSync(directory);
    const members = await sandbox.unpack({ file, limits, directory }, task);
    expect(members.map(({ archivePath, path: unpacked, format }) => [archivePath, unpacked, format])).toEqual([
      ['in/rules.md', path.join(directory, '1'), 'markdown'],
    ]);
  });

  it('renders a thumbnail', async () => {
    const file = source('rules.md', 'markdown', markdown);
    const thumbnail = await sandbox.thumbnail({ file, options, limits, tree: null, maxSide: 128 }, task);
    expect(Buffer.from(thumbnail ?? []).toString('latin1', 8, 12)).toBe('WEBP');
  });
});
