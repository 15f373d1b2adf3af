/** Cleans the parts of a document outside its page content that may hold redacted text. */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFDocument,
  type PDFObject,
} from '@cantoo/pdf-lib';
import { arrayAt, dictAt, dictOf, key, nameAt } from './pdf-objects.ts';
import type { RedactionFinder } from '../targets/redaction-finder.ts';
import { decodedBytes } from './stream-bytes.ts';

const ALTERNATIVES = ['ActualText', 'Alt', 'E'];
/** Keys of copies of the content: thumbnails, application data and metadata. */
const COPIES = ['Thumb', 'PieceInfo', 'Metadata', 'LastModified'];

export interface Scrubbed {
  /** Number of strings that lost text: titles, bookmarks, values and names. */
  strings: number;
  notes: string[];
}

/** Cleans the document. `pages` are the pages on which something was redacted. */
export function scrubDocument(document: PDFDocument, finder: RedactionFinder, pages: ReadonlySet<PDFRef>): Scrubbed {
  const { context, catalog } = document;
  const notes: string[] = [];
  const names = dictAt(catalog, 'Names');
  if (names?.has(key('EmbeddedFiles')) === true || catalog.has(key('AF'))) notes.push('Attachments were removed');
  names?.delete(key('EmbeddedFiles'));
  for (const name of ['AF', 'Collection', 'Metadata', 'PieceInfo', 'SpiderInfo']) catalog.delete(key(name));
  const form = dictAt(catalog, 'AcroForm');
  if (form?.has(key('XFA')) === true) notes.push('The XFA form was removed; its fields stay as plain ones');
  form?.delete(key('XFA'));
  const shown = shownAnnotations(document);
  let strings = 0;
  for (const [reference, object] of context.enumerateIndirectObjects()) {
    const dict = dictOf(object);
    if (dict !== undefined) scrubDict(dict, pages, finder);
    if (dict?.has(key('AP')) === true && !shown.has(reference)) dict.delete(key('AP'));
    strings += scrubStrings(object, finder);
  }
  strings += scrubStrings(dictOf(context.lookup(context.trailerInfo.Info)), finder);
  return { strings, notes };
}

/** Cleans the font's mapping from glyphs to text, in which a single glyph may map to a whole word. */
function scrubUnicodeMap(font: PDFDict, finder: RedactionFinder): void {
  const map = font.lookup(key('ToUnicode'));
  if (!(map instanceof PDFStream) || finder.isEmpty) return;
  const source = Buffer.from(decodedBytes(map) ?? []).toString('latin1');
  const cleaned = source.replace(/<([0-9a-f]{12,})>/gi, (written, digits: string) => {
    const text = Buffer.from(digits.slice(0, digits.length - (digits.length % 4)), 'hex')
      .swap16()
      .toString('utf16le');
    return finder.find(text).length > 0 ? '<fffd>' : written;
  });
  if (cleaned === source) return;
  font.set(key('ToUnicode'), font.context.register(font.context.flateStream(Buffer.from(cleaned, 'latin1'))));
}

function shownAnnotations(document: PDFDocument): Set<PDFRef> {
  const shown = new Set<PDFRef>();
  for (const { node } of document.getPages()) {
    for (const annotation of arrayAt(node, 'Annots')?.asArray() ?? []) {
      if (annotation instanceof PDFRef) shown.add(annotation);
    }
  }
  return shown;
}

function scrubDict(dict: PDFDict, pages: ReadonlySet<PDFRef>, finder: RedactionFinder): void {
  const type = nameAt(dict, 'Type');
  if (type === 'Page' || nameAt(dict, 'Subtype') === 'Form') for (const name of COPIES) dict.delete(key(name));
  const page = dict.get(key('Pg'));
  if (type === 'StructElem' || dict.has(key('S'))) {
    const concerned = page instanceof PDFRef ? pages.has(page) : pages.size > 0;
    if (concerned) for (const name of ALTERNATIVES) dict.delete(key(name));
  }
  scrubUnicodeMap(dict, finder);
  const script = dict.lookup(key('JS'));
  if (
    script instanceof PDFStream &&
    finder.find(Buffer.from(decodedBytes(script) ?? []).toString('latin1')).length > 0
  ) {
    dict.delete(key('JS'));
  }
}

/**
 * Cleans the direct strings of the object. Strings of other indirect objects are cleaned when those objects are
 * visited.
 */
function scrubStrings(root: PDFObject | undefined, finder: RedactionFinder): number {
  if (finder.isEmpty) return 0;
  let changed = 0;
  const open: PDFObject[] = root === undefined ? [] : [root];
  while (open.length > 0) {
    const object = open.pop();
    const holder = object instanceof PDFArray ? object : dictOf(object);
    // The name of a character collection must stay, otherwise the font would not be found.
    if (holder === undefined || (holder instanceof PDFDict && holder.has(key('Registry')))) continue;
    for (const [place, value] of placesOf(holder)) {
      if (value instanceof PDFString || value instanceof PDFHexString) {
        const rest = finder.without(textOf(value));
        if (rest === undefined) continue;
        changed += 1;
        if (holder instanceof PDFArray) holder.set(Number(place), PDFHexString.fromText(rest));
        else holder.set(key(String(place)), PDFHexString.fromText(rest));
      } else if (!(value instanceof PDFRef)) open.push(value);
    }
  }
  return changed;
}

function placesOf(holder: PDFArray | PDFDict): [number | string, PDFObject][] {
  if (holder instanceof PDFArray) return holder.asArray().map((value, index) => [index, value]);
  return holder.entries().map(([name, value]) => [name.decodeText(), value]);
}

function textOf(value: PDFString | PDFHexString): string {
  try {
    return value.decodeText();
  } catch {
    return '';
  }
}
