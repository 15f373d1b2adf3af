/** The connectors of the workspace; one of them with its synchronisations when it is opened. */
import type { Connector } from '@quire/client';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { formatCount } from '../../components/content/format.ts';
import { NewButton } from '../../components/controls/new-button.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { Status, type Tone } from '../../components/states/status.tsx';
import { Time } from '../../components/content/time.tsx';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { ConnectorDetail } from './connector-detail.tsx';
import { NewConnector } from './new-connector.tsx';
import { connectorsList } from './queries.ts';

export const route = createLazyRoute('/w/$ws/connectors')({ component: ConnectorsScreen });

const api = getRouteApi('/w/$ws/connectors');

const TONES: Readonly<Record<Connector['status'], Tone>> = {
  idle: 'ok',
  syncing: 'busy',
  held: 'warn',
  failing: 'danger',
  needs_attention: 'danger',
  paused: 'neutral',
};

const COLUMNS: readonly Column<Connector>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ workspaceId, id, name }) => (
      <Link
        to="/w/$ws/connectors"
        params={{ ws: workspaceId }}
        search={{ id }}
        data-open
        className="font-medium text-ink no-underline hover:underline"
      >
        {name}
      </Link>
    ),
  },
  { id: 'kind', header: 'Source', width: '9rem', isWide: true, cell: ({ kind }) => kind.replace('_', ' ') },
  {
    id: 'status',
    header: 'Status',
    width: '9rem',
    cell: ({ status }) => <Status tone={TONES[status]}>{status.replace('_', ' ')}</Status>,
  },
  {
    id: 'items',
    header: 'Files',
    width: '13rem',
    isWide: true,
    cell: ({ itemCounts: { synced, failed } }) => (
      <>
        {formatCount(synced)} in step{failed > 0 && `, ${formatCount(failed)} failed`}
      </>
    ),
  },
  {
    id: 'next',
    header: 'Next',
    width: '8rem',
    isWide: true,
    cell: ({ nextSyncAt }) => (nextSyncAt === null ? 'by hand' : <Time at={nextSyncAt} />),
  },
];

function ConnectorsScreen(): React.ReactElement {
  const list = useList(connectorsList(useWorkspace()));
  const { new: isCreating = false, id } = api.useSearch();
  const navigate = api.useNavigate();
  const create = (
    <NewButton needs="admin" onClick={() => void navigate({ search: { new: true } })}>
      New connector
    </NewButton>
  );
  if (id !== undefined) return <ConnectorDetail id={id} />;
  return (
    <Page title="Connectors" actions={create}>
      <DataTable
        label="Connectors"
        columns={COLUMNS}
        list={list}
        rowId={(row) => row.id}
        empty={
          <Empty icon="connectors" title="No connectors yet" action={create}>
            A connector imports the files of a source into a collection, and keeps the collection in step with it.
          </Empty>
        }
      />
      {isCreating && <NewConnector onClose={() => void navigate({ search: {}, replace: true })} />}
    </Page>
  );
}
