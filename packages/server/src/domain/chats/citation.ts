/** Makes citations: verbatim text of a retrieved chunk, with its position in the document. */
import type { Citation } from '../../database/tables.ts';
import { blocksOfText, boxesOfText } from '../search/text-places.ts';
import type { SearchHit } from '../search/types.ts';

/** Returns a citation of `[start, end)` of the hit's text, still without spans in the answer. */
export function citationOf(hit: SearchHit, index: number, { start, end }: { start: number; end: number }): Citation {
  return {
    index,
    collectionId: hit.collectionId,
    documentId: hit.documentId,
    documentName: hit.documentName,
    documentDeleted: false,
    snippet: hit.text.slice(start, end),
    chunkId: hit.chunkId,
    revision: hit.revision,
    headings: hit.headings,
    boxes: boxesOf(hit, start, end),
    blocks: hit.places === undefined ? [] : blocksOfText(hit.places, start, end),
    spans: [],
  };
}

/** Returns the boxes of the lines that hold `[start, end)`, or those of the chunk if there is no line map. */
function boxesOf({ places, boxes }: SearchHit, start: number, end: number): Citation['boxes'] {
  const found = places === undefined ? [] : boxesOfText(places, start, end);
  const placed = found.length > 0 ? found : boxes;
  return placed.map(({ page, bbox: [x0, y0, x1, y1] }) => ({ page, bbox: [x0, y0, x1, y1] }));
}
