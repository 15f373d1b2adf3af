/** All collections of the workspace, and the dialog that creates one. */
import type { Collection } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { formatCount } from '../../components/content/format.ts';
import { NewButton } from '../../components/controls/new-button.tsx';
import { Empty, Page } from '../../components/page.tsx';
import { Progress, Status } from '../../components/states/status.tsx';
import { Time } from '../../components/content/time.tsx';
import { collectionsList } from '../../data/collections.ts';
import { configurationChoices } from '../../data/configuration-choices.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { usePaletteEntries, type PaletteEntry } from '../../shell/palette-entries.ts';
import { NewCollection } from './new-collection.tsx';

export const route = createLazyRoute('/w/$ws/collections')({ component: CollectionsScreen });

const api = getRouteApi('/w/$ws/collections');

const COLUMNS: readonly Column<Collection>[] = [
  { id: 'name', header: 'Name', cell: (row) => <CollectionLink {...row} /> },
  { id: 'state', header: 'Documents', width: 'min(19rem, 55vw)', cell: (row) => <Counts {...row} /> },
  {
    id: 'chunks',
    header: 'Chunks',
    width: '6rem',
    align: 'right',
    isWide: true,
    cell: ({ chunkCount }) => formatCount(chunkCount),
  },
  { id: 'embedder', header: 'Embedder', width: '11rem', isWide: true, cell: (row) => <Embedder {...row} /> },
  { id: 'changed', header: 'Changed', width: '8rem', isWide: true, cell: ({ modifiedAt }) => <Time at={modifiedAt} /> },
];

function CollectionsScreen(): React.ReactElement {
  const workspace = useWorkspace();
  const list = useList(collectionsList(workspace));
  const { new: isCreating = false } = api.useSearch();
  const navigate = api.useNavigate();
  const create = useMemo(() => () => void navigate({ search: (old) => ({ ...old, new: true as const }) }), [navigate]);
  usePaletteEntries(
    useMemo<PaletteEntry[]>(
      () => [{ id: 'new-collection', label: 'Create a collection', group: 'Actions', icon: 'plus', run: create }],
      [create],
    ),
  );
  const button = (
    <NewButton needs="admin" onClick={create}>
      New collection
    </NewButton>
  );
  return (
    <Page title="Collections" actions={button}>
      <DataTable
        label="Collections"
        columns={COLUMNS}
        list={list}
        rowId={({ id }) => id}
        empty={
          <Empty icon="collections" title="No collections yet" action={button}>
            A collection holds documents that are searched together.
          </Empty>
        }
      />
      <NewCollection isOpen={isCreating} onClose={() => void navigate({ search: {}, replace: true })} />
    </Page>
  );
}

const CollectionLink = ({ workspaceId, id, name, description }: Collection): React.ReactElement => (
  <>
    <Link
      to="/w/$ws/collections/$col"
      params={{ ws: workspaceId, col: id }}
      data-open
      className="font-medium text-ink no-underline hover:underline"
    >
      {name}
    </Link>
    {description !== null && <span className="ml-2 text-muted max-md:hidden">{description}</span>}
  </>
);

function Embedder({ embedderId }: Collection): React.ReactNode {
  const { data } = useQuery(configurationChoices(useWorkspace()));
  return (
    <span className="text-muted">
      {data?.dense.find(({ value }) => value === embedderId)?.label.replace(' (default)', '') ?? ''}
    </span>
  );
}

function Counts({ documentCounts, reindex }: Collection): React.ReactElement {
  const { indexing, ready, failed } = documentCounts;
  return (
    <span className="flex items-center gap-1.5">
      <Status tone={ready > 0 ? 'ok' : 'neutral'}>{formatCount(ready)} ready</Status>
      {indexing > 0 && <Status tone="busy">{formatCount(indexing)} indexing</Status>}
      {failed > 0 && <Status tone="danger">{formatCount(failed)} failed</Status>}
      {reindex?.status === 'running' && (
        <span className="w-20">
          <Progress value={reindex.progress} label="Progress of the re-index" />
        </span>
      )}
    </span>
  );
}
