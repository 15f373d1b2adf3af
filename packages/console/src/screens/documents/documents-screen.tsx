/** The documents of a collection: states, filters, uploads, failures by reason, changes of many at once. */
import type { Collection, Document } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { buttonClass } from '../../components/controls/button.tsx';
import type { Column } from '../../components/table/column.ts';
import { DataTable } from '../../components/table/data-table.tsx';
import { formatBytes, formatCount } from '../../components/content/format.ts';
import { Empty, Page, PageError, Skeleton } from '../../components/page.tsx';
import { Progress, Status } from '../../components/states/status.tsx';
import { Time } from '../../components/content/time.tsx';
import { collectionQuery } from '../../data/collections.ts';
import { failureOf, kindOf, stageOf, STATUS_TONE } from '../../data/document-words.ts';
import { documentsList, useLiveDocuments } from '../../data/documents.ts';
import { useList } from '../../data/list.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { CodeButton } from '../../components/content/code-button.tsx';
import { documentSamples } from '../../data/code-samples.ts';
import { Deadline } from '../../components/content/deadline.tsx';
import { AddFiles, DropZone } from './add-files.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { CollectionSettings } from './collection-settings.tsx';
import { FailureGroups } from './failure-groups.tsx';
import { Filters } from './filters.tsx';

export const route = createLazyRoute('/w/$ws/collections/$col')({ component: DocumentsScreen });

const api = getRouteApi('/w/$ws/collections/$col');

const COLUMNS: readonly Column<Document>[] = [
  { id: 'name', header: 'Name', cell: (row) => <DocumentLink {...row} /> },
  { id: 'status', header: 'Status', width: 'min(17rem, 36vw)', cell: (row) => <DocumentStatus {...row} /> },
  { id: 'kind', header: 'Format', width: '8rem', isWide: true, cell: ({ contentType }) => kindOf(contentType) },
  {
    id: 'pages',
    header: 'Pages',
    width: '5rem',
    align: 'right',
    isWide: true,
    cell: ({ pageCount }) => (pageCount === null ? '' : formatCount(pageCount)),
  },
  {
    id: 'chunks',
    header: 'Chunks',
    width: '5.5rem',
    align: 'right',
    isWide: true,
    cell: ({ chunkCount }) => formatCount(chunkCount),
  },
  {
    id: 'size',
    header: 'Size',
    width: '6rem',
    align: 'right',
    isWide: true,
    cell: (row) => formatBytes(row.sizeBytes),
  },
  {
    id: 'changed',
    header: 'Changed',
    width: '7.5rem',
    isWide: true,
    cell: ({ modifiedAt }) => <Time at={modifiedAt} />,
  },
];

function DocumentsScreen(): React.ReactElement {
  const { col } = api.useParams();
  const { view } = api.useSearch();
  const workspace = useWorkspace();
  const collection = useQuery(collectionQuery(workspace, col));
  useLiveDocuments(col);
  if (collection.error !== null)
    return <PageError error={collection.error} onRetry={() => void collection.refetch()} />;
  if (collection.data === undefined) return <div className="p-6">{<Skeleton />}</div>;
  const { name } = collection.data;
  return (
    <Page
      title={name}
      isFull
      above={
        <Link to="/w/$ws/collections" params={{ ws: workspace.id }}>
          Collections
        </Link>
      }
      actions={
        <>
          <Link
            to="/w/$ws/search"
            params={{ ws: workspace.id }}
            search={{ in: col } as never}
            className={buttonClass('plain')}
          >
            Search in it
          </Link>
          <AddFiles collectionId={col} />
          <CodeButton title="These documents as code" samples={() => documentSamples(workspace.id, col)} />
        </>
      }
    >
      {view === 'settings' ? (
        <>
          <Filters collection={collection.data} />
          <CollectionSettings collection={collection.data} />
        </>
      ) : (
        <DocumentList collection={collection.data} />
      )}
    </Page>
  );
}

function DocumentList({ collection }: { collection: Collection }): React.ReactElement {
  const { col } = api.useParams();
  const { status, error, name } = api.useSearch();
  const list = useList(documentsList(useWorkspace(), col, { status, errorType: error, name }));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const isFiltered = status !== undefined || error !== undefined || name !== undefined;
  return (
    <DropZone collectionId={col}>
      <Filters collection={collection} />
      {status === 'failed' && <FailureGroups collection={collection} chosen={error} />}
      {selected.size > 0 && (
        <BulkActions
          collectionId={col}
          documents={list.rows.filter(({ id }) => selected.has(id))}
          onDone={(left) => setSelected(new Set(left.map(({ id }) => id)))}
        />
      )}
      <DataTable
        label="Documents"
        isFull
        columns={COLUMNS}
        list={list}
        rowId={({ id }) => id}
        rowName={(row) => row.name}
        selection={{ ids: selected, onChange: setSelected }}
        empty={
          isFiltered ? (
            <Empty icon="search" title="No document matches">
              Choose another status or another name.
            </Empty>
          ) : (
            <Empty icon="upload" title="No documents yet">
              Drop files or folders anywhere on this page, or choose “Add files”.
            </Empty>
          )
        }
      />
    </DropZone>
  );
}

const DocumentLink = ({ workspaceId, collectionId, id, name, parentId }: Document): React.ReactElement => (
  <Link
    to="/w/$ws/collections/$col/documents/$doc"
    params={{ ws: workspaceId, col: collectionId, doc: id }}
    data-open
    // Moving over the rows by keys would prepare each of their pages.
    preload={false}
    title={name}
    className="text-ink no-underline hover:underline"
  >
    {name}
    {parentId !== null && <span className="text-muted"> (in an archive)</span>}
  </Link>
);

function DocumentStatus(document: Document): React.ReactElement {
  const { status, error, warnings, progress } = document;
  if (status === 'indexing')
    return (
      <span className="flex items-center gap-2">
        <Status tone="busy">{stageOf(document)}</Status>
        <span className="w-14 shrink-0">
          <Progress value={progress} label="Progress" />
        </span>
        <Deadline of={document.id} />
      </span>
    );
  return (
    <span
      className="flex items-center gap-1.5"
      title={error?.message ?? warnings.map(({ message }) => message).join('\n')}
    >
      <Status tone={STATUS_TONE[status]}>{status === 'failed' ? failureOf(error?.type ?? '').title : status}</Status>
      {status === 'ready' && warnings.length > 0 && <Status tone="warn">{warnings.length}</Status>}
    </span>
  );
}
