/** Selects and orders the pages of a document. */
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef, type PDFDocument } from '@cantoo/pdf-lib';
import { ContentError } from '@quire/blocks/content-error';
import type { OperationOf } from '../operations.ts';
import { dropOutline } from './drop-outline.ts';
import { pagesIn, requirePage } from './page-range.ts';

const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((key) => PDFName.of(key));
const PARENT = PDFName.of('Parent');

/**
 * Keeps the pages with these indexes, in this order, in a page tree of one level. Other pages are deleted with their
 * content, their form fields and the bookmarks that lead to them.
 */
export function arrangePages(document: PDFDocument, order: readonly number[]): void {
  const { context, catalog } = document;
  const pages = document.getPages();
  const root = catalog.get(PDFName.of('Pages'));
  const tree = catalog.lookup(PDFName.of('Pages'), PDFDict);
  if (!(root instanceof PDFRef)) throw new ContentError('corrupt', 'The PDF is damaged: it has no page tree');
  const kept = new Set(order);
  copyInheritedAttributes(document);
  for (const [index, page] of pages.entries()) {
    if (!kept.has(index)) removePage(document, page.ref, page.node);
  }
  const kids = PDFArray.withContext(context);
  for (const index of order) {
    const page = pages[index];
    if (page === undefined) continue;
    page.node.set(PARENT, root);
    kids.push(page.ref);
  }
  tree.set(PDFName.of('Kids'), kids);
  tree.set(PDFName.of('Count'), PDFNumber.of(kids.size()));
  if (kept.size < pages.length) dropReferencesToRemoved(document);
}

/** Copies inherited attributes from the page tree to each page and removes them from the tree. */
export function copyInheritedAttributes(document: PDFDocument): void {
  const pages = document.getPages();
  for (const { node } of pages) {
    for (const key of INHERITED) {
      const value = node.getInheritableAttribute(key);
      if (value !== undefined) node.set(key, value);
    }
  }
  for (const { node } of pages) {
    let parent = node.Parent();
    for (let depth = 0; parent !== undefined && depth < MAX_DEPTH; depth += 1) {
      for (const key of INHERITED) parent.delete(key);
      parent = parent.Parent();
    }
  }
}

const MAX_DEPTH = 64;

/**
 * Deletes the page's objects, not only its entry in the page tree, because links and tags elsewhere may refer to them.
 */
function removePage({ context }: PDFDocument, reference: PDFRef, node: PDFDict): void {
  const annotations = node.lookupMaybe(PDFName.of('Annots'), PDFArray);
  for (const annotation of annotations?.asArray() ?? []) {
    if (annotation instanceof PDFRef) context.delete(annotation);
  }
  context.delete(reference);
}

function dropReferencesToRemoved(document: PDFDocument): void {
  const { context, catalog } = document;
  dropMissingFields(catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict), 'Fields');
  dropOutline(document, (target) => target instanceof PDFRef && context.lookup(target) === undefined);
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    const page = object.get(PDFName.of('Pg'));
    if (!(page instanceof PDFRef) || context.lookup(page) !== undefined) continue;
    for (const key of ['Pg', 'ActualText', 'Alt', 'E', 'T']) object.delete(PDFName.of(key));
  }
}

function dropMissingFields(parent: PDFDict | undefined, key: 'Fields' | 'Kids', depth = 0): void {
  const fields = parent?.lookupMaybe(PDFName.of(key), PDFArray);
  if (parent === undefined || fields === undefined || depth > 50) return;
  // A new array, because removing its elements one by one takes time that grows with the square of their number.
  const kept = PDFArray.withContext(parent.context);
  for (const [index, element] of fields.asArray().entries()) {
    const field = fields.lookup(index);
    if (!(field instanceof PDFDict)) continue;
    if (field.has(PDFName.of('Kids'))) {
      dropMissingFields(field, 'Kids', depth + 1);
      if (field.lookupMaybe(PDFName.of('Kids'), PDFArray)?.size() === 0) continue;
    }
    kept.push(element);
  }
  if (kept.size() < fields.size()) parent.set(PDFName.of(key), kept);
}

/** Returns the order after a move, as indexes from 0. */
export function movedOrder({ pages, before }: OperationOf<'movePages'>, pageCount: number): number[] {
  const moved = pagesIn(pages, pageCount);
  if (before !== undefined) requirePage(before, pageCount);
  const target = before === undefined ? pageCount : before - 1;
  const isMoved = new Set(moved);
  const rest = Array.from({ length: pageCount }, (_, index) => index).filter((index) => !isMoved.has(index));
  const at = rest.findIndex((index) => index >= target);
  return at < 0 ? [...rest, ...moved] : [...rest.slice(0, at), ...moved, ...rest.slice(at)];
}

export function requireEveryPage(order: readonly number[], pageCount: number): void {
  for (const page of order) requirePage(page, pageCount);
  if (order.length !== pageCount || new Set(order).size !== pageCount) {
    throw new ContentError('unsupported', `The order must name each of the ${pageCount} pages exactly once`);
  }
}
