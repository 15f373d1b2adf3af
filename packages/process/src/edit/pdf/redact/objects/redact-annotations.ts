/** Removes annotations that display or hold redacted text, and empties form fields. */
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFRef,
  PDFStream,
  PDFString,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib';
import type { PageBox } from '../../page-geometry.ts';
import { arrayAt, dictAt, key, nameAt, numberAt, numbersOf } from './pdf-objects.ts';
import type { RedactionFinder } from '../targets/redaction-finder.ts';
import type { RedactionMask } from '../targets/redaction-mask.ts';
import { decodedBytes } from './stream-bytes.ts';

/** The flags `Hidden` and `NoView`. */
const HIDDEN_FLAGS = (1 << 1) | (1 << 5);
const VALUES = ['V', 'DV', 'RV', 'AP', 'AS', 'MK', 'I'];
/** Keys that refer to objects outside the annotation itself. */
const REFERENCE_KEYS = new Set(['P', 'Parent', 'Popup', 'IRT', 'AP', 'Kids', 'StructParent', 'Dest']);
const MAX_DEPTH = 6;

/** Redacts the page's annotations. Returns the number of annotations removed and fields emptied. */
export function redactAnnotations(page: PDFPage, mask: RedactionMask, finder: RedactionFinder): number {
  const annotations = arrayAt(page.node, 'Annots');
  let count = 0;
  for (let index = (annotations?.size() ?? 0) - 1; index >= 0; index -= 1) {
    const annotation = annotations?.lookup(index);
    if (annotations === undefined || !(annotation instanceof PDFDict)) continue;
    dropHiddenAppearances(annotation);
    const isAttachment = nameAt(annotation, 'Subtype') === 'FileAttachment';
    const touched = mask.touches(inset(rectangleOf(annotation))) || tells(annotation, finder, 0);
    if (!touched && !isAttachment) continue;
    count += 1;
    if (nameAt(annotation, 'Subtype') === 'Widget') empty(annotation);
    else take(annotations, index, annotation);
  }
  return count;
}

/** Removes appearances that are not displayed, because they may hold any content. */
function dropHiddenAppearances(annotation: PDFDict): void {
  const appearance = dictAt(annotation, 'AP');
  for (const state of ['D', 'R']) appearance?.delete(key(state));
  if (((numberAt(annotation, 'F') ?? 0) & HIDDEN_FLAGS) !== 0) annotation.delete(key('AP'));
}

function take(annotations: PDFArray, index: number, annotation: PDFDict): void {
  const { context } = annotation;
  const popup = annotation.get(key('Popup'));
  const reference = annotations.get(index);
  annotations.remove(index);
  for (const each of [popup, reference]) if (each instanceof PDFRef) context.delete(each);
}

function empty(widget: PDFDict): void {
  const field = dictAt(widget, 'Parent');
  for (const name of VALUES) widget.delete(key(name));
  if (field !== undefined && !widget.has(key('T'))) for (const name of ['V', 'DV', 'RV', 'I']) field.delete(key(name));
}

function rectangleOf(annotation: PDFDict): PageBox {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbersOf(arrayAt(annotation, 'Rect'));
  return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
}

/** Shrinks the box, because neighbours often touch by a fraction of a point. */
const inset = ([left, bottom, right, top]: PageBox): PageBox => [left + 0.5, bottom + 0.5, right - 0.5, top - 0.5];

function tells(object: PDFObject | undefined, finder: RedactionFinder, depth: number): boolean {
  if (depth > MAX_DEPTH || finder.isEmpty) return false;
  if (object instanceof PDFString || object instanceof PDFHexString) return finder.find(object.decodeText()).length > 0;
  if (object instanceof PDFStream) return finder.find(Buffer.from(decodedBytes(object) ?? []).toString()).length > 0;
  if (object instanceof PDFArray) return object.asArray().some((_, at) => tells(object.lookup(at), finder, depth + 1));
  if (!(object instanceof PDFDict)) return false;
  return object
    .keys()
    .some((name) => !REFERENCE_KEYS.has(name.decodeText()) && tells(object.lookup(name), finder, depth + 1));
}
