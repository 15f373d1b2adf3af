/** What an edit tells of each of its operations. */
import type { Operation } from './operations.ts';

export interface OperationReport {
  type: Operation['type'];
  /** Places changed: replacements, pages, fields, cells. 0: nothing in the file was there to change. */
  changes: number;
  /** 1-based pages that were changed, of a PDF. */
  pages?: number[];
  /** What could not be done or what else was done, in plain words. */
  notes?: string[];
}

/** A file that an edit made, at `path`. */
export interface EditedFile {
  name: string;
  contentType: string;
  path: string;
  sizeBytes: number;
}

export interface EditedDocument {
  operations: OperationReport[];
  /** One, unless the document was split. */
  outputs: EditedFile[];
}
