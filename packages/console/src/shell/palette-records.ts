/** Entries of the palette for records of the workspace. */
import type { Document, Listing } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { formatDate } from '../components/content/format.ts';
import { collectionsList } from '../data/collections.ts';
import { useList } from '../data/list.ts';
import { useWorkspace, type WorkspaceContext } from '../data/workspace.ts';
import { matching, type PaletteEntry } from './palette-entries.ts';

/** Number of characters from which records are read. */
export const MIN_QUERY = 2;
const TYPING_MS = 200;

export function useCollectionEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { rows } = useList(collectionsList(workspace));
  return rows.map(({ id, name, createdAt }) => ({
    id,
    label: name,
    place: `created ${formatDate(createdAt)}`,
    icon: 'collections',
    group: 'Collections',
    run: () => void navigate({ to: '/w/$ws/collections/$col', params: { ws: workspace.id, col: id } }),
  }));
}

function useCollectionNames(workspace: WorkspaceContext): (id: string) => string | undefined {
  const { rows } = useList(collectionsList(workspace));
  return (id) => rows.find((each) => each.id === id)?.name;
}

/** Number of collections that are looked through, and of documents that each may add. */
const MAX_COLLECTIONS = 8;
const DOCUMENTS_EACH = 4;

/** Returns the documents whose name holds the text, once the typing pauses. */
export function useDocumentEntries(query: string): PaletteEntry[] {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { id: ws, quire } = workspace;
  const { rows: collections, isLoading } = useList(collectionsList(workspace));
  const name = useDelayed(query.trim(), TYPING_MS);
  const { data = [] } = useQuery({
    queryKey: [ws, 'palette', name],
    enabled: !isLoading && name.length >= MIN_QUERY,
    queryFn: async ({ signal }): Promise<Document[]> => {
      const pages = await Promise.all(
        collections
          .slice(0, MAX_COLLECTIONS)
          .map(({ id }) => quire.collection(id).documents.list({ name, limit: DOCUMENTS_EACH, signal }).page()),
      );
      return pages.flatMap(({ items }) => items);
    },
  });
  return name === query.trim() && name.length >= MIN_QUERY
    ? data.map(({ id, collectionId, name: label }) => ({
        id,
        label,
        place: collections.find((each) => each.id === collectionId)?.name,
        icon: 'documents',
        group: 'Documents',
        run: () =>
          void navigate({
            to: '/w/$ws/collections/$col/documents/$doc',
            params: { ws, col: collectionId, doc: id },
          }),
      }))
    : [];
}

/** Lists of records that the service does not search by name: so many of the newest are read, and searched here. */
const MAX_READ = 500;
/** Number of records of a kind that are shown. */
const RECORDS_EACH = 6;
/** Names of more files than a run shows in its list are searched, but not written. */
const FILES_SHOWN = 3;

async function newest<T>(listing: Listing<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of listing) {
    found.push(record);
    if (found.length === MAX_READ) break;
  }
  return found;
}

/** Returns runs by their files, chats by their title and connectors by their name, once the typing pauses. */
export function useRecordEntries(query: string): PaletteEntry[] {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { id: ws, quire } = workspace;
  const nameOf = useCollectionNames(workspace);
  const wanted = useDelayed(query.trim(), TYPING_MS);
  const enabled = wanted.length >= MIN_QUERY;
  // The second part of each key is the one that live events refresh.
  const { data: runs = [] } = useQuery({
    queryKey: [ws, 'runs', 'palette'],
    enabled,
    queryFn: ({ signal }) => newest(quire.runs.list({ limit: 100, signal })),
  });
  const { data: chats = [] } = useQuery({
    queryKey: [ws, 'chats', 'palette'],
    enabled,
    queryFn: ({ signal }) => newest(quire.chats.list({ limit: 100, signal })),
  });
  const { data: connectors = [] } = useQuery({
    queryKey: [ws, 'connectors', 'palette'],
    enabled,
    queryFn: ({ signal }) => newest(quire.connectors.list({ limit: 100, signal })),
  });
  if (!enabled || wanted !== query.trim()) return [];
  const kinds: PaletteEntry[][] = [
    runs.map(({ id, files }) => ({
      id,
      label: files.slice(0, FILES_SHOWN).join(', ') || 'no files yet',
      text: files.join(' '),
      icon: 'runs',
      group: 'Runs',
      run: () => void navigate({ to: '/w/$ws/runs', params: { ws }, search: { id } }),
    })),
    chats.map(({ id, title, collection_id: collection }) => ({
      id,
      label: title ?? 'Chat',
      place: nameOf(collection),
      icon: 'chat',
      group: 'Chats',
      run: () => void navigate({ to: '/w/$ws/chat/$chat', params: { ws, chat: id } }),
    })),
    connectors.map(({ id, name, collectionId }) => ({
      id,
      label: name,
      place: nameOf(collectionId),
      icon: 'connectors',
      group: 'Connectors',
      run: () => void navigate({ to: '/w/$ws/connectors', params: { ws }, search: { id } }),
    })),
  ];
  return kinds.flatMap((entries) => matching(entries, wanted, RECORDS_EACH));
}

/** Returns the value of a moment ago while it keeps changing. */
function useDelayed(value: string, delayMs: number): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return delayed;
}
