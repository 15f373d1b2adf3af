import type { Transaction } from 'kysely';
import type { Database, DocumentRecord } from '../../database/tables.ts';
import type { ContentErrorType } from '@quire/blocks/content-error';
import type { WarningType } from '@quire/blocks/content-warning';
import type { Format } from '@quire/parse/formats';
import type { DocumentCondition } from './repository.ts';

/** An uploaded file on local disk. The caller that created it removes it when the service call has ended. */
export interface Upload {
  path: string;
  name: string;
  /** Content type from the request, a hint only; null if the request gave none. */
  contentType: string | null;
  sizeBytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** The kind of a file, detected from its bytes. */
export interface InspectedFile {
  format: Format;
  contentType: string;
  isArchive: boolean;
}

/** Detects the format by content and name; throws `ApiError` for a corrupt, hostile or unsupported file. */
export type InspectUpload = (upload: Pick<Upload, 'path' | 'name' | 'contentType'>) => Promise<InspectedFile>;

export type DuplicatePolicy = 'allow' | 'skip' | 'reject';

/** The fields of a document that clients set, in an upload beside the file and in a change. */
export interface DocumentFields {
  /** Name of the document, instead of the upload's file name. */
  name?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface NewContent extends DocumentFields {
  upload: Upload;
}

export interface NewDocument extends NewContent {
  duplicates: DuplicatePolicy;
}

/** Writes that commit together with the new content of a document. */
export type WithinTransaction = (transaction: Transaction<Database>, record: DocumentRecord) => Promise<void>;

/** Types of the error of a failed document; `no_value` occurs in runs only. */
export const DOCUMENT_ERROR_TYPES = [
  'no_text',
  'corrupt',
  'encrypted',
  'unsupported',
  'too_large',
  'timeout',
  'parser_crashed',
  'provider_error',
  'no_readable_member',
  'storage_full',
  'quota_exceeded',
  'internal',
] as const satisfies readonly ContentErrorType[];

export interface DocumentListFilter {
  status?: 'indexing' | 'ready' | 'failed' | 'deleted' | undefined;
  /** Type of the error of a failed document. */
  errorType?: string | undefined;
  /** Type of a warning. */
  warning?: WarningType | undefined;
  /** Substring of the name, case-insensitive. */
  name?: string | undefined;
  parentId?: string | undefined;
  /** The condition of a scope. */
  among?: DocumentCondition | undefined;
}

export const isTerminal = (record: DocumentRecord): boolean =>
  record.status !== 'indexing' || record.deleted_at !== null;

/** Notification topic of a document. */
export const documentTopic = (documentId: string): string => `document:${documentId}`;
