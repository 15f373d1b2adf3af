/** Runs: files that are processed without a collection, and what came out. */
import type { Run } from '@quire/client';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { NewButton } from '../../components/controls/new-button.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { Time } from '../../components/content/time.tsx';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { NewRun } from './new-run.tsx';
import { runsList } from './queries.ts';
import { RunDetail } from './run-detail.tsx';
import { RunStatus } from './run-status.tsx';

export const route = createLazyRoute('/w/$ws/runs')({ component: RunsScreen });

const api = getRouteApi('/w/$ws/runs');

const COLUMNS: readonly Column<Run>[] = [
  {
    id: 'files',
    header: 'Files',
    cell: ({ workspaceId, id, files }) => (
      <Link
        to="/w/$ws/runs"
        params={{ ws: workspaceId }}
        search={{ id }}
        data-open
        className="font-medium text-ink no-underline hover:underline"
      >
        {files.slice(0, 3).join(', ') || 'no files yet'}
        {files.length > 3 && ` and ${files.length - 3} more`}
      </Link>
    ),
  },
  { id: 'status', header: 'Status', width: '7rem', cell: RunStatus },
  { id: 'created', header: 'Created', width: '8rem', isWide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'expires',
    header: 'Deleted',
    width: '8rem',
    isWide: true,
    cell: ({ expiresAt, outputsDeletedAt }) => {
      const at = outputsDeletedAt ?? expiresAt;
      return at === null ? '' : <Time at={at} />;
    },
  },
];

function RunsScreen(): React.ReactElement {
  const list = useList(runsList(useWorkspace()));
  const { new: isCreating = false, id } = api.useSearch();
  const navigate = api.useNavigate();
  const create = (
    <NewButton needs="write" onClick={() => void navigate({ search: { new: true } })}>
      New run
    </NewButton>
  );
  if (id !== undefined) return <RunDetail id={id} />;
  return (
    <Page title="Runs" actions={create}>
      <DataTable
        label="Runs"
        columns={COLUMNS}
        list={list}
        rowId={(row) => row.id}
        empty={
          <Empty icon="runs" title="No runs yet" action={create}>
            A run reads files, extracts values, summarises and classifies. Its results are deleted after a day.
          </Empty>
        }
      />
      {isCreating && <NewRun onClose={() => void navigate({ search: {}, replace: true })} />}
    </Page>
  );
}
