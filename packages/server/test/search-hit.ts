import type { SearchHit } from '../src/domain/search/types.ts';

/** Returns a hit whose chunk has this text. */
export const searchHit = (text: string, fields: Partial<SearchHit> = {}): SearchHit => ({
  documentId: text,
  documentName: 'note.md',
  collectionId: 'c',
  chunkId: text,
  revision: 1,
  score: 1,
  relevance: 1,
  text,
  snippet: text,
  documentTitle: null,
  highlights: [],
  nameHighlights: [],
  headingHighlights: [],
  headings: [],
  boxes: [],
  blockIds: [],
  metadata: {},
  ...fields,
});
