/** Maps PDF page space (y upwards, any origin, unrotated) to the reading frame (points, y downwards, upright text). */
import type { Box } from '../../../layout/geometry.ts';
import type { QuarterTurns } from '../../../layout/page/display-box.ts';

/** Visible area of the page in page space. */
export interface PageBounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export class PageFrame {
  readonly width: number;
  readonly height: number;
  /** Clockwise quarter turns from page space to the reading frame. */
  readonly turns: QuarterTurns;
  /** Coefficients of x' = a·x + c·y + e and y' = b·x + d·y + f. */
  private readonly a: number;
  private readonly b: number;
  private readonly c: number;
  private readonly d: number;
  private readonly e: number;
  private readonly f: number;

  constructor(bounds: PageBounds, turns: QuarterTurns) {
    const { left, top, right, bottom } = bounds;
    this.turns = turns;
    this.width = turns % 2 === 0 ? right - left : top - bottom;
    this.height = turns % 2 === 0 ? top - bottom : right - left;
    const matrices = [
      [1, 0, 0, -1, -left, top],
      [0, 1, 1, 0, -bottom, -left],
      [-1, 0, 0, 1, right, -bottom],
      [0, -1, -1, 0, top, right],
    ];
    [this.a = 1, this.b = 0, this.c = 0, this.d = -1, this.e = 0, this.f = 0] = matrices[turns] ?? [];
  }

  x(x: number, y: number): number {
    return this.a * x + this.c * y + this.e;
  }

  y(x: number, y: number): number {
    return this.b * x + this.d * y + this.f;
  }

  /** Returns the box spanned by two opposite corners given in page space. */
  box(xA: number, yA: number, xB: number, yB: number): Box {
    const box: Box = { x0: 0, y0: 0, x1: 0, y1: 0 };
    this.place(box, xA, yA, xB, yB);
    return box;
  }

  /** Sets `target` to the box spanned by two opposite corners given in page space. */
  place(target: Box, xA: number, yA: number, xB: number, yB: number): void {
    const left = this.x(xA, yA);
    const right = this.x(xB, yB);
    const top = this.y(xA, yA);
    const bottom = this.y(xB, yB);
    target.x0 = left < right ? left : right;
    target.y0 = top < bottom ? top : bottom;
    target.x1 = left < right ? right : left;
    target.y1 = top < bottom ? bottom : top;
  }
}
