import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DocumentTree } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { plainText } from '@quire/blocks/walk';
import { detectLanguage } from '@quire/text/language/detect';
import { readerFor, type Format } from './formats.ts';
import type { ParseContext, ParseLimits, ParseOptions } from './parser.ts';
import { inspectUpload } from './validate/inspect-upload.ts';

export interface ParseFileOptions extends Partial<ParseOptions> {
  /** Name whose extension is compared with the content. Default: the last part of the path. */
  name?: string;
  /** Limits of zip-based files. Default: 1 GiB unpacked, 10,000 members, a ratio of 100, archives nested 3 deep. */
  limits?: Partial<ParseLimits>;
  signal?: AbortSignal;
  /** Receives the completed fraction of the parse, 0 to 1. */
  onProgress?: (fraction: number) => void;
}

/** The block tree of a file with its title, language, number of pages and warnings. */
export interface ParsedFile extends DocumentTree {
  format: Format;
  contentType: string;
}

const DEFAULT_OPTIONS: ParseOptions = {
  ocr: 'auto',
  ocrLanguages: ['eng'],
  jpegQuality: 85,
  maxPixels: 100_000_000,
};

const DEFAULT_LIMITS: ParseLimits = {
  maxInflatedBytes: 1024 ** 3,
  maxArchiveEntries: 10_000,
  maxArchiveRatio: 100,
  maxArchiveDepth: 3,
};

/**
 * Reads a file of any supported format into a block tree, in this process. Throws `FileRefused` if the content does not
 * match the name, is damaged or exceeds a limit, and `ContentError` if it cannot be read. Parse untrusted files in a
 * child process with limits of time and memory.
 */
export async function parseFile(file: string, options: ParseFileOptions = {}): Promise<ParsedFile> {
  const { name = path.basename(file), limits, signal, onProgress, ...parseOptions } = options;
  const parse = { ...DEFAULT_OPTIONS, ...parseOptions };
  const allLimits = { ...DEFAULT_LIMITS, ...limits };
  const { format, contentType } = await inspectUpload(file, name, null, { ...allLimits, maxPixels: parse.maxPixels });
  const { size: sizeBytes } = await stat(file);
  const tempDir = await mkdtemp(path.join(tmpdir(), 'quire-parse-'));
  try {
    const context: ParseContext = {
      options: parse,
      limits: allLimits,
      signal: signal ?? new AbortController().signal,
      tempDir,
      onProgress: onProgress ?? (() => undefined),
    };
    const reader = await readerFor(format);
    const content = await reader.parse({ path: path.resolve(file), name, sizeBytes, format, contentType }, context);
    const language = content.isDescription === true ? null : await detectLanguage(plainText(content.blocks));
    return { ...finishTree(content, language), format, contentType };
  } finally {
    await rm(tempDir, { recursive: true, force: true });
  }
}
