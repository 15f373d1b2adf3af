/** Returns the open PDF as PDFium writes it: one revision, without encryption. */
import { ContentError } from '@quire/blocks/content-error';
import type { PdfDocument } from '@quire/parse/formats/pdf/document';

export function rewriteWhole({ pdfium, handle }: PdfDocument): Uint8Array {
  const { api } = pdfium;
  if (api.EPDF_IsEncrypted(handle)) api.EPDF_RemoveEncryption(handle);
  const writer = api.PDFiumExt_OpenFileWriter();
  try {
    if (api.PDFiumExt_SaveAsCopy(handle, writer) === 0) {
      throw new ContentError('corrupt', 'The PDF is damaged and cannot be written again');
    }
    const size = api.PDFiumExt_GetFileWriterSize(writer);
    const pointer = pdfium.allocate(size);
    try {
      api.PDFiumExt_GetFileWriterData(writer, pointer, size);
      return Uint8Array.from(pdfium.bytes.subarray(pointer, pointer + size));
    } finally {
      pdfium.free(pointer);
    }
  } finally {
    api.PDFiumExt_CloseFileWriter(writer);
  }
}
