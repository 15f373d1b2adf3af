import { NotFoundError, type PageSize } from '@quire/client';
import { queryOptions } from '@tanstack/react-query';
import type { WorkspaceContext } from './workspace.ts';

interface PagesPlace {
  collectionId: string;
  documentId: string;
  revision: number;
}

/** The pages of a document; none if its format has no pages, or if the service cannot draw them. */
export const pagesQuery = ({ id, quire }: WorkspaceContext, { collectionId, documentId, revision }: PagesPlace) =>
  queryOptions({
    queryKey: [id, 'pages', documentId, revision],
    queryFn: async ({ signal }): Promise<PageSize[]> => {
      try {
        return await quire.collection(collectionId).documents.pages(documentId, { signal });
      } catch (error) {
        if (error instanceof NotFoundError && error.type === 'no_picture') return [];
        throw error;
      }
    },
    staleTime: Infinity,
  });
