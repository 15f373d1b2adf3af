/** A text as a run's modules get it: parsed as a plain text file is. */
import { finishTree } from '../packages/server/src/content/finish-tree.ts';
import { detectLanguage } from '../packages/server/src/language/detect.ts';
import type { ModuleDeps, RunDocument } from '../packages/server/src/pipeline/modules/module.ts';
import { parsePlainText } from '../packages/server/src/pipeline/parse/text.ts';
import type { Embedder } from '../packages/server/src/providers/embedder.ts';

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

/** Without a language model. */
export const depsWith = (embedder: Embedder | null): ModuleDeps => ({
  model: null,
  embedder,
  tempDir: '',
  onProgress: () => undefined,
});
