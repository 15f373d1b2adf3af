/** The tasks of the sandbox pool with their inputs and outputs. */
import type { ParsedFile, ParseInput, ChunkedDocument, ParseAndChunkInput, RechunkInput } from './sandbox-client.ts';
import type { ArchiveMember } from '@quire/parse/archive/archive-member';
import type { DrawInput, DrawnPages } from '@quire/parse/external/draw-pages';
import type { PagePictureInput } from '@quire/parse/page-pictures/draw-page';
import type { PageList } from '@quire/parse/page-pictures/list-pages';
import type { MarkInput } from '@quire/parse/page-pictures/mark-picture';
import type { ParseLimits, ParseOptions, SourceFile } from '@quire/parse/parser';
import type {
  CheckValueInput,
  Evidence,
  ExtractInput,
  Extraction,
  LocateInput,
  EmbeddingInputs,
} from '../extract/extraction.ts';
import type { MemberListing } from '@quire/parse/archive/list-members';
import type { TextReading, TextRequest } from '../document-text/read-text.ts';
import type { EditInput } from '../edit/edit-file.ts';
import type { EditedDocument } from '../edit/report.ts';
import type { ParseFormat } from '../blocks.ts';

export interface ThumbnailInput {
  file: SourceFile;
  options: ParseOptions;
  limits: ParseLimits;
  /** The stored tree, when the document was parsed before. */
  tree: Buffer | null;
  maxSide: number;
}

/** A document whose chunks `packChunks` wrote. */
export type PackedDocument = Omit<ChunkedDocument, 'chunks'> & { chunks: Uint8Array[] };

export interface RenderInput {
  /** The stored tree. */
  tree: Buffer;
  format: ParseFormat;
}

export interface ReadTextInput {
  /** The stored tree. */
  tree: Buffer;
  request: TextRequest;
}

export interface PageListInput {
  file: SourceFile;
  options: ParseOptions;
  limits: ParseLimits;
}

export interface ArchiveInput {
  file: SourceFile;
  limits: ParseLimits;
}

/** A type alias, because an interface has no index signature, which `TaskTable` requires. */
export type TaskMap = {
  'parse-and-chunk': { input: ParseAndChunkInput; output: PackedDocument };
  parse: { input: ParseInput; output: ParsedFile };
  'draw-pages': { input: DrawInput; output: DrawnPages };
  'list-pages': { input: PageListInput; output: PageList | null };
  'draw-page': { input: PagePictureInput; output: Buffer | null };
  'mark-picture': { input: MarkInput; output: Buffer };
  rechunk: { input: RechunkInput; output: Uint8Array[] };
  /** The output is gzipped. */
  render: { input: RenderInput; output: Buffer };
  'read-text': { input: ReadTextInput; output: TextReading | null };
  thumbnail: { input: ThumbnailInput; output: Buffer | null };
  'inspect-archive': { input: ArchiveInput; output: MemberListing[] };
  'extract-archive': { input: ArchiveInput & { directory: string }; output: ArchiveMember[] };
  edit: { input: EditInput; output: EditedDocument };
  extract: { input: ExtractInput; output: Extraction };
  'embedding-inputs': { input: ExtractInput; output: EmbeddingInputs };
  'check-value': { input: CheckValueInput; output: string[] };
  'locate-values': { input: LocateInput; output: Record<string, Evidence> };
};
