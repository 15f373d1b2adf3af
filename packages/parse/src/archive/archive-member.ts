import type { Format } from '../formats.ts';

/** A member of an archive, either extracted or refused. */
export interface ArchiveMember {
  /** The path in the archive, with `/` between folders. */
  archivePath: string;
  name: string;
  /** Path of the extracted bytes on local disk; null if extraction failed, with the reason in `failure`. */
  path: string | null;
  sizeBytes: number;
  sha256: string;
  format: Format | null;
  contentType: string | null;
  failure: { type: string; message: string } | null;
}
