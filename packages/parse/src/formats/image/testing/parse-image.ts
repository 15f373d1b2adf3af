import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ParsedContent } from '@quire/blocks/block';
import type { Format } from '../../../formats.ts';
import type { FormatReader, ParseContext, ParseOptions, SourceFile } from '../../../parser.ts';

const OPTIONS: ParseOptions = { ocr: 'auto', ocrLanguages: ['eng'], jpegQuality: 80, maxPixels: 100_000_000 };

async function withFile<T>(
  bytes: Uint8Array,
  format: Format,
  options: Partial<ParseOptions>,
  use: (file: SourceFile, context: ParseContext) => Promise<T>,
): Promise<T> {
  const tempDir = await mkdtemp(path.join(tmpdir(), 'quire-image-'));
  const file: SourceFile = {
    path: path.join(tempDir, 'source'),
    name: `picture.${format}`,
    sizeBytes: bytes.length,
    format,
    contentType: '',
  };
  const limits = { maxInflatedBytes: 1e9, maxArchiveEntries: 1e4, maxArchiveRatio: 100, maxArchiveDepth: 3 };
  const signal = new AbortController().signal;
  try {
    await writeFile(file.path, bytes);
    return await use(file, {
      options: { ...OPTIONS, ...options },
      limits,
      signal,
      tempDir,
      onProgress: () => undefined,
    });
  } finally {
    await rm(tempDir, { recursive: true, force: true });
  }
}

export function parseImage(
  reader: FormatReader,
  bytes: Uint8Array,
  format: Format,
  options: Partial<ParseOptions> = {},
): Promise<ParsedContent> {
  return withFile(bytes, format, options, reader.parse);
}

export function thumbnailOf(reader: FormatReader, bytes: Uint8Array, format: Format, maxSide: number): Promise<Buffer> {
  return withFile(bytes, format, {}, async (file, context) => {
    const drawn = await reader.thumbnail?.(file, context, maxSide);
    if (drawn == null) throw new Error('no thumbnail');
    return drawn;
  });
}
