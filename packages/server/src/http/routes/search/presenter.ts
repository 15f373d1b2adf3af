import type { z } from 'zod';
import type { SearchAnswer, SearchHit } from '../../../domain/search/types.ts';
import type { PlacedBox } from '../../../domain/search/text-places.ts';
import type { searchShape } from './schemas.ts';

type Shape = z.output<typeof searchShape>;

const presentBox = ({ page, bbox: [x0, y0, x1, y1] }: PlacedBox): Shape['hits'][number]['boxes'][number] => ({
  page,
  bbox: [x0, y0, x1, y1],
});

function presentHit(hit: SearchHit): Shape['hits'][number] {
  return {
    documentId: hit.documentId,
    documentName: hit.documentName,
    collectionId: hit.collectionId,
    chunkId: hit.chunkId,
    revision: hit.revision,
    score: hit.score,
    relevance: hit.relevance,
    text: hit.text,
    snippet: hit.snippet,
    highlights: hit.highlights,
    nameHighlights: hit.nameHighlights,
    headingHighlights: hit.headingHighlights,
    highlightBoxes: (hit.highlightBoxes ?? []).map(presentBox),
    highlightBlocks: (hit.highlightBlocks ?? []).map(({ blockId, start, end }) => ({ blockId, start, end })),
    headings: hit.headings,
    boxes: hit.boxes.map(presentBox),
    blockIds: hit.blockIds,
    metadata: hit.metadata,
    ...(hit.explain === undefined ? {} : { explain: hit.explain }),
  };
}

/** Presents the hits from `offset` on. */
export function presentAnswer({ hits, warnings, tookMs }: SearchAnswer, offset = 0): Shape {
  return { hits: hits.slice(offset).map(presentHit), warnings, tookMs };
}
