/**
 * The first look at a file that has arrived: what it is, and whether it may go on to a parser. Reads the beginning,
 * the end and the containers' directories only, inflates nothing but the few hundred bytes in which an Office file says
 * what it is, and runs in the api process, so its time is bounded by the limits and not by the file.
 */
import { FORMATS, type Format } from '@quire/blocks/format';
import { ZipProblem, type ArchiveLimits } from '../archive/zip-limits.ts';
import { acceptedFormat, namedFormat } from './accepted-format.ts';
import { detectContent } from './detect-content.ts';
import { FileProbe } from './file-probe.ts';
import { measureImage } from './image-size.ts';
import { corruptFile, emptyFile, tooManyPixels, zipRefusal } from './refusals.ts';

export interface InspectLimits extends ArchiveLimits {
  maxPixels: number;
}

export interface Inspection {
  format: Format;
  contentType: string;
  isArchive: boolean;
}

/** `contentTypeHint`: what the client said, used only where neither name nor content tell. Throws `FileRefused`. */
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
    const detected = await detectContent(probe, named.format, limits);
    const format = acceptedFormat(named, detected, contentTypeHint);
    checkStructure(format, probe, limits);
    return { format, contentType: FORMATS[format].contentType, isArchive: format === 'zip' };
  } catch (error) {
    throw error instanceof ZipProblem ? zipRefusal(error) : error;
  } finally {
    probe.close();
  }
}

const PDF_SEARCH_BYTES = 64 * 1024;

/** Whether the file is encrypted is the parser's to say: an empty password opens many. */
function checkStructure(format: Format, probe: FileProbe, limits: InspectLimits): void {
  if (format === 'pdf') {
    const hasObjects = [probe.head, probe.tail(PDF_SEARCH_BYTES)].some((part) => part.includes('obj'));
    if (!hasObjects) throw corruptFile('The PDF file is damaged: it holds no objects');
  }
  const size = measureImage(format, probe);
  if (size === 'corrupt') throw corruptFile('The image is damaged: its header makes no sense');
  if (size !== undefined && size.width * size.height > limits.maxPixels) {
    throw tooManyPixels(size.width * size.height, limits.maxPixels);
  }
}
