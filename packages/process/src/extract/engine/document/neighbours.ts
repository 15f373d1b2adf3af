/**
 * Finds the segments to the left, right, above and below a segment, by table cells, otherwise by bounding boxes,
 * otherwise by order.
 */
import type { SegmentedDocument, Segment } from './segments.ts';

/** Maximum gaps in page heights and widths. */
const MAX_GAP_BELOW = 0.035;
const MAX_GAP_RIGHT = 0.5;
/**
 * Maximum number of rows considered above and below, since a sheet may have a million rows. Headers are always
 * included.
 */
const MAX_ROW_DISTANCE = 30;

export class Neighbours {
  readonly #pages = new Map<number, Segment[]>();
  readonly #segments: readonly Segment[];

  constructor(document: SegmentedDocument) {
    this.#segments = document.segments;
    for (const segment of document.segments) {
      if (segment.page === null || segment.bbox === null || segment.cell !== null) continue;
      const page = this.#pages.get(segment.page);
      if (page === undefined) this.#pages.set(segment.page, [segment]);
      else page.push(segment);
    }
  }

  /** Returns the segments to the left, nearest first. */
  leftOf(segment: Segment): Segment[] {
    if (segment.cell !== null) {
      const { grid, row, column } = segment.cell;
      return present((grid.rows[row] ?? []).slice(0, column)).toReversed();
    }
    return this.#onPage(segment)
      .filter(
        (other) =>
          sameLine(segment, other) &&
          right(other) <= left(segment) + 0.01 &&
          left(segment) - right(other) < MAX_GAP_RIGHT,
      )
      .toSorted((a, b) => right(b) - right(a));
  }

  rightOf(segment: Segment): Segment[] {
    if (segment.cell !== null) {
      const { grid, row, column } = segment.cell;
      return present((grid.rows[row] ?? []).slice(column + 1));
    }
    return this.#onPage(segment)
      .filter(
        (other) =>
          sameLine(segment, other) &&
          left(other) >= right(segment) - 0.01 &&
          left(other) - right(segment) < MAX_GAP_RIGHT,
      )
      .toSorted((a, b) => left(a) - left(b));
  }

  /**
   * Returns up to `count` lines that follow: cells below a cell, and the next segments up to a heading, a table or
   * another page.
   */
  linesAfter(segment: Segment, count: number): Segment[] {
    const cells = segment.cell === null ? [] : this.below(segment).slice(0, count);
    const index = segment.cell?.grid.rows.at(-1)?.findLast((cell) => cell !== undefined)?.index ?? segment.index;
    const { page } = segment;
    const next = [...cells, ...this.#textsAfter(index, page, count)];
    return next.slice(0, count);
  }

  #textsAfter(index: number, page: number | null, count: number): Segment[] {
    const next = this.#segments.slice(index + 1, index + 1 + count);
    const end = next.findIndex((other) => other.cell !== null || other.kind === 'heading' || other.page !== page);
    return end < 0 ? next : next.slice(0, end);
  }

  above(segment: Segment): Segment[] {
    if (segment.cell !== null) {
      const { grid, row, column } = segment.cell;
      const near = Math.max(0, row - MAX_ROW_DISTANCE);
      const headers = grid.rows.slice(0, Math.min(grid.headerRows, near));
      return present([...headers, ...grid.rows.slice(near, row)].map((cells) => cells[column])).toReversed();
    }
    return this.#onPage(segment)
      .filter((other) => sameColumn(segment, other) && near(top(segment) - bottom(other)))
      .toSorted((a, b) => bottom(b) - bottom(a));
  }

  below(segment: Segment): Segment[] {
    if (segment.cell !== null) {
      const { grid, row, column } = segment.cell;
      return present(grid.rows.slice(row + 1, row + 1 + MAX_ROW_DISTANCE).map((cells) => cells[column]));
    }
    if (segment.bbox === null) return this.after(segment);
    return this.#onPage(segment)
      .filter((other) => sameColumn(segment, other) && near(top(other) - bottom(segment)))
      .toSorted((a, b) => top(a) - top(b));
  }

  /** Returns the next segment in document order, for segments without a position on a page. */
  after(segment: Segment): Segment[] {
    const next = this.#segments[segment.index + 1];
    return next === undefined || next.kind === 'heading' || next.cell !== null ? [] : [next];
  }

  before(segment: Segment): Segment[] {
    const previous = this.#segments[segment.index - 1];
    return previous === undefined || previous.cell !== null ? [] : [previous];
  }

  /** Returns the headings directly before the cell's table, nearest first. */
  beforeGrid(segment: Segment): Segment[] {
    const first = segment.cell?.grid.rows.flat().find((cell) => cell !== undefined);
    const previous = first === undefined ? [] : this.#segments.slice(Math.max(0, first.index - 4), first.index);
    return previous.filter((one) => one.kind === 'heading').toReversed();
  }

  #onPage(segment: Segment): Segment[] {
    if (segment.page === null || segment.bbox === null) return [];
    return (this.#pages.get(segment.page) ?? []).filter((other) => other !== segment);
  }
}

const present = (segments: readonly (Segment | undefined)[]): Segment[] => segments.filter((one) => one !== undefined);
const left = ({ bbox }: Segment): number => bbox?.[0] ?? 0;
const top = ({ bbox }: Segment): number => bbox?.[1] ?? 0;
const right = ({ bbox }: Segment): number => bbox?.[2] ?? 0;
const bottom = ({ bbox }: Segment): number => bbox?.[3] ?? 0;
const near = (gap: number): boolean => gap > -0.008 && gap < MAX_GAP_BELOW;

/** Returns whether the segments share more than half of the smaller height. */
function sameLine(a: Segment, b: Segment): boolean {
  const common = Math.min(bottom(a), bottom(b)) - Math.max(top(a), top(b));
  return common > 0.5 * Math.min(bottom(a) - top(a), bottom(b) - top(b));
}

function sameColumn(a: Segment, b: Segment): boolean {
  const common = Math.min(right(a), right(b)) - Math.max(left(a), left(b));
  return common > 0.3 * Math.min(right(a) - left(a), right(b) - left(b));
}
