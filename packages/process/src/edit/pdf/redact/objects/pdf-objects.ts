/** Typed access to pdf-lib objects. A missing entry or one of another type is undefined. */
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFStream, type PDFContext, type PDFObject } from '@cantoo/pdf-lib';

export const key = (name: string): PDFName => PDFName.of(name);

export function dictOf(object: PDFObject | undefined): PDFDict | undefined {
  if (object instanceof PDFDict) return object;
  return object instanceof PDFStream ? object.dict : undefined;
}

export const dictAt = (dict: PDFDict | undefined, name: string): PDFDict | undefined => dictOf(dict?.lookup(key(name)));

export function numberAt(dict: PDFDict | undefined, name: string): number | undefined {
  const value = dict?.lookup(key(name));
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

export function nameAt(dict: PDFDict | undefined, name: string): string | undefined {
  const value = dict?.lookup(key(name));
  return value instanceof PDFName ? value.decodeText() : undefined;
}

export function arrayAt(dict: PDFDict | undefined, name: string): PDFArray | undefined {
  const value = dict?.lookup(key(name));
  return value instanceof PDFArray ? value : undefined;
}

export function numbersOf(array: PDFArray | undefined): number[] {
  return (array?.asArray() ?? []).map((_, index) => {
    const value = array?.lookup(index);
    return value instanceof PDFNumber ? value.asNumber() : 0;
  });
}

/** Returns a new dictionary with the same entries. */
export function copyOf(dict: PDFDict | undefined, context: PDFContext): PDFDict {
  const copy = PDFDict.withContext(context);
  for (const [entry, value] of dict?.entries() ?? []) copy.set(entry, value);
  return copy;
}
