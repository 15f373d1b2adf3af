/**
 * The task handlers of the sandbox's child processes. Rarely used code is imported on demand: most children only parse,
 * and every library costs each of them time and memory.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DocumentTree, ParsedContent } from '@quire/blocks/block';
import { finishTree } from '@quire/blocks/finish-tree';
import { readableTree } from '@quire/blocks/readable-tree';
import { plainText } from '@quire/blocks/walk';
import { analyseChunks } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import type { ChunkingOptions } from '@quire/text/chunk/chunk';
import { chunkTree } from '@quire/text/chunk/chunk-tree';
import { documentTitle } from '@quire/text/chunk/document-title';
import { approximateTokenCounter } from '@quire/text/chunk/approximate-token-counter';
import type { ParseContext } from '@quire/parse/parser';
import { readerFor } from '@quire/parse/formats';
import { packTree } from '../parse/packed-tree.ts';
import { renderTree, type Renderings } from '../render-tree.ts';
import type { ParsedFile, ParseInput, AnalysedChunk, ParseAndChunkInput, RechunkInput } from './sandbox-client.ts';
import type { TaskContext, TaskHandlers } from '@quire/sandbox/protocol';
import { packChunks } from './packed-chunks.ts';
import type { PackedDocument, TaskMap, ThumbnailInput } from './task-map.ts';

export const taskHandlers: TaskHandlers<TaskMap> = {
  'parse-and-chunk': parseAndChunk,
  parse,
  rechunk,
  'draw-pages': async (input) => (await import('@quire/parse/external/draw-pages')).drawPages(input),
  'list-pages': async (input, context) =>
    (await import('@quire/parse/page-pictures/list-pages')).listPages(input.file, parseContext(input, context)),
  'draw-page': async (input, context) =>
    (await import('@quire/parse/page-pictures/draw-page')).drawPage(input, context),
  'mark-picture': async (input) => {
    // Buffers arrive as plain byte arrays, which sharp does not take.
    const { markPicture } = await import('@quire/parse/page-pictures/mark-picture');
    return markPicture({ ...input, picture: Buffer.from(input.picture) });
  },
  render: async ({ tree, format }) => gzipSync(renderTree(unpackTree(tree), [format])[format] ?? '', GZIP),
  'read-text': async ({ tree, request }) =>
    (await import('../document-text/read-text.ts')).readText(unpackTree(tree), request),
  thumbnail,
  'inspect-archive': async ({ file, limits }) =>
    (await import('@quire/parse/archive/list-members')).listMembers(file.path, limits),
  'extract-archive': async ({ file, limits, directory }, context) => {
    const { extractArchive } = await import('@quire/parse/archive/extract-archive');
    return extractArchive(file.path, directory, limits, context);
  },
  edit: async (input, context) => (await import('../edit/edit-file.ts')).editFile(input, context),
  extract: async (input) => (await extraction()).extractTask(input),
  'embedding-inputs': async (input) => (await extraction()).embeddingInputsTask(input),
  'check-value': async (input) => (await extraction()).checkValueTask(input),
  'locate-values': async (input) => (await extraction()).locateTask(input),
};

const extraction = async () => import('../extract/sandbox-tasks.ts');

/**
 * Trees are written for every document and read rarely: level 4 takes a third of the default's time for 6 % more bytes.
 */
const GZIP = { level: 4 };
/** Share of the progress at which parsing ends. */
const PARSED_FRACTION = 0.9;

async function parseAndChunk(input: ParseAndChunkInput, context: TaskContext): Promise<PackedDocument> {
  const tree = await readTree(input, context);
  return {
    tree: gzipSync(JSON.stringify(tree), GZIP),
    language: tree.language,
    pageCount: tree.pageCount,
    title: documentTitle(readableTree(tree)),
    warnings: tree.warnings,
    chunks: packChunks(chunksOf(tree, input.file.name, input.chunking, input.language)),
  };
}

async function parse(input: ParseInput, context: TaskContext): Promise<ParsedFile> {
  const tree = await readTree(input, context);
  return {
    language: tree.language,
    pageCount: tree.pageCount,
    warnings: tree.warnings,
    renderings: inBytes(renderTree(tree, input.formats)),
    // For the modules of runs, which read no struck words.
    tree: input.tree ? packTree(readableTree(tree)) : null,
  };
}

/** Texts would be copied character by character in the service. */
const inBytes = (renderings: Renderings): ParsedFile['renderings'] =>
  Object.fromEntries(Object.entries(renderings).map(([format, text]) => [format, Buffer.from(text)]));

type ContentInput = Pick<ParseAndChunkInput, 'file' | 'options' | 'limits' | 'reading' | 'warnings'>;

async function readTree(input: ContentInput, context: TaskContext): Promise<DocumentTree> {
  const parsed = await readContent(input, context);
  context.onProgress(PARSED_FRACTION);
  const language = parsed.isDescription === true ? null : await detectLanguage(plainText(parsed.blocks));
  return finishTree(parsed, language);
}

/** Returns the file's content, from its parser or from a provider's reading. */
async function readContent(input: ContentInput, context: TaskContext): Promise<ParsedContent> {
  if (input.reading) return (await import('@quire/parse/external/provider-pages')).providerContent(input.reading);
  const reader = await readerFor(input.file.format);
  const parsed = await reader.parse(input.file, {
    ...parseContext(input, context),
    onProgress: (fraction) => context.onProgress(fraction * PARSED_FRACTION),
  });
  return { ...parsed, warnings: [...(input.warnings ?? []), ...parsed.warnings] };
}

async function rechunk({ tree, name, chunking, language }: RechunkInput): Promise<Uint8Array[]> {
  return packChunks(chunksOf(unpackTree(tree), name, chunking, language));
}

/** Decompresses a tree that `parseAndChunk` wrote to the object store. */
function unpackTree(tree: Buffer): DocumentTree {
  const stored: DocumentTree = JSON.parse(gunzipSync(tree).toString('utf8'));
  return stored;
}

async function thumbnail(input: ThumbnailInput, context: TaskContext): Promise<Buffer | null> {
  const { drawThumbnail } = await import('@quire/parse/thumbnail/thumbnail');
  const tree = input.tree === null ? null : unpackTree(input.tree).blocks;
  return drawThumbnail(input.file, parseContext(input, context), { maxSide: input.maxSide, tree });
}

function chunksOf(
  tree: DocumentTree,
  name: string,
  chunking: ChunkingOptions,
  language = tree.language,
): AnalysedChunk[] {
  const readable = readableTree(tree);
  const chunks = chunkTree(readable, chunking, approximateTokenCounter);
  const terms = analyseChunks(chunks, language, { name, title: documentTitle(readable) });
  return chunks.map((chunk, index) => ({ ...chunk, terms: terms[index]?.join(' ') ?? '' }));
}

function parseContext(input: Pick<ParseAndChunkInput, 'options' | 'limits'>, context: TaskContext): ParseContext {
  const { signal, tempDir, onProgress } = context;
  return { options: input.options, limits: input.limits, signal, tempDir, onProgress };
}
