import type { Collection } from '@quire/client';
import { getRouteApi, Link } from '@tanstack/react-router';
import { memo, useEffect, useRef } from 'react';
import { formatCount } from '../../components/content/format.ts';

const api = getRouteApi('/w/$ws/collections/$col');
const TYPING_MS = 250;

/** Tabs with counts, and a field for a part of the name; all of it is in the address. */
export const Filters = memo(function Filters({ collection }: { collection: Collection }): React.ReactElement {
  const { ws, col } = api.useParams();
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const { indexing, ready, failed } = collection.documentCounts;
  const tabs = [
    { label: 'All', count: indexing + ready + failed, search: {} },
    { label: 'Indexing', count: indexing, search: { status: 'indexing' as const } },
    { label: 'Ready', count: ready, search: { status: 'ready' as const } },
    { label: 'Failed', count: failed, search: { status: 'failed' as const } },
    { label: 'Deleted', count: undefined, search: { status: 'deleted' as const } },
    { label: 'Settings', count: undefined, search: { view: 'settings' as const } },
  ];
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const filter = (value: string): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      void navigate({ search: (old) => ({ ...old, name: value || undefined }), replace: true });
    }, TYPING_MS);
  };
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-2 border-b border-line px-4 md:px-6">
      <nav aria-label="Documents by status" className="flex flex-wrap md:gap-x-1">
        {tabs.map((tab) => {
          const isActive =
            tab.search.status === search.status && (tab.search as { view?: string }).view === search.view;
          return (
            <Link
              key={tab.label}
              to="/w/$ws/collections/$col"
              params={{ ws, col }}
              search={tab.search}
              aria-current={isActive ? 'page' : undefined}
              className={`-mb-px border-b-2 px-2 py-1.5 whitespace-nowrap max-md:px-1 no-underline ${isActive ? 'border-accent font-medium text-ink' : 'border-transparent text-muted hover:text-ink'}`}
            >
              {tab.label}
              {tab.count !== undefined && (
                <>
                  {' '}
                  <span className="text-sm tabular-nums">{formatCount(tab.count)}</span>
                </>
              )}
            </Link>
          );
        })}
      </nav>
      <p className="sr-only" aria-live="polite">
        {formatCount(ready)} ready, {formatCount(indexing)} indexing, {formatCount(failed)} failed
      </p>
      {search.view !== 'settings' && (
        <input
          type="search"
          data-search
          aria-label="Part of the name"
          placeholder="Filter by name"
          defaultValue={search.name ?? ''}
          onChange={(event) => filter(event.target.value)}
          className="input mb-1.5 w-56 max-md:w-full md:ml-auto"
        />
      )}
    </div>
  );
});
