// large: reads hundreds of hostile files
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileRefused } from '@quire/parse/validate/file-refused';
import { ContentError } from '@quire/blocks/content-error';
import { sampleFiles, type SampleFile } from '@quire/parse/testing/sample-files';
import { inspectUpload } from '@quire/parse/validate/inspect-upload';
import { openTaskPool, type TaskPool } from './task-pool.ts';
import { chunking, limits, options as defaults } from './testing/default-reading.ts';
import { mutate, Random } from './testing/mutate.ts';

/** Number of mutations per file; `npm run robustness -- --mutations 500` runs many more. */
const PER_FILE = 4;
/** Deadline in ms that no parser reaches for a file of this size, also on a slow machine. */
const TASK_MS = 200_000;
const options = { ...defaults, ocr: 'never' } as const;

describe('damaged files', () => {
  let root: string;
  let pool: TaskPool;
  let samples: SampleFile[];

  beforeAll(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'quire-mutations-'));
    pool = await openTaskPool({ size: 2 });
    samples = await sampleFiles(2);
  });

  afterAll(async () => {
    await pool.close();
    rmSync(root, { recursive: true });
  });

  async function endOf(file: string, name: string): Promise<string> {
    try {
      const inspected = await inspectUpload(file, name, null, limits);
      const source = { path: file, name, sizeBytes: statSync(file).size, ...inspected };
      if (inspected.isArchive) await pool.run('inspect-archive', { file: source, limits }, { timeoutMs: TASK_MS });
      else await pool.run('parse-and-chunk', { file: source, options, limits, chunking }, { timeoutMs: TASK_MS });
      return 'read';
    } catch (error) {
      if (error instanceof FileRefused) return 'refused';
      return error instanceof ContentError ? error.type : String(error);
    }
  }

  it('are parsed or end in a typed error, and crash no parser', async () => {
    const endings = samples.flatMap(({ name, bytes }, sample) =>
      Array.from({ length: PER_FILE }, async (_, index) => {
        const file = path.join(root, `${index}-${name}`);
        writeFileSync(file, mutate(bytes, new Random(1 + sample * PER_FILE + index)));
        return [name, index, await endOf(file, name)] as const;
      }),
    );
    const orderly = ['read', 'refused', 'corrupt', 'encrypted', 'too_large', 'unsupported', 'no_text'];
    expect((await Promise.all(endings)).filter(([, , end]) => !orderly.includes(end))).toEqual([]);
  });
});
