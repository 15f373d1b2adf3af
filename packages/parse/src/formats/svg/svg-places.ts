/** Computes the positions of the texts in a drawing from their attributes, and their reading order. */

/** `[a, b, c, d, e, f]` of SVG's `matrix`: x' = ax + cy + e, y' = bx + dy + f. */
type Matrix = readonly [number, number, number, number, number, number];

export interface TextPlace {
  left: number;
  baseline: number;
  /** Font size in the drawing's units. */
  size: number;
}

type Attributes = Readonly<Record<string, string>>;

interface Level {
  matrix: Matrix;
  size: number;
  anchor: string;
}

const UNMOVED: Matrix = [1, 0, 0, 1, 0, 0];
/** Default font size of browsers. */
const DEFAULT_SIZE = 16;
/** Average letter width as a share of the font size. */
const LETTER_WIDTH = 0.5;
/** Maximum distance of baselines in one row, as a share of the font size. */
const SAME_ROW = 0.5;

/** Tracks the open elements of a drawing and their inherited values. */
export class SvgPlaces {
  readonly #levels: Level[] = [];

  open(attributes: Attributes): void {
    const around = this.#levels.at(-1) ?? { matrix: UNMOVED, size: DEFAULT_SIZE, anchor: 'start' };
    const style = attributes['style'] ?? '';
    this.#levels.push({
      matrix: product(around.matrix, transformOf(attributes['transform'] ?? '')),
      size: lengthIn(attributes['font-size'] ?? styled(style, 'font-size'), around.size) ?? around.size,
      anchor: attributes['text-anchor'] ?? styled(style, 'text-anchor') ?? around.anchor,
    });
  }

  close(): void {
    this.#levels.pop();
  }

  /** Returns the position of a text with this number of characters in the innermost element; undefined if unknown. */
  place(attributes: Attributes, characters: number): TextPlace | undefined {
    const level = this.#levels.at(-1);
    if (!level) return undefined;
    const moved = level.matrix[4] !== 0 || level.matrix[5] !== 0;
    if (!moved && attributes['x'] === undefined && attributes['y'] === undefined) return undefined;
    const x = sum(attributes, 'x', 'dx', level.size);
    const y = sum(attributes, 'y', 'dy', level.size);
    if (x === undefined || y === undefined) return undefined;
    const [a, b, c, d, e, f] = level.matrix;
    const size = level.size * Math.hypot(a, b);
    const before = level.anchor === 'middle' ? 0.5 : level.anchor === 'end' ? 1 : 0;
    const left = a * x + c * y + e - before * characters * LETTER_WIDTH * size;
    return { left, baseline: b * x + d * y + f, size };
  }
}

/**
 * Orders texts in rows from top to bottom, each from left to right. Texts without a position stay with the next one.
 */
export function inRows<T extends { place: TextPlace | undefined }>(texts: readonly T[]): T[] {
  const groups: { place: TextPlace; texts: T[] }[] = [];
  let waiting: T[] = [];
  for (const text of texts) {
    waiting.push(text);
    if (!text.place) continue;
    groups.push({ place: text.place, texts: waiting });
    waiting = [];
  }
  const rows: { baseline: number; size: number; groups: typeof groups }[] = [];
  for (const group of groups.toSorted((one, other) => one.place.baseline - other.place.baseline)) {
    const row = rows.at(-1);
    const { baseline, size } = group.place;
    if (row && baseline - row.baseline <= SAME_ROW * Math.min(size, row.size)) row.groups.push(group);
    else rows.push({ baseline, size, groups: [group] });
  }
  const ordered = rows.flatMap((row) => row.groups.toSorted((one, other) => one.place.left - other.place.left));
  return [...ordered.flatMap((group) => group.texts), ...waiting];
}

const product = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + c * h,
  b * g + d * h,
  a * i + c * j,
  b * i + d * j,
  a * k + c * l + e,
  b * k + d * l + f,
];

function transformOf(list: string): Matrix {
  let matrix = UNMOVED;
  for (const [, name = '', values = ''] of list.matchAll(/([a-z]+)\s*\(([^()]*)\)/gi)) {
    const numbers = values
      .split(/[\s,]+/)
      .filter((each) => each !== '')
      .map(Number);
    if (numbers.every(Number.isFinite)) matrix = product(matrix, oneTransform(name, numbers));
  }
  return matrix;
}

function oneTransform(name: string, numbers: readonly number[]): Matrix {
  const [first = 0, second, third = 0, d = 0, e = 0, f = 0] = numbers;
  if (name === 'matrix' && numbers.length === 6) return [first, second ?? 0, third, d, e, f];
  if (name === 'translate') return [1, 0, 0, 1, first, second ?? 0];
  if (name === 'scale') return [first, 0, 0, second ?? first, 0, 0];
  if (name !== 'rotate') return UNMOVED;
  const [cosine, sine] = [Math.cos((first * Math.PI) / 180), Math.sin((first * Math.PI) / 180)];
  const [x, y] = [second ?? 0, third];
  return [cosine, sine, -sine, cosine, x - x * cosine + y * sine, y - x * sine - y * cosine];
}

/** Returns the first of a list of positions plus its shift; undefined if either is not a plain length. */
function sum(attributes: Attributes, at: string, by: string, size: number): number | undefined {
  const position = attributes[at] === undefined ? 0 : lengthIn(attributes[at], size);
  const shift = attributes[by] === undefined ? 0 : lengthIn(attributes[by], size);
  return position === undefined || shift === undefined ? undefined : position + shift;
}

function lengthIn(value: string | undefined, size: number): number | undefined {
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(px|em|pt)?(?=[\s,]|$)/i.exec(value ?? '');
  if (!match) return undefined;
  const unit = match[2]?.toLowerCase();
  return Number(match[1]) * (unit === 'em' ? size : unit === 'pt' ? 4 / 3 : 1);
}

const styled = (style: string, name: string): string | undefined =>
  new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, 'i').exec(style)?.[1]?.trim();
