/** Reads the document's bookmarks, which identify headings and their levels. */
import type { OutlineEntry } from '../../../layout/headings/bookmarked-headings.ts';
import type { PdfDocument } from '../document.ts';

/** Maximum number of bookmarks. Damaged files contain cycles and very long lists. */
const MAX_ENTRIES = 5000;
const MAX_LEVEL = 6;

export function readOutline(document: PdfDocument): OutlineEntry[] {
  const { api } = document.pdfium;
  const entries: OutlineEntry[] = [];
  const seen = new Set<number>();
  const visit = (parent: number, level: number): void => {
    let bookmark = api.FPDFBookmark_GetFirstChild(document.handle, parent);
    while (bookmark !== 0 && entries.length < MAX_ENTRIES && !seen.has(bookmark)) {
      seen.add(bookmark);
      entries.push({ title: titleOf(document, bookmark), level, page: pageOf(document, bookmark) });
      if (level < MAX_LEVEL) visit(bookmark, level + 1);
      bookmark = api.FPDFBookmark_GetNextSibling(document.handle, bookmark);
    }
  };
  visit(0, 1);
  return entries;
}

function titleOf({ pdfium }: PdfDocument, bookmark: number): string {
  return pdfium.utf16((pointer, bytes) => pdfium.api.FPDFBookmark_GetTitle(bookmark, pointer, bytes)).trim();
}

function pageOf({ pdfium: { api }, handle }: PdfDocument, bookmark: number): number {
  const direct = api.FPDFBookmark_GetDest(handle, bookmark);
  const action = direct === 0 ? api.FPDFBookmark_GetAction(bookmark) : 0;
  const destination = action === 0 ? direct : api.FPDFAction_GetDest(handle, action);
  return destination === 0 ? 0 : api.FPDFDest_GetDestPageIndex(handle, destination) + 1;
}
