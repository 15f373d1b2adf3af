import type { Block, Chunk } from '@quire/client';
import { queryOptions } from '@tanstack/react-query';
import { listOptions } from '../../data/list.ts';
import type { WorkspaceContext } from '../../data/workspace.ts';

export interface Place {
  col: string;
  doc: string;
}

export const documentQuery = ({ id, quire }: WorkspaceContext, { col, doc }: Place) =>
  queryOptions({
    queryKey: [id, 'document', doc],
    queryFn: ({ signal }) => quire.collection(col).documents.get(doc, { signal }),
    // Live events carry the state; the record also has counts and warnings.
    refetchInterval: ({ state }) => (state.data?.status === 'indexing' ? 1_000 : false),
  });

export const blocksQuery = ({ id, quire }: WorkspaceContext, { col, doc }: Place, revision: number) =>
  queryOptions({
    queryKey: [id, 'blocks', doc, revision],
    queryFn: async ({ signal }): Promise<Block[]> => {
      const { blocks } = await quire.collection(col).documents.get(doc, { include: ['blocks'], signal });
      return blocks ?? [];
    },
    staleTime: Infinity,
  });

export const chunksList = ({ id, quire }: WorkspaceContext, { col, doc }: Place, revision: number) =>
  listOptions<Chunk>([id, 'chunks', doc, revision], (signal) =>
    quire.collection(col).documents.chunks(doc, { limit: 100, signal }),
  );

export const chunkQuery = ({ id, quire }: WorkspaceContext, { col, doc }: Place, chunkId: string | undefined) =>
  queryOptions({
    queryKey: [id, 'chunk', doc, chunkId],
    queryFn: ({ signal }) =>
      quire.collection(col).documents.chunk(doc, chunkId ?? '', { include: ['vectors'], signal }),
    enabled: chunkId !== undefined,
    staleTime: Infinity,
  });
