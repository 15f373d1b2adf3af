/** The pages of a document below each other; only those near the visible part are drawn. */
import type { DocumentDetail, PageBox, PageSize } from '@quire/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { IconButton } from '../../components/controls/button.tsx';
import { PagePicture, type Overlay } from '../../components/content/page-picture.tsx';
import { useKeys } from '../../shell/keys.ts';
import type { Selection } from './document-screen.tsx';
import { GAP_PX, layOutPages, movedOffset, pageIndexAt, ratioOf, type PageLayout } from './page-layout.ts';

const api = getRouteApi('/w/$ws/collections/$col/documents/$doc');
const MAX_WIDTH_PX = 900;
/** Height that stays visible above a marked place. */
const ABOVE_PX = 80;

interface PagesProps {
  document: DocumentDetail;
  pages: readonly PageSize[];
  boxes: readonly { id: string; type: string; box: PageBox }[];
  selection: Selection;
  marks: readonly PageBox[];
}

export function Pages({ document, pages, boxes, selection, marks }: PagesProps): React.ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const { page } = api.useSearch();
  const { chunk } = selection;
  const layout = useMemo(() => layOutPages(pages, width), [pages, width]);
  const virtual = useVirtualizer({
    count: pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (layout.heights[index] ?? 0) + GAP_PX,
    overscan: 1,
    paddingStart: GAP_PX,
  });
  useLayoutEffect(() => virtual.measure(), [layout, virtual]);
  useKeptPlace(scroller, layout);
  const current = pages[pageIndexAt(layout, (virtual.scrollOffset ?? 0) + ABOVE_PX + 1)]?.page ?? 1;
  const places = marks.length > 0 ? marks : (chunk?.boxes ?? []);
  const target = places.find((each) => page === undefined || each.page === page) ?? places[0];
  const [step, setStep] = useState(0);
  const [isOutlined, setOutlined] = useState(false);

  const show = (at: number, y = 0): void => {
    const index = pages.findIndex((each) => each.page === at);
    const start = layout.starts[index];
    if (start === undefined) return;
    const offset = start + y * (layout.heights[index] ?? 0);
    scroller.current?.scrollTo({ top: Math.max(0, y > 0 ? offset - ABOVE_PX : start - GAP_PX) });
  };
  const wanted = width === 0 ? '' : `${page ?? ''} ${target?.page ?? ''} ${target?.bbox.join() ?? ''}`;
  useEffect(() => {
    if (target !== undefined) show(target.page, target.bbox[1]);
    else if (page !== undefined) show(page);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- scrolls when the place changes, not on each render
  }, [wanted]);

  const go = (by: number): void => show(Math.min(pages.length, Math.max(1, current + by)));
  const stepThrough = (by: number): void => {
    const next = (step + by + places.length) % Math.max(1, places.length);
    const place = places[next];
    if (place === undefined) return;
    setStep(next);
    show(place.page, place.bbox[1]);
  };
  useKeys('Pages', [
    { key: 'n', label: 'Next page', run: () => go(1) },
    { key: 'p', label: 'Previous page', run: () => go(-1) },
    { key: ']', label: 'Next marked place', run: () => stepThrough(1) },
    { key: '[', label: 'Previous marked place', run: () => stepThrough(-1) },
    { key: 'b', label: 'Show or hide the frames of all blocks', run: () => setOutlined(!isOutlined) },
  ]);
  const overlays = overlaysOf(boxes, selection, marks);
  return (
    <div className="relative h-full">
      <div ref={scroller} className="h-full overflow-auto px-4" tabIndex={0} role="region" aria-label="Pages">
        <div className="relative mx-auto" style={{ height: layout.total, maxWidth: MAX_WIDTH_PX }}>
          {virtual.getVirtualItems().map(({ index }) => {
            const each = pages[index];
            if (each === undefined) return null;
            return (
              <div
                key={each.page}
                className="absolute inset-x-0"
                style={{ top: layout.starts[index], height: layout.heights[index] }}
              >
                <PagePicture
                  document={{
                    collectionId: document.collectionId,
                    documentId: document.id,
                    revision: document.searchableRevision ?? document.revision,
                  }}
                  page={each.page}
                  ratio={ratioOf(each)}
                  overlays={overlays.get(each.page) ?? []}
                  isOutlined={isOutlined}
                  hovered={selection.hovered}
                  onHover={selection.hover}
                  onChoose={(block) => selection.choose({ block })}
                />
              </div>
            );
          })}
        </div>
      </div>
      <p className="popup absolute bottom-3 left-1/2 flex -translate-x-1/2 items-center px-1 text-sm">
        <IconButton icon="up" label="Previous page (P)" onClick={() => go(-1)} />
        <span className="whitespace-nowrap">
          Page {current} of {pages.length}
        </span>
        <IconButton icon="down" label="Next page (N)" onClick={() => go(1)} />
        <IconButton
          icon="blocks"
          label="Frames of all blocks (B)"
          aria-pressed={isOutlined}
          className="aria-pressed:bg-hover"
          onClick={() => setOutlined(!isOutlined)}
        />
      </p>
    </div>
  );
}

function overlaysOf(
  boxes: PagesProps['boxes'],
  { block, chunk }: Selection,
  marks: readonly PageBox[],
): Map<number, Overlay[]> {
  const byPage = new Map<number, Overlay[]>();
  const add = ({ page, bbox }: PageBox, id: string, kind: Overlay['kind'], type?: string): void => {
    const list = byPage.get(page) ?? [];
    list.push({ id, bbox, kind, ...(type !== undefined && { type }) });
    byPage.set(page, list);
  };
  // Marked lines say more than the chunk around them.
  if (marks.length === 0) for (const box of chunk?.boxes ?? []) add(box, 'chunk', 'chunk');
  for (const { id, type, box } of boxes) add(box, id, id === block ? 'chosen' : 'block', type);
  for (const box of marks) add(box, 'mark', 'mark');
  return byPage;
}

/** Keeps the place that is shown when the pages become wider or narrower. */
function useKeptPlace(scroller: React.RefObject<HTMLElement | null>, layout: PageLayout): void {
  const shown = useRef<PageLayout>(undefined);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = layout;
    const element = scroller.current;
    if (element === null || before === undefined || before.heights[0] === 0) return;
    element.scrollTop = movedOffset(before, layout, element.scrollTop + GAP_PX) - GAP_PX;
  }, [scroller, layout]);
}

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observed = element.current;
    if (observed === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.min(MAX_WIDTH_PX, observed.clientWidth - 32)));
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
