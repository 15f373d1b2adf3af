/** Presents a hit: its chunk and document, with the snippet, the highlights and the places that were requested. */
import { highlightsOf, snippetOf, type Highlight } from '@quire/search/highlight';
import type { ChunkPlaces } from '../../database/chunks/line-map.ts';
import type { Judgement } from './hit-relevance.ts';
import type { RankedHit } from './rerank-hits.ts';
import { blocksOfText, boxesOfRanges } from './text-places.ts';
import type { SearchHit, SearchRequest } from './types.ts';

const NO_PLACES: ChunkPlaces = { lines: [], parts: [] };

interface HitDetails {
  places?: ChunkPlaces | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export function presentHit(
  hit: RankedHit,
  request: Pick<SearchRequest<unknown>, 'highlight' | 'withPlaces' | 'explain'>,
  { relevance, matches, matcher }: Judgement,
  { places = NO_PLACES, metadata = {} }: HitDetails,
): SearchHit {
  const { chunk } = hit;
  const highlights = request.highlight ? highlightsOf(matches) : [];
  const inNames = (names: readonly string[]): Highlight[][] =>
    request.highlight ? names.map((name) => highlightsOf(matcher.matchesIn(name, chunk.language))) : [];
  return {
    documentId: chunk.documentId,
    documentName: chunk.documentName,
    documentTitle: chunk.documentTitle,
    collectionId: chunk.collectionId,
    chunkId: chunk.id,
    revision: chunk.revision,
    score: hit.score,
    relevance,
    text: chunk.text,
    snippet: snippetOf(chunk.text, matches).text,
    highlights,
    nameHighlights: inNames([chunk.documentName])[0] ?? [],
    headingHighlights: inNames(chunk.headings),
    highlightBoxes: boxesOfRanges(places, highlights),
    highlightBlocks: highlights.flatMap(([start, end]) => blocksOfText(places, start, end)),
    headings: chunk.headings,
    boxes: chunk.boxes,
    blockIds: chunk.blockIds,
    metadata,
    ...(request.withPlaces === true ? { places } : {}),
    ...(request.explain ? { explain: explanationOf(hit) } : {}),
  };
}

const explanationOf = ({
  dense,
  sparse,
  score,
  fused = score,
  likeness,
  rerank,
}: RankedHit): NonNullable<SearchHit['explain']> => ({
  dense,
  sparse,
  fused,
  ...(likeness === undefined ? {} : { likeness: Math.round(likeness * 1e4) / 1e4 }),
  ...(rerank === undefined ? {} : { rerank }),
});
