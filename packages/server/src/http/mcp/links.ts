/** Addresses of documents: pages of the console for people, and resources of the protocol. */
import type { ContentBlock } from '@modelcontextprotocol/server';
import { quotedName } from '@quire/process/document-text/quoted-name';

export interface DocumentPlace {
  collectionId: string;
  documentId: string;
  page?: number | null | undefined;
  chunkId?: string | null | undefined;
}

/** Returns the console's page of a document; `page` and `chunkId` mark a place in it. */
export function consoleUrl(baseUrl: string, { collectionId, documentId, page, chunkId }: DocumentPlace): string {
  const query = new URLSearchParams();
  if (typeof page === 'number') query.set('page', String(page));
  if (typeof chunkId === 'string') query.set('chunk', chunkId);
  const suffix = query.size === 0 ? '' : `?${query.toString()}`;
  return `${baseUrl}/collections/${collectionId}/documents/${documentId}${suffix}`;
}

export const RESOURCE_TEMPLATE = 'quire://documents/{id}';
export const RESOURCE_TYPE = 'text/markdown';

export function resourceLink(document: { id: string; name: string }): ContentBlock {
  return {
    type: 'resource_link',
    uri: `quire://documents/${document.id}`,
    name: quotedName(document.name),
    mimeType: RESOURCE_TYPE,
  };
}
