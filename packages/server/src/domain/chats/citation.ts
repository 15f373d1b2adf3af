/** Makes citations: verbatim text of a retrieved chunk, with its position in the document. */
import type { Citation } from '../../database/tables.ts';
import type { SearchHit } from '../search/types.ts';

/** Returns a citation of `[start, end)` of the hit's text, still without spans in the answer. */
export function citationOf(hit: SearchHit, index: number, { start, end }: { start: number; end: number }): Citation {
  return {
    index,
    documentId: hit.documentId,
    documentName: hit.documentName,
    documentDeleted: false,
    snippet: hit.text.slice(start, end),
    chunkId: hit.chunkId,
    revision: hit.revision,
    headings: hit.headings,
    boxes: hit.boxes.map(({ page, bbox: [x0, y0, x1, y1] }) => ({ page, bbox: [x0, y0, x1, y1] })),
    spans: [],
  };
}
