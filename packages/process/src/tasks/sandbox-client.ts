/** What the sandbox does with a file: parse, find the language, cut into passages, analyse. One call, one child. */
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
import type { Renderings } from '../render-tree.ts';
import type { EditInput } from '../edit/edit-file.ts';
import type { EditedDocument } from '../edit/report.ts';
import type { DrawInput, DrawnPages } from '@quire/parse/external/draw-pages';
import type { OutsideReading } from '@quire/parse/external/outside-pages';
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
  warnings: string[];
  chunks: AnalysedChunk[];
}

export interface ParseAndChunkInput {
  file: SourceFile;
  options: ParseOptions;
  limits: ParseLimits;
  chunking: ChunkingOptions;
  /** Terms are those of this language; without it the document's own, as it is detected. */
  language?: string | undefined;
  /** What an outside parser has read of the file; without it the file is read here. */
  reading?: OutsideReading | null | undefined;
  /** Told with the document's own. */
  warnings?: readonly string[] | undefined;
}

export interface RechunkInput {
  tree: Buffer;
  chunking: ChunkingOptions;
  language?: string | undefined;
}

export interface ParseInput extends Pick<ParseAndChunkInput, 'file' | 'options' | 'limits' | 'reading' | 'warnings'> {
  formats: readonly ParseFormat[];
  /** Whether the tree itself is wanted too. */
  tree: boolean;
}

/** A file that was read but not cut into passages. */
export interface ParsedFile {
  language: string | null;
  pageCount: number | null;
  renderings: Renderings;
  /** The `DocumentTree` as JSON; null when it was not asked for. */
  tree: Buffer | null;
}

export interface TaskOptions {
  signal: AbortSignal;
  onProgress?: (fraction: number) => void;
}

/** The sandbox as the pipeline sees it. Throws `ContentError`: also for a crash, a timeout or too much memory. */
export interface SandboxClient {
  parseAndChunk(input: ParseAndChunkInput, options: TaskOptions): Promise<ChunkedDocument>;
  parse(input: ParseInput, options: TaskOptions): Promise<ParsedFile>;
  /** Pictures of pages, for outside parsers. */
  drawPages(input: DrawInput, options: TaskOptions): Promise<DrawnPages>;
  rechunk(input: RechunkInput, options: TaskOptions): Promise<AnalysedChunk[]>;
  unpack(
    input: { file: SourceFile; limits: ParseLimits; directory: string },
    options: TaskOptions,
  ): Promise<ArchiveMember[]>;
  /** Values for a JSON Schema without a language model. Rejects with `no_value` too. */
  extract(input: ExtractInput, options: TaskOptions): Promise<Extraction>;
  embeddingInputs(input: ExtractInput, options: TaskOptions): Promise<EmbeddingInputs>;
  /** What is wrong with a value, in words. */
  checkValue(input: CheckValueInput, options: TaskOptions): Promise<string[]>;
  locateValues(input: LocateInput, options: TaskOptions): Promise<Record<string, Evidence>>;
  thumbnail(
    input: { file: SourceFile; options: ParseOptions; limits: ParseLimits; tree: Buffer | null; maxSide: number },
    options: TaskOptions,
  ): Promise<Buffer | null>;
  edit(input: EditInput, options: TaskOptions): Promise<EditedDocument>;
}
