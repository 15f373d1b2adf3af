/** The source of a citation beside the answer: the quote, and its lines marked on the page. */
import { NotFoundError, type Citation } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { IconButton } from '../../components/controls/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { ErrorBox } from '../../components/states/error-box.tsx';
import { PagePicture } from '../../components/content/page-picture.tsx';
import { writeMarks } from '../../data/marks.ts';
import { pagesQuery } from '../../data/pages.ts';
import { useWorkspace } from '../../data/workspace.ts';

interface SourcePanelProps {
  citation: Citation;
  count: number;
  onStep: (by: number) => void;
  onClose: () => void;
}

export function SourcePanel({ citation, count, onStep, onClose }: SourcePanelProps): React.ReactElement {
  const { id: ws } = useWorkspace();
  const { index, collectionId, documentId, documentName, documentDeleted, snippet, headings, boxes, chunkId } =
    citation;
  return (
    <aside
      aria-label="Source"
      className="flex min-h-0 flex-col border-line bg-surface max-md:absolute max-md:inset-0 max-md:z-10 max-md:border-t md:w-[27rem] md:border-l"
    >
      <header className="flex items-center gap-1 border-b border-line py-1.5 pr-1.5 pl-3">
        <h2 className="min-w-0 flex-1 truncate font-medium">
          Source {index} of {count}
        </h2>
        <IconButton icon="left" label="Previous source ([)" onClick={() => onStep(-1)} />
        <IconButton icon="right" label="Next source (])" onClick={() => onStep(1)} />
        <IconButton icon="close" label="Close the source" onClick={onClose} />
      </header>
      <div
        className="min-h-0 flex-1 space-y-3 overflow-auto p-3"
        tabIndex={0}
        role="region"
        aria-label="Source document"
      >
        <p>
          {documentDeleted || collectionId === null ? (
            <span className="flex items-center gap-1.5 text-warn">
              <Icon name="warning" /> “{documentName}” was deleted after this answer.
            </span>
          ) : (
            <Link
              to="/w/$ws/collections/$col/documents/$doc"
              params={{ ws, col: collectionId, doc: documentId }}
              search={{ chunk: chunkId, page: boxes[0]?.page, mark: writeMarks(boxes) }}
              className="font-medium"
            >
              {documentName}
            </Link>
          )}
          {headings.length > 0 && <span className="block text-sm text-muted">{headings.join(' › ')}</span>}
        </p>
        <blockquote className="border-l-4 border-mark-line bg-mark/40 px-3 py-1.5">{snippet}</blockquote>
        {!documentDeleted && collectionId !== null && boxes.length > 0 && (
          <SourcePages key={`${documentId} ${index}`} citation={citation} collectionId={collectionId} />
        )}
      </div>
    </aside>
  );
}

function SourcePages({
  citation,
  collectionId,
}: {
  citation: Citation;
  collectionId: string;
}): React.ReactElement | null {
  const { documentId, boxes, revision } = citation;
  const places = [...new Set(boxes.map(({ page }) => page))];
  const [shown, setShown] = useState(places[0] ?? 1);
  const { data: pages, error, refetch } = useQuery(pagesQuery(useWorkspace(), { collectionId, documentId, revision }));
  if (error instanceof NotFoundError)
    return <p className="text-muted">This document is gone, or not visible to your key.</p>;
  if (error !== null) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (pages?.length === 0)
    return <p className="text-sm text-muted">The pages of this document cannot be drawn here.</p>;
  const size = pages?.find(({ page }) => page === shown);
  return (
    <>
      <p className="flex items-center gap-2 text-sm text-muted">
        Page
        {places.map((page) => (
          <button
            key={page}
            type="button"
            aria-pressed={page === shown}
            className="rounded px-1.5 aria-pressed:bg-hover aria-pressed:text-ink"
            onClick={() => setShown(page)}
          >
            {page}
          </button>
        ))}
      </p>
      {size !== undefined && (
        <PagePicture
          document={{ collectionId, documentId, revision }}
          page={shown}
          ratio={size.height / size.width}
          overlays={boxes.filter(({ page }) => page === shown).map(({ bbox }) => ({ id: 'mark', bbox, kind: 'mark' }))}
        />
      )}
    </>
  );
}
