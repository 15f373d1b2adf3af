import type { BoundingBox } from '@quire/blocks/block';
import type { FusionOptions } from '@quire/search/fusion';
import type { RerankChoice } from '../../database/tables.ts';
import type { ChunkPlaces } from '../../database/chunks/line-map.ts';
import type { BlockRange, PlacedBox } from './text-places.ts';

export interface SearchRequest<Filter> {
  query: string;
  limit: number;
  mode: 'hybrid' | 'dense' | 'sparse';
  fusion?: Partial<FusionOptions> | undefined;
  filter?: Filter | undefined;
  /** Lower bound on the relevance of a hit. */
  minScore?: number | undefined;
  highlight: boolean;
  /** Whether hits have the places of their text. */
  withPlaces?: boolean;
  /** Null for none; undefined for that of the collection. */
  rerank?: RerankChoice | null | undefined;
  explain: boolean;
  /** Number of the first hit whose metadata are shown; without it, hits have only small metadata. */
  metadataFrom?: number | undefined;
}

export interface SearchHit {
  documentId: string;
  documentName: string;
  /** Title that the content states; null if none is known. */
  documentTitle: string | null;
  collectionId: string;
  chunkId: string;
  revision: number;
  /** Orders the hits of this answer. */
  score: number;
  /** Probability, 0..1, that the chunk is about the query; comparable across queries. */
  relevance: number;
  text: string;
  snippet: string;
  /** Ranges `[start, end)` of the text in UTF-16 code units; empty unless requested. */
  highlights: [number, number][];
  /** Ranges of the document's name with words of the query; empty unless requested. */
  nameHighlights: [number, number][];
  /** For each heading, its ranges with words of the query; empty unless requested. */
  headingHighlights: [number, number][][];
  headings: string[];
  boxes: { page: number; bbox: BoundingBox }[];
  /** Boxes of the lines with highlights; empty without highlights, and for chunks without a line map. */
  highlightBoxes?: PlacedBox[];
  /** Ranges of blocks with highlights, in formats without pages. */
  highlightBlocks?: BlockRange[];
  /** Places of the text; only if requested and known. */
  places?: ChunkPlaces;
  blockIds: string[];
  metadata: Record<string, unknown>;
  explain?: {
    dense: { rank: number; score: number } | null;
    sparse: { rank: number; score: number } | null;
    fused: number;
    /** Cosine of the query and the chunk by the static model of its language; only if it counts in the score. */
    likeness?: number;
    /** Place before the reranking, score, and duration of the whole reranking. */
    rerank?: { rank: number; score: number; tookMs: number };
  };
}

export interface SearchWarning {
  type: 'dense_unavailable' | 'index_rebuilding' | 'rerank_unavailable' | 'metadata_omitted';
  message: string;
}

export interface SearchAnswer {
  hits: SearchHit[];
  /** The embedding model of the dense leg; null without a dense leg, and with several models. */
  denseModelId: string | null;
  warnings: SearchWarning[];
  tookMs: number;
}
