/** The number of a source in an answer. Hover and focus show its quote, and its lines as the page shows them. */
import { Tooltip } from '@base-ui/react/tooltip';
import type { Citation } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { useObjectUrl } from '../../components/content/object-url.ts';
import { useWorkspace } from '../../data/workspace.ts';

interface SourceChipProps {
  index: number;
  /** Undefined while the answer is written, if its sources are not known yet. */
  citation: Citation | undefined;
  isChosen: boolean;
  onSource: (index: number) => void;
}

const HOVER_MS = 250;
/** Width of the whole page in pixels, of which the preview shows the quoted lines. */
const PAGE_WIDTH = 900;

export function SourceChip({ index, citation, isChosen, onSource }: SourceChipProps): React.ReactElement {
  const chip = (
    <button
      type="button"
      data-source={index}
      aria-label={`Source ${index}`}
      aria-pressed={isChosen}
      onClick={() => onSource(index)}
      className="mx-0.5 rounded bg-mark px-1 align-super text-[0.7rem] leading-4 font-medium text-ink hover:bg-mark-line hover:text-black aria-pressed:bg-mark-line aria-pressed:text-black"
    >
      {index}
    </button>
  );
  if (citation === undefined) return chip;
  return (
    <Tooltip.Root>
      <Tooltip.Trigger delay={HOVER_MS} render={chip} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-50">
          <Tooltip.Popup className="popup w-96 max-w-[92vw] space-y-1.5 p-2.5" data-preview={index}>
            <Preview citation={citation} />
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

function Preview({ citation }: { citation: Citation }): React.ReactElement {
  const { documentName, documentDeleted, collectionId, boxes, snippet } = citation;
  const page = boxes[0]?.page;
  const isGone = documentDeleted || collectionId === null;
  return (
    <>
      <p className="truncate text-sm font-medium">
        {documentName}
        {page !== undefined && <span className="font-normal text-muted">, page {page}</span>}
        {isGone && <span className="font-normal text-warn"> (deleted)</span>}
      </p>
      {!isGone && page !== undefined && <Crop citation={citation} collectionId={collectionId} page={page} />}
      <p className="line-clamp-6 text-sm">“{snippet}”</p>
    </>
  );
}

interface CropProps {
  citation: Citation;
  collectionId: string;
  page: number;
}

/** The quoted lines of the page. Without a picture the quote below it says the same. */
function Crop({ citation, collectionId, page }: CropProps): React.ReactElement | null {
  const { id: ws, quire } = useWorkspace();
  const { documentId, revision, boxes, index } = citation;
  const box = boxes.filter((each) => each.page === page).map(({ bbox }) => bbox);
  const { data, error } = useQuery({
    queryKey: [ws, 'crop', documentId, revision, page, box],
    queryFn: ({ signal }) =>
      quire.collection(collectionId).documents.page(documentId, page, { width: PAGE_WIDTH, box, signal }),
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const url = useObjectUrl(data);
  if (error !== null) return null;
  return url === undefined ? (
    <div className="skeleton h-16" />
  ) : (
    <img src={url} alt={`Lines of source ${index}`} className="max-h-48 w-full rounded bg-white object-contain" />
  );
}
