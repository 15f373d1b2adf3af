/** The server's picture of a page, with boxes over it. Pictures come by `fetch`, because they need the key. */
import type { Box } from '@quire/client';
import { useQuery } from '@tanstack/react-query';
import { useWorkspace } from '../../data/workspace.ts';
import { ErrorBox } from '../states/error-box.tsx';
import { useObjectUrl } from './object-url.ts';

export interface Overlay {
  id: string;
  bbox: Box;
  /** `mark`: quoted or found lines. `chosen`: the selected block. `chunk`: parts of the selected chunk. */
  kind: 'block' | 'chunk' | 'chosen' | 'mark';
  /** Type of a block, for its colour. */
  type?: string;
}

interface PagePictureProps {
  document: { collectionId: string; documentId: string; revision: number };
  page: number;
  /** Height by width, so that the place is kept while the picture loads. */
  ratio: number;
  /** Width of the picture in pixels, 400 to 2,000. */
  width?: number;
  overlays?: readonly Overlay[];
  /** Whether all blocks have a frame in the colour of their type. */
  isOutlined?: boolean;
  onChoose?: (id: string) => void;
  onHover?: (id: string | undefined) => void;
  hovered?: string | undefined;
}

const STYLES: Readonly<Record<Overlay['kind'], string>> = {
  block: 'fill-transparent stroke-transparent hover:stroke-accent hover:fill-accent/10',
  chunk: 'fill-mark-line/20 stroke-transparent',
  chosen: 'fill-accent/10 stroke-accent',
  mark: 'fill-[#ffc62e]/45 stroke-transparent',
};

/** Colours on white paper, in both themes. */
const BLOCKS: Readonly<Record<string, string>> = {
  heading: 'fill-[#7c3aed]/10 stroke-[#7c3aed]',
  table: 'fill-[#0d7a4f]/10 stroke-[#0d7a4f]',
  list: 'fill-[#b45309]/10 stroke-[#b45309]',
  listItem: 'fill-[#b45309]/10 stroke-[#b45309]',
  figure: 'fill-[#be185d]/10 stroke-[#be185d]',
  code: 'fill-[#475569]/10 stroke-[#475569]',
};

const blockStyle = (type: string | undefined): string => BLOCKS[type ?? ''] ?? 'fill-[#0d5c63]/8 stroke-[#0d5c63]';

export function PagePicture(props: PagePictureProps): React.ReactElement {
  const { page, ratio, overlays = [], isOutlined = false, onChoose, onHover, hovered } = props;
  const { url, error, retry } = usePicture(props);
  return (
    <figure
      aria-label={`Page ${page}`}
      className="relative overflow-hidden rounded bg-white shadow-[0_1px_4px_rgb(0_0_0/25%)]"
      style={{ aspectRatio: String(1 / ratio) }}
    >
      {url !== undefined && <img src={url} alt="" className="absolute inset-0 size-full" />}
      {url === undefined && error === null && <div className="skeleton absolute inset-0" />}
      {error !== null && <ErrorBox error={error} onRetry={retry} className="m-4" />}
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" className="absolute inset-0 size-full" aria-hidden="true">
        {overlays.map(({ id, kind, type, bbox: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }, index) => (
          <rect
            key={`${kind} ${id} ${index}`}
            data-kind={kind}
            data-type={type}
            x={x0}
            y={y0}
            width={Math.max(0, x1 - x0)}
            height={Math.max(0, y1 - y0)}
            vectorEffect="non-scaling-stroke"
            strokeWidth={1.5}
            className={`${isOutlined && kind === 'block' ? blockStyle(type) : STYLES[kind]} ${kind === 'mark' || kind === 'chunk' ? 'pointer-events-none' : 'cursor-pointer'} ${hovered === id && kind === 'block' ? 'fill-accent/10 stroke-accent' : ''}`}
            onClick={() => onChoose?.(id)}
            onMouseEnter={() => onHover?.(id)}
            onMouseLeave={() => onHover?.(undefined)}
          />
        ))}
      </svg>
    </figure>
  );
}

function usePicture({ document, page, width = 1_100 }: PagePictureProps): {
  url: string | undefined;
  error: unknown;
  retry: () => void;
} {
  const { id: ws, quire } = useWorkspace();
  const { collectionId, documentId, revision } = document;
  const { data, error, refetch } = useQuery({
    queryKey: [ws, 'picture', documentId, revision, page, width],
    queryFn: ({ signal }) => quire.collection(collectionId).documents.page(documentId, page, { width, signal }),
    staleTime: Infinity,
    gcTime: 60_000,
  });
  const url = useObjectUrl(data);
  return { url, error, retry: () => void refetch() };
}
