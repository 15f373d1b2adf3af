import type { Format } from '../formats.ts';

/** A member of an archive, unpacked or refused. */
export interface ArchiveMember {
  /** As in the archive, `/` between folders. */
  archivePath: string;
  name: string;
  /** The unpacked bytes on local disk; null when the member could not be unpacked, with the reason. */
  path: string | null;
  sizeBytes: number;
  sha256: string;
  format: Format | null;
  contentType: string | null;
  failure: { type: string; message: string } | null;
}
