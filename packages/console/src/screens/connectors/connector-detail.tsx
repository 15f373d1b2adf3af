/** One connector: its actions, its synchronisations as they run, and the files that failed. */
import type { Connector, ConnectorItem } from '@quire/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { Confirm } from '../../components/dialogs/confirm.tsx';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Page, Skeleton } from '../../components/page.tsx';
import { toast } from '../../components/states/toast.tsx';
import { collectionQuery } from '../../data/collections.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { connectorQuery, failedItemsList } from './queries.ts';
import { placeOf, SCHEDULES } from './sources.ts';
import { Syncs } from './syncs.tsx';

export function ConnectorDetail({ id }: { id: string }): React.ReactElement {
  const workspace = useWorkspace();
  const { data, error, refetch } = useQuery(connectorQuery(workspace, id));
  const above = (
    <Link to="/w/$ws/connectors" params={{ ws: workspace.id }}>
      Connectors
    </Link>
  );
  return (
    <Page title={data?.name ?? 'Connector'} above={above} actions={data !== undefined && <Actions connector={data} />}>
      {error !== null && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <>
          <Summary {...data} />
          <Syncs connector={data} />
          {data.itemCounts.failed > 0 && <FailedItems id={id} />}
        </>
      )}
    </Page>
  );
}

const scheduleInWords = (schedule: string | null): string => {
  const known = SCHEDULES.find(({ value }) => value === (schedule ?? ''));
  return known === undefined ? `at ${schedule} (UTC)` : known.label.toLowerCase().replace('utc', 'UTC');
};

function Summary(connector: Connector): React.ReactElement {
  const { workspaceId, kind, collectionId, schedule, deletions, lastSync } = connector;
  const place = placeOf(connector);
  const { data: collection } = useQuery(collectionQuery(useWorkspace(), collectionId));
  return (
    <div className="mb-6 space-y-2">
      <p className="wrap-anywhere text-muted">
        {kind.replace('_', ' ')}
        {place !== '' && ` ${place}`} into{' '}
        <Link to="/w/$ws/collections/$col" params={{ ws: workspaceId, col: collectionId }} className="underline">
          {collection?.name ?? 'its collection'}
        </Link>
        , {scheduleInWords(schedule)};{' '}
        {deletions === 'mirror' ? 'deleted files are deleted here too' : 'documents of deleted files stay'}.
      </p>
      {lastSync !== null && lastSync.error !== null && (
        <p className="rounded-md bg-danger-soft px-3 py-2">{lastSync.error.message}</p>
      )}
    </div>
  );
}

function Actions({ connector: { id, name, status } }: { connector: Connector }): React.ReactElement {
  const { id: ws, quire } = useWorkspace();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const isRunning = status === 'syncing';
  const start = async (dryRun: boolean): Promise<void> => {
    try {
      const { id: sync } = await quire.connectors.sync(id, { dryRun });
      await cache.invalidateQueries({ queryKey: [ws, 'connector'] });
      await navigate({ to: '/w/$ws/connectors', params: { ws }, search: { id, sync } });
    } catch (error) {
      toast.failed('The synchronisation did not start', error);
    }
  };
  const remove = async (): Promise<void> => {
    await quire.connectors.delete(id);
    toast.done(`Deleted “${name}”`);
    void cache.invalidateQueries({ queryKey: [ws, 'connectors'] });
    await navigate({ to: '/w/$ws/connectors', params: { ws } });
  };
  return (
    <>
      <Button needs="write" disabled={isRunning} onClick={() => void start(true)}>
        List the changes
      </Button>
      <Button kind="primary" icon="retry" needs="write" disabled={isRunning} onClick={() => void start(false)}>
        Synchronise
      </Button>
      <Button kind="danger" icon="trash" needs="admin" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <Confirm
        title={`Delete “${name}”?`}
        action="Delete the connector"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={remove}
      >
        Its documents stay in the collection.
      </Confirm>
    </>
  );
}

const COLUMNS: readonly Column<ConnectorItem>[] = [
  {
    id: 'path',
    header: 'File',
    cell: ({ path, url }) =>
      url === null ? (
        path
      ) : (
        <a href={url} rel="noreferrer">
          {path}
        </a>
      ),
  },
  { id: 'error', header: 'Reason', cell: ({ error }) => error?.message ?? '' },
];

function FailedItems({ id }: { id: string }): React.ReactElement {
  const list = useList(failedItemsList(useWorkspace(), id));
  return (
    <section aria-labelledby="failed" className="mt-8">
      <h2 id="failed" className="mb-2 font-display text-lg">
        Files that failed
      </h2>
      <DataTable label="Files that failed" columns={COLUMNS} list={list} rowId={({ path }) => path} empty={null} />
    </section>
  );
}
