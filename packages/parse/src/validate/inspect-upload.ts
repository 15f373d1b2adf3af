/**
 * Checks an uploaded file before any parser sees it. Reads only the beginning, the end and container directories, and
 * inflates only the small members in which a document declares its type. It runs in the API process, so its time
 * depends on the limits and not on the size of the file.
 */
import { ZipProblem, type ArchiveLimits } from '../archive/zip-limits.ts';
import type { StructureLimits } from '../format-descriptor.ts';
import { FORMATS, type Format } from '../formats.ts';
import { acceptedFormat, namedFormat } from './accepted-format.ts';
import { detectContent } from './detect-content.ts';
import { FileProbe } from './file-probe.ts';
import { emptyFile, zipRefusal } from './refusals.ts';

export type InspectLimits = ArchiveLimits & StructureLimits;

export interface Inspection {
  format: Format;
  contentType: string;
  isArchive: boolean;
}

/**
 * `contentTypeHint` is the client's statement; it is used only if name and content are ambiguous. Throws `FileRefused`.
 */
export async function inspectUpload(
  path: string,
  name: string,
  contentTypeHint: string | null,
  limits: InspectLimits,
): Promise<Inspection> {
  const named = namedFormat(name);
  const probe = new FileProbe(path);
  try {
    if (probe.sizeBytes === 0) throw emptyFile();
    const detected = await detectContent(probe, named, limits);
    const format = acceptedFormat(named, detected, contentTypeHint);
    const { contentType, family, structure } = FORMATS[format];
    structure?.(probe, limits);
    return { format, contentType, isArchive: family === 'archive' };
  } catch (error) {
    throw error instanceof ZipProblem ? zipRefusal(error) : error;
  } finally {
    probe.close();
  }
}
