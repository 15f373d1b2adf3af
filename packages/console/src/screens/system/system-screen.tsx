/** State of the service: its dependencies, what the workspace holds, and rates for the root key. */
import { QuireError, type Schemas } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { formatCount, formatMs } from '../../components/content/format.ts';
import { Page, Skeleton } from '../../components/page.tsx';
import { Status } from '../../components/states/status.tsx';
import { collectionsList } from '../../data/collections.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace, type WorkspaceContext } from '../../data/workspace.ts';
import { Rates } from './rates.tsx';

export const route = createLazyRoute('/w/$ws/system')({ component: SystemScreen });

type Dependencies = Schemas['Readiness']['dependencies'];

const REFRESH_MS = 5_000;

/** Explanations of the dependencies, in the order in which they are shown. */
const DEPENDENCIES: Readonly<Record<string, string>> = {
  database: 'PostgreSQL, which holds all records',
  storage: 'originals and artifacts',
  index: 'the search index',
  queue: 'the lanes that run jobs',
  sandbox: 'the processes that parse files',
  embedder: 'the default embedding model',
};

const readinessQuery = ({ quire }: WorkspaceContext) => ({
  queryKey: ['readiness'],
  refetchInterval: REFRESH_MS,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Dependencies> => {
    try {
      return (await quire.readiness({ signal })).dependencies;
    } catch (error) {
      // 503 names the state of each dependency too.
      const failed = error instanceof QuireError ? error.detail[0]?.ctx?.['dependencies'] : undefined;
      if (failed === undefined) throw error;
      return failed as Dependencies;
    }
  },
});

const healthQuery = ({ quire }: WorkspaceContext) => ({
  queryKey: ['health'],
  queryFn: ({ signal }: { signal: AbortSignal }) => quire.health({ signal }),
});

function SystemScreen(): React.ReactElement {
  const workspace = useWorkspace();
  const { data: health } = useQuery(healthQuery(workspace));
  return (
    <Page title="System">
      <p className="mb-4 text-muted">Quire {health?.version ?? '…'}</p>
      <Readiness />
      <Contents />
      {workspace.principal.permission === 'root' ? (
        <Rates />
      ) : (
        <p className="mt-8 text-muted">
          Requests, queue, memory and the age of the last backup are shown to the root key.
        </p>
      )}
    </Page>
  );
}

function Readiness(): React.ReactElement {
  const { data, error, refetch } = useQuery(readinessQuery(useWorkspace()));
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton />;
  const order = Object.keys(DEPENDENCIES);
  const names = Object.keys(data).toSorted((a, b) => (order.indexOf(a) + 1 || 99) - (order.indexOf(b) + 1 || 99));
  const failed = names.filter((name) => data[name]?.ok === false);
  return (
    <section aria-labelledby="readiness">
      <h2 id="readiness" className="mb-2 flex items-center gap-2 font-display text-lg">
        Readiness
        <Status tone={failed.length === 0 ? 'ok' : 'danger'}>
          {failed.length === 0 ? 'ready' : `not ready: ${failed.join(', ')}`}
        </Status>
      </h2>
      <ul className="card divide-y divide-line">
        {names.map((name) => {
          const { ok, latencyMs, detail } = data[name] ?? { ok: false, latencyMs: 0 };
          return (
            <li key={name} className="flex flex-wrap items-baseline gap-x-3 px-3 py-2">
              <span className="w-24 font-medium">{name}</span>
              <Status tone={ok ? 'ok' : 'danger'}>{ok ? 'ok' : 'failed'}</Status>
              <span className="min-w-0 flex-1 text-muted max-md:order-last max-md:basis-full">
                {detail ?? DEPENDENCIES[name] ?? ''}
              </span>
              <span className="text-sm text-muted tabular-nums max-md:ml-auto">{formatMs(latencyMs)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Contents(): React.ReactNode {
  const { rows, hasMore } = useList(collectionsList(useWorkspace()));
  if (hasMore) return null;
  const sum = (count: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + count(row), 0);
  const figures = [
    ['Collections', rows.length],
    ['Ready documents', sum(({ documentCounts }) => documentCounts.ready)],
    ['Indexing', sum(({ documentCounts }) => documentCounts.indexing)],
    ['Failed', sum(({ documentCounts }) => documentCounts.failed)],
    ['Chunks', sum(({ chunkCount }) => chunkCount)],
  ] as const;
  return (
    <section aria-labelledby="contents" className="mt-8">
      <h2 id="contents" className="mb-2 font-display text-lg">
        This workspace
      </h2>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-5">
        {figures.map(([label, value]) => (
          <div key={label} className="card px-3 py-2">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-lg tabular-nums">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
