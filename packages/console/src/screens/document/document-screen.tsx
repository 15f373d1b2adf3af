/** One document: its pages or its text at the left, what was made of it at the right, each pointing at the other. */
import type { Block, Chunk, DocumentDetail, PageBox, PageSize } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { Empty, Page, PageError, Skeleton } from '../../components/page.tsx';
import { Deadline } from '../../components/content/deadline.tsx';
import { Progress, Status } from '../../components/states/status.tsx';
import { collectionQuery } from '../../data/collections.ts';
import { failureOf, stageOf, STATUS_TONE } from '../../data/document-words.ts';
import { useList } from '../../data/list.ts';
import { readMarks } from '../../data/marks.ts';
import { pagesQuery } from '../../data/pages.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { BlockText } from './block-text.tsx';
import { boxesOf, flatten } from './blocks.ts';
import { ChunkPane } from './chunk-pane.tsx';
import { Details } from './details.tsx';
import { DownloadButton } from './download-button.tsx';
import { MarkdownPane } from './markdown-pane.tsx';
import { Pages } from './pages.tsx';
import { blocksQuery, chunkQuery, chunksList, documentQuery } from './queries.ts';

export const route = createLazyRoute('/w/$ws/collections/$col/documents/$doc')({ component: DocumentScreen });

const api = getRouteApi('/w/$ws/collections/$col/documents/$doc');
/** Number of chunks up to which all are loaded, so that a click on a block finds its chunk. */
const MAX_CHUNKS = 1_000;

function DocumentScreen(): React.ReactElement {
  const place = api.useParams();
  const workspace = useWorkspace();
  const { data: document, error, refetch } = useQuery(documentQuery(workspace, place));
  const { data: collection } = useQuery(collectionQuery(workspace, place.col));
  if (error !== null) return <PageError error={error} onRetry={() => void refetch()} />;
  if (document === undefined) return <div className="p-6">{<Skeleton />}</div>;
  const { status } = document;
  return (
    <Page
      title={document.name}
      isFull
      above={
        <Link to="/w/$ws/collections/$col" params={{ ws: place.ws, col: place.col }}>
          {collection?.name ?? 'Collection'}
        </Link>
      }
      actions={
        <>
          <span aria-live="polite" className="self-center">
            <Status tone={STATUS_TONE[status]}>{status === 'indexing' ? stageOf(document) : status}</Status>
          </span>
          <DownloadButton document={document} />
        </>
      }
    >
      <Viewer key={`${place.doc} ${document.searchableRevision}`} document={document} />
    </Page>
  );
}

export interface Selection {
  blocks: readonly Block[];
  /** Block that is selected, and the one under the pointer. */
  block: string | undefined;
  hovered: string | undefined;
  chunk: Chunk | undefined;
  choose: (target: { block?: string | undefined; chunk?: string | undefined; page?: number | undefined }) => void;
  hover: (block: string | undefined) => void;
}

function useSelection(blocks: readonly Block[], chunks: readonly Chunk[]): Selection {
  const { block, chunk: chunkId } = api.useSearch();
  const navigate = api.useNavigate();
  const place = api.useParams();
  const [hovered, hover] = useState<string>();
  const loaded = chunks.find(({ id }) => id === chunkId);
  const { data } = useQuery({ ...chunkQuery(useWorkspace(), place, chunkId), enabled: chunkId !== undefined });
  const chunk = data ?? loaded;
  return {
    blocks,
    block,
    hovered,
    chunk: chunkId === undefined ? undefined : chunk,
    hover,
    choose: (target) => {
      const found =
        target.chunk ??
        chunks.find(({ blockIds }) => target.block !== undefined && blockIds.includes(target.block))?.id;
      void navigate({
        search: (old) => ({ ...old, mark: undefined, ...target, block: target.block, chunk: found }),
        replace: true,
      });
    },
  };
}

function Viewer({ document }: { document: DocumentDetail }): React.ReactElement {
  const place = api.useParams();
  const workspace = useWorkspace();
  const { pane, mark } = api.useSearch();
  const revision = document.searchableRevision ?? document.revision;
  const isRead = document.searchableRevision !== null;
  const pages = useQuery({
    ...pagesQuery(workspace, { collectionId: place.col, documentId: place.doc, revision }),
    enabled: isRead,
  });
  const tree = useQuery({ ...blocksQuery(workspace, place, revision), enabled: isRead });
  const chunks = useList(chunksList(workspace, place, revision));
  useEffect(() => {
    if (chunks.rows.length < MAX_CHUNKS) chunks.loadMore();
  });
  const blocks = useMemo(() => flatten(tree.data ?? []), [tree.data]);
  const selection = useSelection(blocks, chunks.rows);
  const marks = useMemo(() => readMarks(mark), [mark]);
  return (
    <div className="flex min-h-0 flex-1 border-t border-line max-md:flex-col max-md:overflow-auto">
      <section aria-label="Content" className="min-h-0 min-w-0 flex-1 bg-sunken max-md:h-[60dvh] max-md:flex-none">
        <Content
          document={document}
          pages={pages.data}
          tree={tree.data}
          error={pages.error ?? tree.error}
          selection={selection}
          marks={marks}
        />
      </section>
      <aside
        aria-label="Inspector"
        className="flex min-h-0 flex-col border-line max-md:flex-none md:w-[25rem] md:border-l"
      >
        <PaneTabs />
        <div className="min-h-0 flex-1 overflow-auto" tabIndex={-1}>
          {(pane ?? 'chunks') === 'chunks' && <ChunkPane list={chunks} selection={selection} />}
          {pane === 'details' && <Details document={document} />}
          {pane === 'markdown' && <MarkdownPane />}
        </div>
      </aside>
    </div>
  );
}

interface ContentProps {
  document: DocumentDetail;
  pages: readonly PageSize[] | undefined;
  tree: readonly Block[] | undefined;
  error: unknown;
  selection: Selection;
  marks: readonly PageBox[];
}

function Content({ document, pages, tree, error, selection, marks }: ContentProps): React.ReactElement {
  if (error !== null) return <ErrorBox error={error} className="m-4" />;
  if (document.searchableRevision === null) return <Unread document={document} />;
  if (pages === undefined || tree === undefined) return <div className="p-6">{<Skeleton />}</div>;
  if (pages.length === 0) return <BlockText tree={tree} selection={selection} />;
  return <Pages document={document} pages={pages} boxes={pageBoxes(selection)} selection={selection} marks={marks} />;
}

const pageBoxes = ({ blocks }: Selection): { id: string; type: string; box: PageBox }[] =>
  blocks
    .filter(({ type }) => type !== 'section')
    .flatMap((block) => boxesOf(block).map((box) => ({ id: block.id, type: block.type, box })));

/** A document that was never searchable: it is being read, or it failed. */
function Unread({ document }: { document: DocumentDetail }): React.ReactElement {
  const workspace = useWorkspace();
  const place = api.useParams();
  const { refetch } = useQuery(documentQuery(workspace, place));
  if (document.status === 'indexing') return <Processing {...document} />;
  if (document.status !== 'failed') return <Empty icon="info" title={`This document is ${document.status}`} />;
  const { title, remedy } = failureOf(document.error?.type ?? 'internal');
  return (
    <Empty
      icon="warning"
      title={title}
      action={
        <Button
          kind="primary"
          icon="retry"
          needs="write"
          onClick={() =>
            void workspace.quire
              .collection(place.col)
              .documents.retry(place.doc)
              .then(() => refetch())
          }
        >
          Retry
        </Button>
      }
    >
      <p>{document.error?.message}</p>
      <p>{remedy}</p>
    </Empty>
  );
}

const Processing = (document: DocumentDetail): React.ReactElement => (
  <Empty icon="retry" title={`In progress: ${stageOf(document)}`}>
    <span className="mx-auto my-3 block w-48">
      <Progress value={document.progress} label="Progress" />
    </span>
    <p>
      Its pages and chunks appear here when it is ready. <Deadline of={document.id} />
    </p>
  </Empty>
);

const PANES = [
  { pane: undefined, label: 'Chunks' },
  { pane: 'details', label: 'Details' },
  { pane: 'markdown', label: 'Markdown' },
] as const;

function PaneTabs(): React.ReactElement {
  const place = api.useParams();
  const search = api.useSearch();
  return (
    <nav aria-label="Inspector" className="flex border-b border-line px-2">
      {PANES.map(({ pane, label }) => (
        <Link
          key={label}
          to="/w/$ws/collections/$col/documents/$doc"
          params={place}
          search={(old: typeof search) => ({ ...old, pane })}
          replace
          aria-current={search.pane === pane ? 'page' : undefined}
          className={`-mb-px border-b-2 px-2.5 py-1.5 no-underline ${search.pane === pane ? 'border-accent font-medium text-ink' : 'border-transparent text-muted hover:text-ink'}`}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
