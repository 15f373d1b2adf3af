/** The tasks of the service's pool, with their inputs and outputs. */
import type {
  ArchiveMember,
  ParsedFile,
  ParseInput,
  PreparedChunk,
  PreparedDocument,
  PrepareInput,
  RechunkInput,
} from '../prepare.ts';
import type { DrawInput, DrawnPages } from '../parse/draw-pages.ts';
import type { ParseLimits, ParseOptions, SourceFile } from '../parse/parser.ts';
import type {
  CheckValueInput,
  Evidence,
  ExtractInput,
  Extraction,
  LocateInput,
  Terms,
} from '../modules/extract/extraction.ts';
import type { MemberListing } from '../archive/list-members.ts';
import type { EditInput } from '../modules/edit/edit-file.ts';
import type { EditedDocument } from '../modules/edit/report.ts';

export interface ThumbnailInput {
  file: SourceFile;
  options: ParseOptions;
  limits: ParseLimits;
  /** The stored tree, where the document has been read. */
  tree: Buffer | null;
  maxSide: number;
}

export interface ArchiveInput {
  file: SourceFile;
  limits: ParseLimits;
}

/** A type alias and not an interface: an interface has no index signature, which `TaskTable` asks for. */
export type TaskMap = {
  prepare: { input: PrepareInput; output: PreparedDocument };
  parse: { input: ParseInput; output: ParsedFile };
  'draw-pages': { input: DrawInput; output: DrawnPages };
  rechunk: { input: RechunkInput; output: PreparedChunk[] };
  thumbnail: { input: ThumbnailInput; output: Buffer | null };
  'inspect-archive': { input: ArchiveInput; output: MemberListing[] };
  'extract-archive': { input: ArchiveInput & { directory: string }; output: ArchiveMember[] };
  edit: { input: EditInput; output: EditedDocument };
  extract: { input: ExtractInput; output: Extraction };
  'extraction-terms': { input: ExtractInput; output: Terms };
  'check-value': { input: CheckValueInput; output: string[] };
  'locate-values': { input: LocateInput; output: Record<string, Evidence> };
};
