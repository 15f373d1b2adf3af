/** Reads the PDFs that a bench is given, without the sandbox. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DocumentTree } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readerFor } from '@quire/parse/formats';
import type { ParseContext } from '@quire/parse/parser';
import { limits, options } from '@quire/process/tasks/testing/default-reading';

/** Returns the PDFs of files and folders, in the order of their names. */
export async function pdfFiles(given: readonly string[]): Promise<string[]> {
  return (await Promise.all(given.map(filesOf))).flat();
}

async function filesOf(given: string): Promise<string[]> {
  if ((await stat(given)).isFile()) return [given];
  const names = await readdir(given, { recursive: true });
  return names
    .filter((name) => name.toLowerCase().endsWith('.pdf'))
    .toSorted()
    .map((name) => path.join(given, name));
}

/** Calls `use` with a context that reads text layers only. */
export async function withContext(use: (context: ParseContext) => Promise<void>): Promise<void> {
  const tempDir = await mkdtemp(path.join(tmpdir(), 'quire-pdfs-'));
  const { signal } = new AbortController();
  try {
    await use({ options: { ...options, ocr: 'never' }, limits, signal, tempDir, onProgress: () => undefined });
  } finally {
    await rm(tempDir, { recursive: true });
  }
}

export async function readPdf(file: string, context: ParseContext): Promise<DocumentTree> {
  const { parse } = await readerFor('pdf');
  const { size: sizeBytes } = await stat(file);
  const name = path.basename(file);
  const parsed = await parse({ path: file, name, sizeBytes, format: 'pdf', contentType: 'application/pdf' }, context);
  return finishTree(parsed, null);
}
