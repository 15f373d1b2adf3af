/**
 * The redacted areas of a page. Answers whether glyphs, drawings and images are redacted; all coordinates are in page
 * space.
 */
import type { PageBox } from '../../page-geometry.ts';
import { invert, type Matrix } from '@quire/parse/formats/pdf/matrix';
import { isWithin, mapBox, overlaps } from './page-boxes.ts';
import type { TargetGlyph } from './page-targets.ts';

export interface PlacedGlyph {
  origin: readonly [x: number, y: number];
  box: PageBox;
  upright: boolean;
}

/**
 * Maximum distance between two origins of the same glyph or its shadow, in points and as a share of the glyph's height.
 */
const NEAR = 0.6;
const NEAR_SHARE = 0.08;
/** Share of a glyph that a box must cover in both directions to redact it. */
const COVERED = 0.12;
const CELL = 16;

export class RedactionMask {
  /** Boxes of the request: all content inside is removed. */
  readonly areas: readonly PageBox[];
  /** All boxes that are painted black: also those of matched texts, whose pixels are removed too. */
  readonly boxes: readonly PageBox[];
  readonly #targets = new Map<string, TargetGlyph[]>();

  constructor(areas: readonly PageBox[], textBoxes: readonly PageBox[], glyphs: readonly TargetGlyph[]) {
    this.areas = areas;
    this.boxes = [...areas, ...textBoxes];
    for (const glyph of glyphs) {
      for (const cell of cellsOf(glyph.box)) {
        const list = this.#targets.get(cell);
        if (list === undefined) this.#targets.set(cell, [glyph]);
        else list.push(glyph);
      }
    }
  }

  covers({ origin, box, upright }: PlacedGlyph): boolean {
    if (this.areas.some((area) => coversGlyph(area, box))) return true;
    const [left, bottom, right, top] = box;
    const [x, y] = [(left + right) / 2, (bottom + top) / 2];
    const near = NEAR + NEAR_SHARE * Math.max(top - bottom, right - left);
    const candidates = new Set([...cellsOf([x, y, x, y]), ...cellsOf([origin[0], origin[1], origin[0], origin[1]])]);
    for (const cell of candidates) {
      for (const target of this.#targets.get(cell) ?? []) {
        if (Math.abs(target.x - origin[0]) <= near && Math.abs(target.y - origin[1]) <= near) return true;
        if (upright && target.upright && isInside(target.box, x, y)) return true;
      }
    }
    return false;
  }

  touches(box: PageBox): boolean {
    return this.boxes.some((each) => overlaps(each, box));
  }

  /** Returns whether a drawing is completely inside a box of the request. */
  contains(box: PageBox): boolean {
    return this.areas.some((area) => isWithin(box, area));
  }

  /** Returns the redacted regions of an image, in its unit square (y upwards). */
  regionsOf(matrix: Matrix): PageBox[] {
    const inverse = invert(matrix);
    const placed = mapBox(matrix, [0, 0, 1, 1]);
    if (inverse === undefined) return [];
    return this.boxes
      .filter((box) => overlaps(box, placed))
      .map((box) => mapBox(inverse, box))
      .filter((region) => overlaps(region, [0, 0, 1, 1]));
  }
}

function coversGlyph(area: PageBox, box: PageBox): boolean {
  const across = Math.min(area[2], box[2]) - Math.max(area[0], box[0]);
  const up = Math.min(area[3], box[3]) - Math.max(area[1], box[1]);
  return across >= COVERED * (box[2] - box[0]) && up >= COVERED * (box[3] - box[1]) && across >= 0 && up > 0;
}

const isInside = (box: PageBox, x: number, y: number): boolean =>
  x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3];

function* cellsOf([left, bottom, right, top]: PageBox): Generator<string> {
  for (let x = Math.floor((left - 2) / CELL); x <= Math.floor((right + 2) / CELL); x += 1) {
    for (let y = Math.floor((bottom - 2) / CELL); y <= Math.floor((top + 2) / CELL); y += 1) yield `${x} ${y}`;
  }
}
