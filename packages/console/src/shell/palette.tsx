/** The palette (⌘K): pages, actions of the screen, collections and documents by name, and the search for a text. */
import type { Document } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Modal } from '../components/dialogs/modal.tsx';
import { Icon } from '../components/icon.tsx';
import { collectionsList } from '../data/collections.ts';
import { useList } from '../data/list.ts';
import { useWorkspace } from '../data/workspace.ts';
import { NAVIGATION } from '../screens/navigation.ts';
import { useAddedEntries, type PaletteEntry } from './palette-entries.ts';

const MAX_SHOWN = 40;

function usePages(): PaletteEntry[] {
  const navigate = useNavigate();
  const { id: ws } = useWorkspace();
  return useMemo(
    () =>
      NAVIGATION.flatMap(({ entries }) => entries).map(({ to, label, icon }) => ({
        id: to,
        label,
        icon,
        group: 'Pages',
        run: () => void navigate({ to, params: { ws } } as never),
      })),
    [navigate, ws],
  );
}

function useCollectionEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { rows } = useList(collectionsList(workspace));
  return rows.map(({ id, name }) => ({
    id,
    label: name,
    icon: 'collections',
    group: 'Collections',
    run: () => void navigate({ to: '/w/$ws/collections/$col', params: { ws: workspace.id, col: id } }),
  }));
}

const MIN_QUERY = 2;
const TYPING_MS = 200;
/** Number of collections that are looked through, and of documents that each may add. */
const MAX_COLLECTIONS = 8;
const DOCUMENTS_EACH = 4;

/** Returns the documents whose name holds the text, once the typing pauses. */
function useDocumentEntries(query: string): PaletteEntry[] {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { id: ws, quire } = workspace;
  const { rows: collections } = useList(collectionsList(workspace));
  const name = useDelayed(query.trim(), TYPING_MS);
  const { data = [] } = useQuery({
    queryKey: [ws, 'palette', name],
    enabled: name.length >= MIN_QUERY,
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

/** Returns the value of a moment ago while it keeps changing. */
function useDelayed(value: string, delayMs: number): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return delayed;
}

/** Searches the texts of the documents for what was typed. */
function useSearchEntry(query: string): PaletteEntry[] {
  const navigate = useNavigate();
  const { id: ws } = useWorkspace();
  const q = query.trim();
  if (q.length < MIN_QUERY) return [];
  const run = (): void => void navigate({ to: '/w/$ws/search', params: { ws }, search: { q } });
  return [{ id: 'search-for', label: `Search for “${q}”`, icon: 'search', group: 'Search', run }];
}

/** Returns the entries that hold every word of the query, those that begin with it first. */
function matching(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const label = (entry: PaletteEntry): string => entry.label.toLowerCase();
  const found = entries.filter((each) => words.every((word) => label(each).includes(word)));
  const first = words[0] ?? '';
  return [
    ...found.filter((each) => label(each).startsWith(first)),
    ...found.filter((each) => !label(each).startsWith(first)),
  ].slice(0, MAX_SHOWN);
}

interface PaletteContentProps {
  field: React.RefObject<HTMLInputElement | null>;
  onClose: () => void;
}

function PaletteContent({ field, onClose }: PaletteContentProps): React.ReactElement {
  const [query, setQuery] = useState('');
  const entries = [...useAddedEntries(), ...usePages(), ...useCollectionEntries()];
  const documents = useDocumentEntries(query);
  const searches = useSearchEntry(query);
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const found = [...matching(entries, query), ...documents, ...searches];
  const active = Math.min(chosen, found.length - 1);
  useEffect(() => {
    // The first entry is in view; looking where it is would cost a layout at each opening.
    if (active > 0) document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [list, active]);
  const choose = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((active + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') choose(found[active]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={found.length > 0 ? `${list}-${active}` : undefined}
        aria-label="Go to a page, a collection, a document or an action"
        placeholder="Go to a page, a collection, a document or an action"
        value={query}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(0);
        }}
        className="w-full border-b border-line bg-transparent px-4 py-3 text-lg outline-none"
      />
      <ul id={list} role="listbox" aria-label="Results" className="max-h-[50dvh] overflow-auto p-1.5">
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseMove={() => setChosen(index)}
            onClick={() => choose(entry)}
            className="flex cursor-pointer items-center gap-2.5 rounded px-2.5 py-1.5 aria-selected:bg-accent-soft"
          >
            <Icon name={entry.icon} className="text-muted" />
            <span className="min-w-0 flex-1 truncate">{entry.label}</span>
            <span className="text-sm text-muted">{entry.group}</span>
          </li>
        ))}
      </ul>
      <p className="sr-only" aria-live="polite">
        {found.length === 1 ? '1 entry' : `${found.length} entries`}
      </p>
      {found.length === 0 && <p className="px-4 pb-4 text-muted">Nothing has this name.</p>}
    </>
  );
}

interface PaletteProps {
  isOpen: boolean;
  onClose: () => void;
}

export const Palette = memo(function Palette({ isOpen, onClose }: PaletteProps): React.ReactElement {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      label="Palette"
      initialFocus={field}
      className="top-[12dvh] w-[36rem] overflow-hidden"
    >
      <PaletteContent field={field} onClose={onClose} />
    </Modal>
  );
});
