/** Converts a text to the input of a run's modules, parsed like a plain text file. */
import { finishTree } from '@quire/blocks/finish-tree';
import { detectLanguage } from '@quire/text/language/detect';
import type { ModuleDeps, RunDocument } from '@quire/process/module';
import { parsePlainText } from '@quire/parse/formats/text/text';
import type { Embedder } from '@quire/models/embedder';

export async function textDocument(text: string): Promise<RunDocument> {
  const parsed = { blocks: parsePlainText(text), pageCount: null, title: null, warnings: [] };
  const file = {
    path: '',
    name: 'text.txt',
    sizeBytes: text.length,
    format: 'txt',
    contentType: 'text/plain',
  } as const;
  return { file, tree: finishTree(parsed, await detectLanguage(text)) };
}

/** Module context without a language model. */
export const depsWith = (embedder: Embedder | null): ModuleDeps => ({
  model: null,
  embedder,
  tempDir: '',
  onProgress: () => undefined,
});
