/** The palette (⌘K): pages, actions of the screen, records of the workspace by name, and the search for a text. */
import { useNavigate } from '@tanstack/react-router';
import { memo, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Modal } from '../components/dialogs/modal.tsx';
import { Icon } from '../components/icon.tsx';
import { useWorkspace } from '../data/workspace.ts';
import { NAVIGATION } from '../screens/navigation.ts';
import { matching, repeatedLabels, useAddedEntries, type PaletteEntry } from './palette-entries.ts';
import { MIN_QUERY, useCollectionEntries, useDocumentEntries, useRecordEntries } from './palette-records.ts';

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

/** Searches the texts of the documents for what was typed. */
function useSearchEntry(query: string): PaletteEntry[] {
  const navigate = useNavigate();
  const { id: ws } = useWorkspace();
  const q = query.trim();
  if (q.length < MIN_QUERY) return [];
  const run = (): void => void navigate({ to: '/w/$ws/search', params: { ws }, search: { q } });
  return [{ id: 'search-for', label: `Search for “${q}”`, icon: 'search', group: 'Search', run }];
}

interface PaletteContentProps {
  field: React.RefObject<HTMLInputElement | null>;
  onClose: () => void;
}

function PaletteContent({ field, onClose }: PaletteContentProps): React.ReactElement {
  const [query, setQuery] = useState('');
  const entries = [...useAddedEntries(), ...usePages(), ...useCollectionEntries()];
  const documents = useDocumentEntries(query);
  const records = useRecordEntries(query);
  const searches = useSearchEntry(query);
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const found = [...matching(entries, query), ...documents, ...records, ...searches];
  const repeated = repeatedLabels(found);
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
        aria-label="Go to a page, a record or an action"
        placeholder="Go to a page, a record or an action"
        value={query}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(0);
        }}
        className="w-full border-b border-line bg-transparent px-4 py-3 text-lg outline-none"
      />
      <ul
        id={list}
        role="listbox"
        aria-label="Results"
        className="max-h-[min(50dvh,calc(76dvh-var(--toasts)))] overflow-auto p-1.5"
      >
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
            {entry.place !== undefined && repeated.has(entry.label) && (
              <span className="max-w-2/5 truncate text-sm">{entry.place}</span>
            )}
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
