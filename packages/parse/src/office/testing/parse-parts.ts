/** Packs parts into an office file in a temporary directory and reads it, for tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { BlockDraft, ParsedContent } from '@quire/blocks/block';
import type { Format } from '../../formats.ts';
import type { FormatReader, ParseContext, SourceFile } from '../../parser.ts';

export type Parts = Record<string, string | Uint8Array>;

export const testContext: ParseContext = {
  options: { ocr: 'never', ocrLanguages: ['eng'], jpegQuality: 80, maxPixels: 50_000_000 },
  limits: { maxInflatedBytes: 100_000_000, maxArchiveEntries: 1_000, maxArchiveRatio: 100, maxArchiveDepth: 3 },
  signal: new AbortController().signal,
  tempDir: tmpdir(),
  onProgress: () => undefined,
};

export function pack(parts: Parts): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );
}

/** Writes the bytes to a file for the duration of `use`. */
export async function withFile<T>(
  bytes: Uint8Array,
  format: Format,
  use: (file: SourceFile) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'office-test-'));
  const path = join(folder, `file.${format}`);
  writeFileSync(path, bytes);
  try {
    return await use({ path, name: `file.${format}`, sizeBytes: bytes.length, format, contentType: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function parseBytes(
  reader: FormatReader,
  bytes: Uint8Array,
  format: Format,
  context = testContext,
): Promise<ParsedContent> {
  return withFile(bytes, format, (file) => reader.parse(file, context));
}

/** Returns short descriptions of blocks (type, level, text, cells, children) for exact comparison in tests. */
export function outline(blocks: readonly BlockDraft[]): string[] {
  return blocks.flatMap((block) => {
    const kind = block.type === 'list' && block.ordered === true ? `list ${block.start ?? 1}.` : block.type;
    const level = block.level === undefined ? '' : ` ${block.level}`;
    const rows = block.rows?.map((row) => row.map(cellOutline).join(' | ')).join(' / ');
    return [
      `${kind}${level}: ${rows ?? block.text ?? ''}`,
      ...outline(block.children ?? []).map((line) => `  ${line}`),
    ];
  });
}

function cellOutline(cell: { text: string; rowSpan: number; colSpan: number; header: boolean }): string {
  const span = cell.rowSpan > 1 || cell.colSpan > 1 ? `<${cell.rowSpan}x${cell.colSpan}>` : '';
  return `${cell.header ? '*' : ''}${cell.text}${span}`;
}
