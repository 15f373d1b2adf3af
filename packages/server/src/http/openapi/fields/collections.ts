/** Descriptions of the fields of collections. */
import { field, type FieldDescription, ID } from './field.ts';

export const COLLECTION_FIELDS: Record<string, FieldDescription> = {
  parserId: field('Parser configuration; by default the one of the workspace.', ID),
  embedderId: field('Configuration of the dense embedder; by default the one of the workspace.', ID),
  sparseEmbedderId: field('Configuration of the sparse embedder; by default the one of the workspace.', ID),
  chunking: field('Size of the chunks that documents are split into.'),
  maxTokens: field('Maximum number of tokens in a chunk.', 320),
  overlapTokens: field('Number of tokens that a chunk repeats from the one before.', 0),
  documentCounts: field(
    'Number of documents by status, archives excluded: of an archive only the members count. Document lists hold both, ' +
      'so that the `total` of a list by status is the sum of `documentCounts` and `archiveCounts`.',
  ),
  archiveCounts: field('Number of archives by status; document lists hold them in addition to their members.'),
  failedByType: field('Number of failed documents by type of their error; the sum is `documentCounts.failed`.', {
    encrypted: 1,
  }),
  indexing: field('Number of documents that are being processed.', 2),
  ready: field('Number of documents that are searchable.', 120),
  failed: field('Number of documents that could not be processed.', 1),
  chunkCount: field('Number of chunks in the search index.', 845),
  reindex: field('The latest rebuild of the index; null if there was none.'),
};
