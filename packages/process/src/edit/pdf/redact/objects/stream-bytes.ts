/** Decodes the content of streams. */
import { decodePDFRawStream, PDFArray, PDFContentStream, PDFDict, PDFRawStream, type PDFObject } from '@cantoo/pdf-lib';
import { dictOf, key } from './pdf-objects.ts';
import { undoPredictor } from './predictor.ts';

/** Maximum decoded size in bytes, against decompression bombs: the largest legitimate content stream seen has 60 MB. */
const MAX_STREAM_BYTES = 256 * 1024 ** 2;

/** Returns the decoded bytes; undefined for image filters and for invalid data. */
export function decodedBytes(stream: PDFObject | undefined): Uint8Array | undefined {
  try {
    if (stream instanceof PDFRawStream) {
      const decoded = decodePDFRawStream(stream).decode();
      return decoded.length > MAX_STREAM_BYTES ? undefined : undoPredictor(decoded, lastParameters(stream.dict));
    }
    return stream instanceof PDFContentStream ? stream.getUnencodedContents() : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the parameters of the last filter, to which a predictor belongs. */
function lastParameters(dict: PDFDict): PDFDict | undefined {
  const parameters = dict.lookup(key('DecodeParms'));
  if (parameters instanceof PDFDict) return parameters;
  const last = parameters instanceof PDFArray ? parameters.size() - 1 : -1;
  return parameters instanceof PDFArray && last >= 0 ? dictOf(parameters.lookup(last)) : undefined;
}
