import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ScriptedChatModel, shownTo } from '@quire/models/testing/scripted-chat-model';
import type { DocumentTree } from '@quire/blocks/block';
import type { ChatModel } from '@quire/models/chat-model';
import type { SandboxClient } from '../tasks/sandbox-client.ts';
import type { EditConfig } from '../blocks.ts';
import { editFile } from './edit-file.ts';
import { createEditModule } from './edit.ts';
import { limits } from './testing/edit-bytes.ts';

/** Runs the module on a Markdown file, with the edit in this process instead of a sandbox child. */
async function edit(text: string, config: EditConfig, model: ChatModel | null) {
  const directory = mkdtempSync(path.join(tmpdir(), 'quire-edit-'));
  try {
    const file = { path: path.join(directory, 'a.md'), name: 'a.md', sizeBytes: text.length };
    writeFileSync(file.path, text);
    const here: Pick<SandboxClient, 'edit'> = {
      edit: (input, { onProgress = () => undefined }) =>
        editFile(input, { signal: new AbortController().signal, tempDir: directory, onProgress }),
    };
    const module = createEditModule({
      sandbox: here as SandboxClient,
      limits,
      maxPixels: 1_000_000,
      maxFileBytes: 1_000_000,
    });
    const tree: DocumentTree = {
      version: 1,
      blocks: [{ id: 'b1', type: 'paragraph', text: text.trim() }],
      language: 'en',
      pageCount: null,
      title: null,
      warnings: [],
    };
    const document = { file: { ...file, format: 'markdown' as const, contentType: 'text/markdown' }, tree };
    const progress: number[] = [];
    const deps = { model, embedder: null, tempDir: directory, onProgress: (at: number) => void progress.push(at) };
    const { result, outputs, usage } = await module(document, config, deps, new AbortController().signal);
    const contents = outputs.map(({ content }) => ('path' in content ? readFileSync(content.path, 'utf8') : ''));
    return { result, outputs, usage, contents, progress };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

it('applies operations and returns the file as the field `output`', async () => {
  const operations = [
    { type: 'replaceText' as const, find: 'old', replace: 'new', ignoreCase: false, wholeWord: false },
  ];
  const { result, outputs, contents, progress } = await edit('old text\n', { operations }, null);
  expect(result).toEqual({ operations: [{ ...operations[0], changes: 1 }], fileCount: 1 });
  expect(outputs).toMatchObject([{ name: 'a-edited.md', contentType: 'text/markdown', field: 'output' }]);
  expect([contents, progress]).toEqual([['new text\n'], [1]]);
});

it('lets a model write the operations and retries answers that do not fit the schema', async () => {
  const model = new ScriptedChatModel((_, call) =>
    call === 0
      ? ['{"operations":[{"type":"keepPages","pages":"1"}]}']
      : ['{"operations":[{"type":"replaceText","find":"Acme","replace":"Beta"}]}'],
  );
  const { result, contents, usage } = await edit('Acme pays.\n', { instructions: 'Call Acme Beta' }, model);
  expect(contents).toEqual(['Beta pays.\n']);
  expect(result.fileCount).toBe(1);
  expect(usage).toEqual({ inputTokens: 200, outputTokens: 20 });
  expect(shownTo(model.requests[0])).toContain('<document>\nAcme pays.\n</document>\n\nThe task: Call Acme Beta');
  expect(JSON.stringify(model.requests[0]?.output?.schema)).not.toContain('keepPages');
  expect(shownTo(model.requests[1])).toContain('This does not fit');
});

it('reports that instructions need a model when none is configured', async () => {
  await expect(edit('text', { instructions: 'Shorten it' }, null)).rejects.toMatchObject({
    type: 'unsupported',
    message: 'Editing by instructions needs a language model; configure one, or give operations',
  });
});
