/** Reads the lines, filled areas, pictures and curves that a page draws, in its reading frame. */
import type { Box } from '../../../layout/geometry.ts';
import type { FilledArea, PagePicture, Rule } from '../../../layout/page/page-content.ts';
import { IDENTITY, multiply, type Matrix } from '../matrix.ts';
import type { PageFrame } from './page-frame.ts';
import type { Pdfium } from '../pdfium.ts';

export interface PageObjects {
  rules: Rule[];
  fills: FilledArea[];
  images: PagePicture[];
  strokes: Box[];
}

const OBJECT_PATH = 2;
const OBJECT_IMAGE = 3;
const OBJECT_SHADING = 4;
const OBJECT_FORM = 5;
const SEGMENT_LINE = 0;
const SEGMENT_BEZIER = 1;
const SEGMENT_MOVE = 2;

/** Maximum thickness, in points, of a filled rectangle that counts as a rule. */
const MAX_RULE_THICKNESS = 3.2;
/** Maximum deviation, in points, of a line that counts as horizontal or vertical. */
const MAX_OFFSET = 0.7;
/**
 * Minimum rule length, in points. Shorter pieces are parts of letters; the dashes of dashed lines have about 1 point.
 */
const MIN_RULE_LENGTH = 0.6;
/**
 * Maximum number of segments of a path that is read in full; of longer ones (maps have 100,000) only the box is kept.
 */
const MAX_SEGMENTS = 2000;
/** Limits on the objects read from one page and on the nesting of form XObjects. */
const MAX_OBJECTS = 40_000;
const MAX_DEPTH = 6;
const WHITE = 250;

/** Reads the objects of a page. `alternatives` holds alternative texts of pictures by marked content id. */
export function readPageObjects(
  pdfium: Pdfium,
  page: number,
  frame: PageFrame,
  alternatives?: ReadonlyMap<number, string>,
): PageObjects {
  return new ObjectReader(pdfium, frame, alternatives).readPage(page);
}

class ObjectReader {
  private readonly pdfium: Pdfium;
  private readonly frame: PageFrame;
  private readonly found: PageObjects = { rules: [], fills: [], images: [], strokes: [] };
  private readonly alternatives: ReadonlyMap<number, string> | undefined;
  private budget = MAX_OBJECTS;

  constructor(pdfium: Pdfium, frame: PageFrame, alternatives?: ReadonlyMap<number, string>) {
    this.alternatives = alternatives;
    this.pdfium = pdfium;
    this.frame = frame;
  }

  readPage(page: number): PageObjects {
    const { api, raw } = this.pdfium;
    const count = api.FPDFPage_CountObjects(page);
    for (let i = 0; i < count && this.budget > 0; i++) this.read(raw.FPDFPage_GetObject(page, i), IDENTITY, 0);
    return this.found;
  }

  private read(object: number, parent: Matrix, depth: number): void {
    this.budget--;
    const { raw } = this.pdfium;
    const type = raw.FPDFPageObj_GetType(object);
    if (type === OBJECT_PATH) this.readPath(object, parent);
    else if (type === OBJECT_IMAGE) this.readPicture(object, parent);
    else if (type === OBJECT_SHADING) this.add(this.found.strokes, this.boundsOf(object, parent));
    else if (type === OBJECT_FORM && depth < MAX_DEPTH) {
      const matrix = multiply(this.matrixOf(object), parent);
      const count = raw.FPDFFormObj_CountObjects(object);
      for (let i = 0; i < count && this.budget > 0; i++)
        this.read(raw.FPDFFormObj_GetObject(object, i), matrix, depth + 1);
    }
  }

  private readPicture(object: number, parent: Matrix): void {
    const before = this.found.images.length;
    this.add(this.found.images, this.boundsOf(object, parent));
    const picture = this.found.images[before];
    if (picture === undefined || this.alternatives === undefined) return;
    const alternative = this.alternatives.get(this.pdfium.raw.FPDFPageObj_GetMarkedContentID(object));
    if (alternative !== undefined) picture.alternative = alternative;
  }

  private add(list: Box[], box: Box): void {
    const { width, height } = this.frame;
    if (box.x1 < 0 || box.y1 < 0 || box.x0 > width || box.y0 > height) return;
    list.push({
      x0: Math.max(0, box.x0),
      y0: Math.max(0, box.y0),
      x1: Math.min(width, box.x1),
      y1: Math.min(height, box.y1),
    });
  }

  private matrixOf(object: number): Matrix {
    const { pdfium } = this;
    if (!pdfium.raw.FPDFPageObj_GetMatrix(object, pdfium.scratch)) return IDENTITY;
    return [pdfium.float(0), pdfium.float(1), pdfium.float(2), pdfium.float(3), pdfium.float(4), pdfium.float(5)];
  }

  private boundsOf(object: number, parent: Matrix): Box {
    const { pdfium } = this;
    const p = pdfium.scratch;
    if (!pdfium.raw.FPDFPageObj_GetBounds(object, p, p + 4, p + 8, p + 12)) return { x0: -1, y0: -1, x1: -1, y1: -1 };
    return this.placed(parent, pdfium.float(0), pdfium.float(1), pdfium.float(2), pdfium.float(3));
  }

  private placed(matrix: Matrix, xA: number, yA: number, xB: number, yB: number): Box {
    const [a, b, c, d, e, f] = matrix;
    return this.frame.box(a * xA + c * yA + e, b * xA + d * yA + f, a * xB + c * yB + e, b * xB + d * yB + f);
  }

  private readPath(object: number, parent: Matrix): void {
    const { raw, scratch } = this.pdfium;
    if (!raw.FPDFPath_GetDrawMode(object, scratch, scratch + 4)) return;
    const filled = this.pdfium.integer(0) !== 0;
    const stroked = this.pdfium.integer(1) !== 0;
    if (!filled && !stroked) return;
    const count = raw.FPDFPath_CountSegments(object);
    if (count < 2) return;
    if (count > MAX_SEGMENTS) return this.add(this.found.strokes, this.boundsOf(object, parent));
    const matrix = multiply(this.matrixOf(object), parent);
    const colour = this.colourOf(object, stroked && !filled);
    let curved = false;
    for (const shape of this.shapesOf(object, matrix, count)) {
      curved ||= shape.curved;
      if (!shape.curved) this.addShape(shape, filled, stroked, colour);
    }
    if (curved) this.add(this.found.strokes, this.boundsOf(object, parent));
  }

  /** Splits a path at its move operators into shapes whose points are in the reading frame. */
  private shapesOf(object: number, matrix: Matrix, count: number): Shape[] {
    const { pdfium } = this;
    const { raw, scratch } = pdfium;
    const [a, b, c, d, e, f] = matrix;
    const shapes: Shape[] = [];
    let shape: Shape = { points: [], curved: false };
    for (let i = 0; i < count; i++) {
      const segment = raw.FPDFPath_GetPathSegment(object, i);
      const type = raw.FPDFPathSegment_GetType(segment);
      raw.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
      const x = a * pdfium.float(0) + c * pdfium.float(1) + e;
      const y = b * pdfium.float(0) + d * pdfium.float(1) + f;
      if (type === SEGMENT_MOVE) shapes.push((shape = { points: [], curved: false }));
      if (type === SEGMENT_BEZIER) shape.curved = true;
      if (type === SEGMENT_MOVE || type === SEGMENT_LINE) shape.points.push([this.frame.x(x, y), this.frame.y(x, y)]);
      const first = shape.points[0];
      if (first !== undefined && raw.FPDFPathSegment_GetClose(segment)) shape.points.push(first);
    }
    return shapes;
  }

  private addShape(shape: Shape, filled: boolean, stroked: boolean, colour: number | null): void {
    const box = boxOf(shape.points);
    if (filled && shape.points.length >= 4) this.addFill(box, colour);
    if (!stroked || colour === null) return;
    for (let i = 1; i < shape.points.length; i++) {
      const [xA, yA] = shape.points[i - 1] ?? [0, 0];
      const [xB, yB] = shape.points[i] ?? [0, 0];
      if (Math.abs(yA - yB) <= MAX_OFFSET) this.addRule(true, (yA + yB) / 2, xA, xB);
      else if (Math.abs(xA - xB) <= MAX_OFFSET) this.addRule(false, (xA + xB) / 2, yA, yB);
      else
        this.add(
          this.found.strokes,
          boxOf([
            [xA, yA],
            [xB, yB],
          ]),
        );
    }
  }

  private addFill(box: Box, colour: number | null): void {
    const across = box.x1 - box.x0;
    const down = box.y1 - box.y0;
    if (colour === null) return;
    if (down <= MAX_RULE_THICKNESS && across > down) this.addRule(true, (box.y0 + box.y1) / 2, box.x0, box.x1);
    else if (across <= MAX_RULE_THICKNESS && down > across) this.addRule(false, (box.x0 + box.x1) / 2, box.y0, box.y1);
    else if (across > MAX_RULE_THICKNESS && down > MAX_RULE_THICKNESS) this.found.fills.push({ ...box, colour });
  }

  private addRule(horizontal: boolean, at: number, a: number, b: number): void {
    const length = Math.abs(a - b);
    if (length < MIN_RULE_LENGTH || at < -1 || at > (horizontal ? this.frame.height : this.frame.width) + 1) return;
    this.found.rules.push({ horizontal, at, from: Math.min(a, b), to: Math.max(a, b) });
  }

  /** Returns the colour as 0xRRGGBB; null if it is invisible on white paper. */
  private colourOf(object: number, stroke: boolean): number | null {
    const { pdfium } = this;
    const { raw, scratch: p } = pdfium;
    const read = stroke ? raw.FPDFPageObj_GetStrokeColor : raw.FPDFPageObj_GetFillColor;
    if (!read(object, p, p + 4, p + 8, p + 12)) return 0;
    const [red, green, blue, alpha] = [pdfium.unsigned(0), pdfium.unsigned(1), pdfium.unsigned(2), pdfium.unsigned(3)];
    if (alpha === 0 || (red >= WHITE && green >= WHITE && blue >= WHITE)) return null;
    return (red << 16) | (green << 8) | blue;
  }
}

interface Shape {
  points: (readonly [number, number])[];
  curved: boolean;
}

function boxOf(points: readonly (readonly [number, number])[]): Box {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}
