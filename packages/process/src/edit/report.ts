/** The report on each operation of an edit. */
import type { Operation } from './operations.ts';

export interface OperationReport {
  type: Operation['type'];
  /** Number of changes: replacements, pages, fields or cells. 0 when the file had nothing to change. */
  changes: number;
  /** Changed pages of a PDF, from 1. */
  pages?: number[];
  /** Remarks in plain words on what could not be done or was done in addition. */
  notes?: string[];
}

/** An output file of an edit, at `path`. */
export interface EditedFile {
  name: string;
  contentType: string;
  path: string;
  sizeBytes: number;
}

export interface EditedDocument {
  operations: OperationReport[];
  /** One output, unless the document was split. */
  outputs: EditedFile[];
}
