import type { DocumentRecord } from '../../database/tables.ts';
import type { Format } from '@quire/parse/formats';

/** A file that has arrived whole on local disk; whoever made it removes it when the service is done with it. */
export interface Upload {
  path: string;
  name: string;
  /** What the client said; a hint only. Null when it said nothing useful. */
  contentType: string | null;
  sizeBytes: number;
  /** Hex. */
  sha256: string;
}

/** What a look at the bytes says the file is. */
export interface InspectedFile {
  format: Format;
  contentType: string;
  isArchive: boolean;
}

/** Tells the format by content and name, and refuses what is broken, hostile or unsupported (`ApiError`). */
export type InspectUpload = (upload: Pick<Upload, 'path' | 'name' | 'contentType'>) => Promise<InspectedFile>;

export type DuplicatePolicy = 'allow' | 'skip' | 'reject';

export interface NewDocument {
  upload: Upload;
  /** Takes the place of the upload's file name. */
  name?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  duplicates: DuplicatePolicy;
}

export interface DocumentListFilter {
  status?: 'indexing' | 'ready' | 'failed' | 'deleted' | undefined;
  /** Substring, without regard to case. */
  name?: string | undefined;
  parentId?: string | undefined;
}

export const isTerminal = (record: DocumentRecord): boolean =>
  record.status !== 'indexing' || record.deleted_at !== null;

/** Where waiting for a document listens. */
export const documentTopic = (documentId: string): string => `document:${documentId}`;
