/** Removes bookmarks whose target page matches a test; the bookmarks below them move up one level. */
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';

const name = (key: string): PDFName => PDFName.of(key);
const MAX_ITEMS = 50_000;

interface Item {
  reference: PDFRef;
  item: PDFDict;
  children: Item[];
}

/** Removes the bookmarks for whose target page `gone` returns true. Named destinations are kept. */
export function dropOutline(document: PDFDocument, gone: (page: PDFObject | undefined) => boolean): void {
  const outlines = document.catalog.lookupMaybe(name('Outlines'), PDFDict);
  const reference = document.catalog.get(name('Outlines'));
  if (outlines === undefined || !(reference instanceof PDFRef)) return;
  const seen = new Set<PDFRef>();
  const items = keep(readItems(outlines, seen), (item) => !gone(targetOf(item)));
  if (items.length === 0) document.catalog.delete(name('Outlines'));
  else link(outlines, reference, items);
}

function readItems(parent: PDFDict, seen: Set<PDFRef>): Item[] {
  const items: Item[] = [];
  let reference = parent.get(name('First'));
  while (reference instanceof PDFRef && !seen.has(reference) && seen.size < MAX_ITEMS) {
    seen.add(reference);
    const item: PDFObject | undefined = parent.context.lookup(reference);
    if (!(item instanceof PDFDict)) break;
    items.push({ reference, item, children: readItems(item, seen) });
    reference = item.get(name('Next'));
  }
  return items;
}

function targetOf(item: PDFDict): PDFObject | undefined {
  const action = item.lookup(name('A'));
  const destination = item.lookup(name('Dest')) ?? (action instanceof PDFDict ? action.lookup(name('D')) : undefined);
  return destination instanceof PDFArray && destination.size() > 0 ? destination.get(0) : undefined;
}

function keep(items: readonly Item[], stays: (item: PDFDict) => boolean): Item[] {
  return items.flatMap((each) => {
    const children = keep(each.children, stays);
    return stays(each.item) ? [{ ...each, children }] : children;
  });
}

function link(parent: PDFDict, parentReference: PDFRef, items: readonly Item[]): number {
  let count = items.length;
  for (const [index, { item, reference, children }] of items.entries()) {
    for (const key of ['First', 'Last', 'Count', 'Prev', 'Next']) item.delete(name(key));
    item.set(name('Parent'), parentReference);
    const [before, after] = [items[index - 1], items[index + 1]];
    if (before !== undefined) item.set(name('Prev'), before.reference);
    if (after !== undefined) item.set(name('Next'), after.reference);
    if (children.length > 0) count += link(item, reference, children);
  }
  const [first, last] = [items[0], items.at(-1)];
  if (first !== undefined && last !== undefined) {
    parent.set(name('First'), first.reference);
    parent.set(name('Last'), last.reference);
    parent.set(name('Count'), PDFNumber.of(count));
  }
  return count;
}
