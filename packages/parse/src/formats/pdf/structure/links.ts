/** Reads the hyperlinks that point outside the document. */
import { safeHref } from '@quire/blocks/safe-href';
import type { PageLink } from '../../../layout/page/page-content.ts';
import type { PdfDocument } from '../document.ts';
import type { PageFrame } from '../page/page-frame.ts';

const ACTION_URI = 3;
/** Maximum number of links read from one page. */
const MAX_LINKS = 2000;

export function readLinks(document: PdfDocument, page: number, frame: PageFrame): PageLink[] {
  const { pdfium, handle } = document;
  const { api, scratch } = pdfium;
  const links: PageLink[] = [];
  if (api.FPDFPage_GetAnnotCount(page) <= 0) return links;
  const state = pdfium.allocate(8);
  try {
    pdfium.bytes.fill(0, state, state + 8);
    while (links.length < MAX_LINKS && api.FPDFLink_Enumerate(page, state, state + 4)) {
      const link = pdfium.integerAt(state + 4);
      const action = api.FPDFLink_GetAction(link);
      if (action === 0 || api.FPDFAction_GetType(action) !== ACTION_URI) continue;
      const uri = pdfium.utf8((pointer, bytes) => api.FPDFAction_GetURIPath(handle, action, pointer, bytes));
      const href = safeHref(uri);
      if (href === null || !api.FPDFLink_GetAnnotRect(link, scratch)) continue;
      links.push({ ...frame.box(pdfium.float(0), pdfium.float(1), pdfium.float(2), pdfium.float(3)), href });
    }
  } finally {
    pdfium.free(state);
  }
  return links;
}
