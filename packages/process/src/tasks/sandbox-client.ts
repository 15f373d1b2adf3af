/**
 * The interface of the sandbox: parsing, language detection, chunking and analysis of a file. Each call runs in one
 * child process.
 */
import type { ContentWarning } from '@quire/blocks/content-warning';
import type { ArchiveMember } from '@quire/parse/archive/archive-member';
import type { ChunkDraft, ChunkingOptions } from '@quire/text/chunk/chunk';
import type { ParseFormat } from '../blocks.ts';
import type {
  CheckValueInput,
  Evidence,
  ExtractInput,
  Extraction,
  LocateInput,
  EmbeddingInputs,
} from '../extract/extraction.ts';
import type { TextReading } from '../document-text/read-text.ts';
import type { EditInput } from '../edit/edit-file.ts';
import type { EditedDocument } from '../edit/report.ts';
import type { ReadTextInput, RenderInput } from './task-map.ts';
import type { DrawInput, DrawnPages } from '@quire/parse/external/draw-pages';
import type { PagePictureInput } from '@quire/parse/page-pictures/draw-page';
import type { PageList } from '@quire/parse/page-pictures/list-pages';
import type { MarkInput } from '@quire/parse/page-pictures/mark-picture';
import type { ProviderReading } from '@quire/parse/external/provider-pages';
import type { ParseLimits, ParseOptions, SourceFile } from '@quire/parse/parser';

export interface AnalysedChunk extends ChunkDraft {
  /** The analyser's tokens joined by single spaces. */
  terms: string;
}

export interface ChunkedDocument {
  /** The `DocumentTree` as gzipped JSON. */
  tree: Buffer;
  language: string | null;
  pageCount: number | null;
  title: string | null;
  warnings: ContentWarning[];
  chunks: AnalysedChunk[];
}

export interface ParseAndChunkInput {
  file: SourceFile;
  options: ParseOptions;
  limits: ParseLimits;
  chunking: ChunkingOptions;
  /** Language of the analyser; defaults to the document's detected language. */
  language?: string | undefined;
  /** Pages as read by a provider; when absent, the built-in parsers read the file. */
  reading?: ProviderReading | null | undefined;
  /** Warnings added to the document's own. */
  warnings?: readonly ContentWarning[] | undefined;
}

export interface RechunkInput {
  tree: Buffer;
  /** File name of the document. */
  name: string;
  chunking: ChunkingOptions;
  language?: string | undefined;
}

export interface ParseInput extends Pick<ParseAndChunkInput, 'file' | 'options' | 'limits' | 'reading' | 'warnings'> {
  formats: readonly ParseFormat[];
  /** Whether to return the tree too. */
  tree: boolean;
}

/** A parsed file that was not split into chunks. */
export interface ParsedFile {
  language: string | null;
  pageCount: number | null;
  warnings: ContentWarning[];
  /** In UTF-8. */
  renderings: Partial<Record<ParseFormat, Uint8Array>>;
  /** Written by `packTree`; null unless requested. */
  tree: Uint8Array | null;
}

export interface TaskOptions {
  signal: AbortSignal;
  onProgress?: (fraction: number) => void;
}

/**
 * The sandbox as the pipeline uses it. Rejects with `ContentError`, also after a crash, a timeout or excessive memory
 * use.
 */
export interface SandboxClient {
  parseAndChunk(input: ParseAndChunkInput, options: TaskOptions): Promise<ChunkedDocument>;
  parse(input: ParseInput, options: TaskOptions): Promise<ParsedFile>;
  /** Renders pages as images for providers. */
  drawPages(input: DrawInput, options: TaskOptions): Promise<DrawnPages>;
  /** Lists the pages that can be drawn; null if there are none. */
  listPages(
    input: { file: SourceFile; options: ParseOptions; limits: ParseLimits },
    options: TaskOptions,
  ): Promise<PageList | null>;
  /** Draws one page as WebP; null if there is no such page. */
  drawPage(input: PagePictureInput, options: TaskOptions): Promise<Buffer | null>;
  markPicture(input: MarkInput, options: TaskOptions): Promise<Buffer>;
  rechunk(input: RechunkInput, options: TaskOptions): Promise<AnalysedChunk[]>;
  unpack(
    input: { file: SourceFile; limits: ParseLimits; directory: string },
    options: TaskOptions,
  ): Promise<ArchiveMember[]>;
  /** Extracts values for a JSON Schema without a language model. May reject with `no_value`. */
  extract(input: ExtractInput, options: TaskOptions): Promise<Extraction>;
  embeddingInputs(input: ExtractInput, options: TaskOptions): Promise<EmbeddingInputs>;
  /** Returns the value's validation errors in words. */
  checkValue(input: CheckValueInput, options: TaskOptions): Promise<string[]>;
  locateValues(input: LocateInput, options: TaskOptions): Promise<Record<string, Evidence>>;
  /** Renders a stored tree; the text is gzipped. Rejects with `too_large` beyond `MAX_RENDERING_LENGTH`. */
  render(input: RenderInput, options: TaskOptions): Promise<Buffer>;
  /** Reads a part of a stored tree as Markdown; null if there is no such part. */
  readText(input: ReadTextInput, options: TaskOptions): Promise<TextReading | null>;
  thumbnail(
    input: { file: SourceFile; options: ParseOptions; limits: ParseLimits; tree: Buffer | null; maxSide: number },
    options: TaskOptions,
  ): Promise<Buffer | null>;
  edit(input: EditInput, options: TaskOptions): Promise<EditedDocument>;
}
