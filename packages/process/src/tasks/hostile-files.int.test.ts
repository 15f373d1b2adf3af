// large: reads hundreds of hostile files
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileRefused } from '@quire/parse/validate/file-refused';
import { ContentError } from '@quire/blocks/content-error';
import { inspectUpload } from '@quire/parse/validate/inspect-upload';
import { unpackChunks } from './packed-chunks.ts';
import { openTaskPool, type TaskPool } from './task-pool.ts';
import { chunking, limits, options } from './testing/default-reading.ts';

/** Generator of hostile files beside the repository, each with its required outcome. */
const tool = fileURLToPath(new URL('../../../../../shared/eval/tools/make-nasties.mjs', import.meta.url));

interface Case {
  file?: string;
  name?: string;
  content?: string;
  contentType?: string;
  /** `reject`: refused or failed. `ok`: ready, with the needle in a chunk. `safe`: any typed end. */
  expect: 'reject' | 'ok' | 'safe';
  needle?: string;
}

interface Outcome {
  end: 'refused' | 'failed' | 'ready' | 'disorderly';
  detail: string;
  text: string;
}

const CANARY_TEXT = 'zyx-text-of-the-canary-file';
const TASK_MS = 100_000;

describe.skipIf(!existsSync(tool))('the hostile files of ../shared/eval/tools (skipped where it is absent)', () => {
  let root: string;
  let pool: TaskPool;
  let canary: Server;
  let canaryUrl: string;
  let fetched: string[];
  let cases: Case[];

  beforeAll(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'quire-hostile-'));
    pool = await openTaskPool({ size: 2 });
    fetched = [];
    canary = createServer((request, response) => {
      fetched.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const address = canary.address();
    canaryUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    const canaryFile = path.join(root, 'canary.txt');
    writeFileSync(canaryFile, CANARY_TEXT);
    const files = path.join(root, 'files');
    execFileSync(process.execPath, [tool, files, '--canary-url', canaryUrl, '--canary-file', canaryFile]);
    const lines = readFileSync(path.join(files, 'cases.jsonl'), 'utf8').trim().split('\n');
    cases = lines.map((line): Case => JSON.parse(line));
  });

  afterAll(async () => {
    canary.close();
    await pool.close();
    rmSync(root, { recursive: true });
  });

  async function outcomeOf(file: string, name: string, contentType: string | null): Promise<Outcome> {
    try {
      const inspected = await inspectUpload(file, name, contentType, limits);
      const source = { path: file, name, sizeBytes: readFileSync(file).length, ...inspected };
      return inspected.isArchive ? await archive(source) : await document(source);
    } catch (error) {
      if (error instanceof FileRefused) return { end: 'refused', detail: error.type, text: '' };
      if (error instanceof ContentError) return { end: 'failed', detail: error.type, text: '' };
      return { end: 'disorderly', detail: String(error), text: '' };
    }
  }

  type Source = Parameters<typeof document>[0];

  async function document(file: Parameters<typeof pool.run<'parse-and-chunk'>>[1]['file']): Promise<Outcome> {
    await drawThumbnail(file);
    const chunked = await pool.run('parse-and-chunk', { file, options, limits, chunking }, { timeoutMs: TASK_MS });
    const chunks = await unpackChunks(chunked.chunks, new AbortController().signal);
    const text = chunks.map((chunk) => `${chunk.text}\n${chunk.terms}`).join('\n');
    const tree = gunzipSync(chunked.tree).toString('utf8');
    if (text.includes('\0') || tree.includes('\\u0000')) return { end: 'disorderly', detail: 'NUL in the text', text };
    return chunks.length === 0
      ? { end: 'failed', detail: 'no_text', text: tree }
      : { end: 'ready', detail: '', text: text + tree };
  }

  /**
   * Rendering must end in a typed error too. External programs may render, which the child's network ban does not
   * cover.
   */
  async function drawThumbnail(file: Source): Promise<void> {
    const before = fetched.length;
    try {
      await pool.run('thumbnail', { file, options, limits, tree: null, maxSide: 256 }, { timeoutMs: TASK_MS });
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
    }
    if (fetched.length > before) throw new Error(`the thumbnail fetched ${fetched.slice(before).join(', ')}`);
  }

  async function archive(file: Source): Promise<Outcome> {
    const directory = mkdtempSync(path.join(root, 'members-'));
    mkdirSync(directory, { recursive: true });
    const members = await pool.run('extract-archive', { file, limits, directory }, { timeoutMs: TASK_MS });
    const outcomes: Outcome[] = [];
    for (const { path: unpacked, name, failure } of members) {
      if (unpacked === null) outcomes.push({ end: 'failed', detail: failure?.type ?? '', text: '' });
      else outcomes.push(await outcomeOf(unpacked, name, null));
    }
    rmSync(directory, { recursive: true });
    const text = outcomes.map((outcome) => outcome.text).join('\n');
    const worst = outcomes.find(({ end }) => end === 'disorderly') ?? outcomes.find(({ end }) => end === 'ready');
    return { end: worst?.end ?? 'failed', detail: worst?.detail ?? 'no member is ready', text };
  }

  function verdict(example: Case, outcome: Outcome): string | undefined {
    const got = `${example.file ?? example.name}: ${outcome.end} ${outcome.detail}`.trim();
    if (outcome.end === 'disorderly') return got;
    if (outcome.text.includes(CANARY_TEXT)) return `${got}, with the canary file's text`;
    if (example.expect === 'reject' && outcome.end === 'ready') return `${got}, but must be rejected`;
    if (example.expect === 'ok' && outcome.end !== 'ready') return `${got}, but must be ready`;
    if (example.expect === 'ok' && !outcome.text.includes(example.needle ?? '')) return `${got}, without its needle`;
    return undefined;
  }

  it('end as required, fetch nothing and leave the pool working', async () => {
    const wrong: string[] = [];
    for (const [index, example] of cases.entries()) {
      const file = path.join(root, 'files', example.file ?? `named-${index}`);
      if (example.file === undefined) writeFileSync(file, example.content ?? '');
      const outcome = await outcomeOf(file, example.file ?? example.name ?? '', example.contentType ?? null);
      const problem = verdict(example, outcome);
      if (problem !== undefined) wrong.push(problem);
    }
    // Soft, so that one wrong end does not hide a request to the canary or a broken pool.
    expect.soft(wrong).toEqual([]);
    expect.soft(fetched).toEqual([]);
    // Proves that the canary records requests.
    await fetch(`${canaryUrl}/control`);
    expect(fetched.at(-1)).toBe('/control');
    const normal = path.join(root, 'normal.txt');
    writeFileSync(normal, 'An ordinary note.');
    expect((await outcomeOf(normal, 'normal.txt', null)).end).toBe('ready');
  });
});
