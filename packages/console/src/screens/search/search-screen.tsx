/** Searches with all their settings, and beside it the same search with others. */
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { CodeSamples } from '../../components/content/code.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { FaultText, faultProps } from '../../components/forms/fault-text.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { formatMs } from '../../components/content/format.ts';
import { Empty, Page, Skeleton } from '../../components/page.tsx';
import { collectionsList } from '../../data/collections.ts';
import { faultAt } from '../../data/faults.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { useKeys } from '../../shell/keys.ts';
import { FilterField } from './filter-field.tsx';
import { HitCard } from './hit-card.tsx';
import { requestOf, runSearch, samplesOf, type Question, type Settings } from './request.ts';
import { SettingsRow } from './settings-row.tsx';

export const route = createLazyRoute('/w/$ws/search')({ component: SearchScreen });

const api = getRouteApi('/w/$ws/search');

function SearchScreen(): React.ReactElement {
  const search = api.useSearch();
  const navigate = api.useNavigate();
  const { rows: collections } = useList(collectionsList(useWorkspace()));
  const { q, ab = false } = search;
  const question: Question = { query: q ?? '', filter: search.filter, minScore: search.min, limit: search.limit };
  const a: Settings = { collectionId: search.in, mode: search.mode, fusion: search.fusion, dense: search.dense };
  const b: Settings = { collectionId: search.inB, mode: search.modeB, fusion: search.fusionB, dense: search.denseB };
  const set = (change: Partial<typeof search>): void =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const { error } = useSearchAnswer(question, q === undefined ? undefined : a);
  const faultOfQuery = { id: 'query-fault', fault: faultAt(error, 'query') };
  useHitKeys();
  return (
    <Page
      title="Search"
      actions={
        <Button icon="swap" aria-pressed={ab} onClick={() => set({ ab: ab ? undefined : true })}>
          {ab ? 'One column' : 'Compare settings'}
        </Button>
      }
    >
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const query = new FormData(event.currentTarget).get('q');
          void navigate({ search: (old) => ({ ...old, q: typeof query === 'string' ? query : undefined }) });
        }}
        className="space-y-2"
      >
        <div className="flex gap-2">
          <input
            key={q}
            type="search"
            name="q"
            data-search
            autoFocus={q === undefined}
            defaultValue={q ?? ''}
            {...faultProps(faultOfQuery)}
            aria-label="What to search for"
            placeholder="What do you want to find?"
            className="input min-h-10 min-w-0 flex-1 text-lg"
          />
          <Button type="submit" kind="primary" icon="search">
            Search
          </Button>
        </div>
        <FaultText {...faultOfQuery} />
        <SettingsRow
          label={ab ? 'A' : 'Settings'}
          collections={collections}
          settings={a}
          onChange={(next) => set({ in: next.collectionId, mode: next.mode, fusion: next.fusion, dense: next.dense })}
        />
        {ab && (
          <SettingsRow
            label="B"
            collections={collections}
            settings={b}
            onChange={(next) =>
              set({ inB: next.collectionId, modeB: next.mode, fusionB: next.fusion, denseB: next.dense })
            }
          />
        )}
        <FilterField
          filter={search.filter}
          min={search.min}
          limit={search.limit}
          fault={faultAt(error, 'filter')}
          onChange={set}
        />
      </form>
      {q === undefined ? (
        <Empty icon="search" title="Search your documents">
          Words, names and questions work. Each hit leads to its lines on the page.
        </Empty>
      ) : (
        <div className={`mt-4 grid gap-6 ${ab ? 'md:grid-cols-2' : ''}`}>
          <Column label={ab ? 'A' : undefined} question={question} settings={a} />
          {ab && <Column label="B" question={question} settings={b} against={a} />}
        </div>
      )}
    </Page>
  );
}

function useHitKeys(): void {
  const move = (step: number): void => {
    const hits = [...document.querySelectorAll<HTMLElement>('[data-hit]')];
    const index = hits.indexOf(document.activeElement as HTMLElement);
    hits[Math.max(0, Math.min(hits.length - 1, index + step))]?.focus();
  };
  useKeys('Hits', [
    { key: 'j', label: 'Next hit', run: () => move(1) },
    { key: 'k', label: 'Previous hit', run: () => move(-1) },
    { key: ']', label: 'Next hit', run: () => move(1) },
    { key: '[', label: 'Previous hit', run: () => move(-1) },
  ]);
}

interface ColumnProps {
  label: string | undefined;
  question: Question;
  settings: Settings;
  /** Settings of the other column, which ranks are compared with. */
  against?: Settings;
}

function useSearchAnswer(question: Question, settings: Settings | undefined) {
  const { id: ws, quire } = useWorkspace();
  return useQuery({
    queryKey: [ws, 'search', question, settings],
    queryFn: ({ signal }) => runSearch(quire, requestOf(question, settings as Settings), signal),
    enabled: settings !== undefined,
    placeholderData: (previous) => previous,
    staleTime: 30_000,
  });
}

function Column({ label, question, settings, against }: ColumnProps): React.ReactElement {
  const { id: ws } = useWorkspace();
  const { data, error, refetch, isPlaceholderData } = useSearchAnswer(question, settings);
  const other = useSearchAnswer(question, against).data;
  const [isCode, setCode] = useState(false);
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} className="self-start" />;
  if (data === undefined) return <Skeleton />;
  const before = new Map(other?.hits.map(({ chunkId }, index) => [chunkId, index + 1]));
  return (
    <section
      aria-label={label === undefined ? 'Hits' : `Hits of ${label}`}
      aria-busy={isPlaceholderData}
      className={isPlaceholderData ? 'opacity-60' : ''}
    >
      <div className="mb-1 flex items-center gap-3 text-muted">
        {label !== undefined && <strong className="text-ink">{label}</strong>}
        <span aria-live="polite">
          {data.hits.length} {data.hits.length === 1 ? 'hit' : 'hits'} in {formatMs(data.tookMs)}
        </span>
        <button type="button" className="ml-auto text-accent underline" onClick={() => setCode(true)}>
          Copy as code
        </button>
      </div>
      {data.warnings.map(({ type, message }) => (
        <p key={type} className="mb-2 rounded bg-warn-soft px-2.5 py-1.5 text-warn">
          {message}
        </p>
      ))}
      {data.hits.length === 0 && (
        <Empty icon="search" title="Nothing was found">
          Use other words, drop the filter, or lower the least relevance.
        </Empty>
      )}
      <ol>
        {data.hits.map((hit, index) => (
          <HitCard
            key={hit.chunkId}
            hit={hit}
            rank={index + 1}
            query={question.query}
            before={against === undefined ? undefined : (before.get(hit.chunkId) ?? null)}
          />
        ))}
      </ol>
      <Dialog title="This search as code" isOpen={isCode} onClose={() => setCode(false)} width={44}>
        {isCode && <CodeSamples samples={samplesOf(ws, requestOf(question, settings))} />}
      </Dialog>
    </section>
  );
}
