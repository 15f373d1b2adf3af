/** Parses a small text with the built-in parser and renders a small image for providers, for health checks. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import type { PagePicture } from '@quire/blocks/page-reading';
import type { ParseLimits, ParseOptions } from '@quire/parse/parser';
import type { SandboxClient } from '@quire/process/tasks/sandbox-client';

export interface ParseSampleDeps {
  sandbox: Pick<SandboxClient, 'parseAndChunk'>;
  limits: ParseLimits;
  /** Directory of the text during the call. */
  directory: string;
}

const OPTIONS: ParseOptions = { ocr: 'never', ocrLanguages: [], jpegQuality: 85, maxPixels: 1_000_000 };
const CHUNKING = { maxTokens: 320, overlapTokens: 0 };

/** Returns a function that resolves to the number of chunks of a text. It rejects with `ContentError`. */
export function parseSampleWith(deps: ParseSampleDeps): (text: string, signal: AbortSignal) => Promise<number> {
  return async (text, signal) => {
    const file = path.join(deps.directory, `sample-${randomUUID()}.txt`);
    await writeFile(file, text);
    try {
      const source = {
        path: file,
        name: 'sample.txt',
        sizeBytes: Buffer.byteLength(text),
        format: 'txt',
        contentType: 'text/plain',
      } as const;
      const input = { file: source, options: OPTIONS, limits: deps.limits, chunking: CHUNKING };
      return (await deps.sandbox.parseAndChunk(input, { signal })).chunks.length;
    } finally {
      await rm(file, { force: true });
    }
  };
}

const PAGE = { width: 480, height: 120 };

/** Renders an image with a line of text for a test request to a provider. */
export async function samplePage(): Promise<PagePicture> {
  const { width, height } = PAGE;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><text x="20" y="70" font-family="sans-serif" font-size="32">The lease ends in May.</text></svg>`;
  return { page: 1, jpeg: await sharp(Buffer.from(drawing)).jpeg().toBuffer(), width, height };
}
