/** A citation as it is stored and shown: words of a retrieved passage, verbatim, with their place. */
import type { Citation } from '../../database/tables.ts';
import type { SearchHit } from '../search/types.ts';

/** Cites `[start, end)` of the passage; where the answer rests on it is still to be said. */
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
