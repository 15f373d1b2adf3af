/** For tests: a Markdown text as the modules of a run receive it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finishTree } from '@quire/blocks/finish-tree';
import { plainText } from '@quire/blocks/walk';
import { detectLanguage } from '@quire/text/language/detect';
import type { ChatModel } from '@quire/models/chat-model';
import type { Embedder } from '@quire/models/embedder';
import { readerFor } from '@quire/parse/formats';
import type { ModuleDeps, RunDocument } from '../module.ts';

export async function markdownDocument(markdown: string, name = 'text.md'): Promise<RunDocument> {
  const directory = await mkdtemp(path.join(tmpdir(), 'quire-module-'));
  const file = {
    path: path.join(directory, name),
    name,
    sizeBytes: markdown.length,
    format: 'markdown',
    contentType: 'text/markdown',
  } as const;
  await writeFile(file.path, markdown);
  try {
    const reader = await readerFor('markdown');
    const parsed = await reader.parse(file, {
      options: { ocr: 'never', ocrLanguages: [], jpegQuality: 85, maxPixels: 1_000_000 },
      limits: { maxInflatedBytes: 1e8, maxArchiveEntries: 10, maxArchiveRatio: 100, maxArchiveDepth: 1 },
      signal: new AbortController().signal,
      tempDir: directory,
      onProgress: () => undefined,
    });
    return { file, tree: finishTree(parsed, await detectLanguage(plainText(parsed.blocks))) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export const moduleDeps = (model: ChatModel | null = null, embedder: Embedder | null = null): ModuleDeps => ({
  model,
  embedder,
  tempDir: '',
  onProgress: () => undefined,
});
