/** Converts chunks to rows of PostgreSQL, the source of truth, and of the search index, which is derived from it. */
import { createHash } from 'node:crypto';
import type { DocumentRecord, NewChunk } from '../database/tables.ts';
import type { IndexRow } from '@quire/search/search-index';
import { encodeLineMap } from '../database/chunks/line-map.ts';
import { idFromContent } from '../shared/uuid.ts';
import { EventLoopTurns } from '@quire/shared/event-loop-turns';
import { toFloat16 } from '@quire/shared/float16';
import type { AnalysedChunk } from '@quire/process/tasks/sandbox-client';

/** Returns the text of a chunk for the dense embedder: its headings, then its text. */
export function embeddingText(chunk: Pick<AnalysedChunk, 'headings' | 'text'>): string {
  return chunk.headings.length === 0 ? chunk.text : `${chunk.headings.join(' > ')}\n${chunk.text}`;
}

export function contentHash(chunk: Pick<AnalysedChunk, 'headings' | 'text'>): Buffer {
  return createHash('sha256').update(embeddingText(chunk)).digest();
}

/**
 * Returns rows for one revision in one index. A chunk's id depends on its document, headings, text and the number of
 * equal chunks before it, so it is stable over re-ingestion and generations. Yields to the event loop in between.
 */
export async function toChunkRows(
  document: Pick<DocumentRecord, 'id' | 'workspace_id' | 'collection_id' | 'revision'>,
  generation: number,
  chunks: readonly AnalysedChunk[],
  vectors: readonly Float32Array[] | null,
  signal: AbortSignal,
): Promise<NewChunk[]> {
  const turns = new EventLoopTurns(signal);
  const seen = new Map<string, number>();
  const rows: NewChunk[] = [];
  for (const [index, chunk] of chunks.entries()) {
    await turns.pass();
    const hash = contentHash(chunk);
    const fingerprint = hash.toString('hex');
    const occurrence = seen.get(fingerprint) ?? 0;
    seen.set(fingerprint, occurrence + 1);
    const vector = vectors?.[index];
    rows.push({
      workspace_id: document.workspace_id,
      collection_id: document.collection_id,
      document_id: document.id,
      revision: document.revision,
      generation,
      ordinal: chunk.ordinal,
      id: idFromContent(document.id, fingerprint, String(occurrence)),
      text: chunk.text,
      headings: chunk.headings,
      block_ids: chunk.blockIds,
      boxes: JSON.stringify(chunk.boxes),
      line_map: encodeLineMap(chunk),
      token_count: chunk.tokenCount,
      content_hash: hash,
      terms: chunk.terms,
      embedding: vector === undefined ? null : toFloat16(vector),
    });
  }
  return rows;
}

export function toIndexRows(
  document: Pick<DocumentRecord, 'key' | 'revision'>,
  keys: readonly bigint[],
  chunks: readonly AnalysedChunk[],
  vectors: readonly Float32Array[] | null,
): IndexRow[] {
  return keys.flatMap((chunkKey, index) => {
    const chunk = chunks[index];
    if (chunk === undefined) return [];
    const vector = vectors?.[index];
    const row: IndexRow = {
      chunkKey,
      documentKey: BigInt(document.key),
      revision: document.revision,
      terms: chunk.terms,
    };
    return [vector === undefined ? row : { ...row, vector }];
  });
}
