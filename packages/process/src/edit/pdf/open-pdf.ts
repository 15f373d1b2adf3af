/** Loads a PDF as pdf-lib objects and saves it. Only objects that the document still refers to are written. */
import { PDFArray, PDFDict, PDFDocument, PDFRef, PDFStream, type PDFObject } from '@cantoo/pdf-lib';
import { ContentError } from '@quire/blocks/content-error';

export async function openPdf(bytes: Uint8Array): Promise<PDFDocument> {
  try {
    const document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      ignoreEncryption: false,
      throwOnInvalidObject: false,
      warnOnInvalidObjects: false,
      parseSpeed: Number.POSITIVE_INFINITY,
    });
    document.getPages();
    return document;
  } catch (error) {
    throw new ContentError('corrupt', 'The PDF is damaged and cannot be edited', { cause: error });
  }
}

export async function savePdf(document: PDFDocument): Promise<Uint8Array> {
  await document.flush();
  dropUnreachable(document);
  return document.save({ addDefaultPage: false, updateFieldAppearances: false });
}

function dropUnreachable({ context }: PDFDocument): void {
  const reached = new Set<PDFRef>();
  const { Root, Info, ID } = context.trailerInfo;
  const open: (PDFObject | undefined)[] = [Root, Info, ID];
  while (open.length > 0) {
    const object = open.pop();
    if (object instanceof PDFRef) {
      if (reached.has(object)) continue;
      reached.add(object);
      open.push(context.lookup(object));
    } else open.push(...childrenOf(object));
  }
  for (const [reference] of context.enumerateIndirectObjects()) if (!reached.has(reference)) context.delete(reference);
}

/** Returns the direct entries of an array, a dictionary or a stream's dictionary. */
export function childrenOf(object: PDFObject | undefined): PDFObject[] {
  if (object instanceof PDFArray) return object.asArray();
  if (object instanceof PDFDict) return object.values();
  return object instanceof PDFStream ? object.dict.values() : [];
}
