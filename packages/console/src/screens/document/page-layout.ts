/** Positions of the pages of a document below each other, in pixels from the upper edge of the first gap. */
import type { PageSize } from '@quire/client';

export const GAP_PX = 16;
const UNKNOWN_RATIO = 1.4;

export interface PageLayout {
  /** Upper edges of the pages. */
  starts: readonly number[];
  heights: readonly number[];
  total: number;
}

/** Height of a page by its width. */
export const ratioOf = (page: PageSize | undefined): number =>
  page === undefined ? UNKNOWN_RATIO : page.height / page.width;

export function layOutPages(pages: readonly PageSize[], width: number): PageLayout {
  const starts: number[] = [];
  let total = GAP_PX;
  const heights = pages.map((page) => {
    const height = width * ratioOf(page);
    starts.push(total);
    total += height + GAP_PX;
    return height;
  });
  return { starts, heights, total };
}

/** Returns the index of the page at an offset, or of the page above if a gap is there. */
export function pageIndexAt({ starts }: PageLayout, offset: number): number {
  const after = starts.findIndex((start) => start > offset);
  return Math.max(0, (after < 0 ? starts.length : after) - 1);
}

/** Returns the offset in `to` of the place that is at `offset` in `from`. */
export function movedOffset(from: PageLayout, to: PageLayout, offset: number): number {
  const index = pageIndexAt(from, offset);
  const [before = 0, after = 0] = [from.starts[index], to.starts[index]];
  const beyond = offset - before;
  const height = from.heights[index] ?? 0;
  // Gaps keep their height.
  const scale = height === 0 || beyond <= 0 ? 1 : (to.heights[index] ?? 0) / height;
  return after + (beyond > height ? beyond - height + height * scale : beyond * scale);
}
