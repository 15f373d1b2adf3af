import type { z } from 'zod';
import type { Block, DocumentTree } from '@quire/blocks/block';
import type { ChunkRecord, DocumentRecord } from '../../../database/tables.ts';
import type { ArtifactLinks, ChunkVectors, DocumentParts } from '../../../domain/documents/content.ts';
import { iso, isoOrNull } from '../../schemas/common.ts';
import type { documentDetailShape, documentShape, linksShape } from './schemas.ts';

type Detail = z.output<typeof documentDetailShape>;

export function presentDocument(record: DocumentRecord): z.output<typeof documentShape> {
  return {
    id: record.id,
    workspaceId: record.workspace_id,
    collectionId: record.collection_id,
    parentId: record.parent_id,
    name: record.name,
    status: record.deleted_at === null ? record.status : 'deleted',
    contentType: record.content_type,
    sizeBytes: Number(record.size_bytes),
    sha256: record.sha256,
    metadata: record.metadata,
    language: record.language,
    pageCount: record.page_count,
    chunkCount: record.chunk_count,
    revision: record.revision,
    searchableRevision: record.searchable_revision,
    stage: record.stage,
    progress: record.progress,
    error: record.error_type === null ? null : { type: record.error_type, message: record.error_message ?? '' },
    warnings: record.warnings,
    createdAt: iso(record.created_at),
    modifiedAt: iso(record.modified_at),
    readyAt: isoOrNull(record.ready_at),
    deletedAt: isoOrNull(record.deleted_at),
  };
}

function presentBlock(block: Block): Record<string, unknown> & { id: string; type: string } {
  const { id, type, level, text, page, bbox, lines, rows, ordered, start, language, links, children } = block;
  return {
    id,
    type,
    level,
    text,
    page,
    bbox,
    lines,
    rows,
    ordered,
    start,
    language,
    links,
    children: children?.map(presentBlock),
  };
}

export function presentChunk(
  chunk: ChunkRecord,
  vectors: ChunkVectors | undefined,
): NonNullable<Detail['chunks']>[number] {
  return {
    id: chunk.id,
    ordinal: chunk.ordinal,
    text: chunk.text,
    headings: chunk.headings,
    blockIds: chunk.block_ids,
    boxes: chunk.boxes,
    tokenCount: chunk.token_count,
    ...(vectors === undefined ? {} : { dense: vectors.dense, sparse: vectors.sparse }),
  };
}

/** `chunksCursor` continues the list of chunks after those of the record. */
export function presentDocumentDetail(
  { record, tree, chunks, vectors }: Omit<DocumentParts, 'tree'> & { tree: DocumentTree | null | undefined },
  chunksCursor: string | null,
): Detail {
  return {
    ...presentDocument(record),
    ...(tree === undefined ? {} : { blocks: tree?.blocks.map(presentBlock) ?? null }),
    ...(chunks === undefined
      ? {}
      : { chunks: chunks.map((chunk, index) => presentChunk(chunk, vectors?.[index])), chunksCursor }),
  };
}

export function presentLinks({ expiresAt, paths }: ArtifactLinks, basePath: string): z.output<typeof linksShape> {
  return {
    expiresAt: iso(expiresAt),
    original: `${basePath}${paths.original}`,
    markdown: `${basePath}${paths.markdown}`,
    html: `${basePath}${paths.html}`,
    thumbnail: `${basePath}${paths.thumbnail}`,
    pages: `${basePath}${paths.pages}`,
    page: `${basePath}${paths.pages.replace('/pages?', '/pages/{page}?')}`,
  };
}
