/** Runs the PDF reader on bytes, as the sandbox does on a file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import type { ParseContext, ParseOptions, SourceFile } from '../../../parser.ts';
import { reader } from '../pdf.ts';

export async function withPdfFile<Result>(
  bytes: Buffer,
  use: (file: SourceFile, context: ParseContext) => Promise<Result>,
  given: { signal?: AbortSignal; ocr?: ParseOptions['ocr'] } = {},
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-pdf-'));
  try {
    const path = join(folder, 'test.pdf');
    await writeFile(path, bytes);
    return await use(
      { path, name: 'test.pdf', sizeBytes: bytes.length, format: 'pdf', contentType: 'application/pdf' },
      {
        options: { ocr: given.ocr ?? 'never', ocrLanguages: ['eng'], jpegQuality: 80, maxPixels: 20_000_000 },
        limits: { maxInflatedBytes: 0, maxArchiveEntries: 0, maxArchiveRatio: 0, maxArchiveDepth: 0 },
        signal: given.signal ?? new AbortController().signal,
        tempDir: folder,
        onProgress: () => undefined,
      },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const parsePdf = (
  bytes: Buffer,
  given: { signal?: AbortSignal; ocr?: ParseOptions['ocr'] } = {},
): Promise<ParsedContent> => withPdfFile(bytes, (file, context) => reader.parse(file, context), given);

/** Returns type and text of each block. */
export const outlineOf = (blocks: readonly BlockDraft[]): string[] =>
  blocks.map((block) => `${block.type}${block.type === 'heading' ? block.level : ''}: ${block.text ?? ''}`.trim());

/** Returns the cell texts of a table by row. */
export const gridOf = (block: BlockDraft | undefined): string[][] =>
  (block?.rows ?? []).map((row) => row.map((cell) => cell.text));
