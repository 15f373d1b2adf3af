/** Reads the fields of interactive forms with their values. Form scripts are never run. */
import type { PageField } from '../../../layout/page/page-content.ts';
import type { PdfDocument } from '../document.ts';
import type { Pdfium } from '../pdfium.ts';
import type { PageFrame } from '../page/page-frame.ts';

const WIDGET = 20;
const KINDS: Readonly<Record<number, PageField['kind']>> = {
  1: 'button',
  2: 'checkbox',
  3: 'radio',
  4: 'choice',
  5: 'choice',
  6: 'text',
  7: 'signature',
};
/** Maximum number of annotations read from one page. */
const MAX_FIELDS = 2000;

export function readFields(document: PdfDocument, page: number, frame: PageFrame): PageField[] {
  const { pdfium, form } = document;
  const { api } = pdfium;
  const fields: PageField[] = [];
  if (form === 0) return fields;
  const count = Math.min(MAX_FIELDS, api.FPDFPage_GetAnnotCount(page));
  for (let i = 0; i < count; i++) {
    const annotation = api.FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    const field = api.FPDFAnnot_GetSubtype(annotation) === WIDGET ? readField(document, annotation, frame) : undefined;
    if (field !== undefined) fields.push(field);
    api.FPDFPage_CloseAnnot(annotation);
  }
  return fields;
}

function readField({ pdfium, form }: PdfDocument, annotation: number, frame: PageFrame): PageField | undefined {
  const { api, scratch } = pdfium;
  const kind = KINDS[api.FPDFAnnot_GetFormFieldType(form, annotation)];
  if (kind === undefined || kind === 'button' || !api.FPDFAnnot_GetRect(annotation, scratch)) return undefined;
  const box = frame.box(pdfium.float(0), pdfium.float(1), pdfium.float(2), pdfium.float(3));
  const label =
    pdfium.utf16((pointer, bytes) => api.FPDFAnnot_GetFormFieldAlternateName(form, annotation, pointer, bytes)) ||
    pdfium.utf16((pointer, bytes) => api.FPDFAnnot_GetFormFieldName(form, annotation, pointer, bytes));
  const own = pdfium.utf16((pointer, bytes) => api.FPDFAnnot_GetFormFieldValue(form, annotation, pointer, bytes));
  const isBox = kind === 'checkbox' || kind === 'radio';
  const value = isBox ? (isTicked(pdfium, annotation, own) ? '☒' : '☐') : own.trim();
  return { ...box, kind, label: label.trim(), value };
}

/**
 * Checks the appearance state of a box, or the field's value if it has none. PDFium's own check needs a page that was
 * opened for filling in, and returns false otherwise.
 */
function isTicked(pdfium: Pdfium, annotation: number, value: string): boolean {
  const { api } = pdfium;
  const state =
    pdfium.utf16((pointer, bytes) => api.FPDFAnnot_GetStringValue(annotation, 'AS', pointer, bytes)) || value;
  return state !== '' && state !== 'Off';
}
