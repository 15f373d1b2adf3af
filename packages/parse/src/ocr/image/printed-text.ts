/** Finds the letter height and the printed area of a picture, which determine cropping and enlargement. */
import type { GreyPicture } from './grey-picture.ts';
import { estimateBackground } from './grey-picture.ts';
import { connectedComponents, type Component } from './connected-components.ts';

export interface PrintedArea {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PrintedText {
  /** Median letter height in pixels. */
  letterHeight: number;
  /** Area around all letters and the components touching it, with a margin. */
  area: PrintedArea;
}

/** Minimum number of letters. */
const MIN_LETTERS = 12;
const MIN_LETTER_HEIGHT = 3;
/** Components lower than this share of the common height are dots and specks. */
const SPECK = 0.5;
/** Neighbourhood, in letter heights, in which a letter has at least `NEIGHBOURS` components including itself. */
const NEIGHBOURHOOD = 4;
const NEIGHBOURS = 3;
/** Margin around the print, in letter heights; engines need some. */
const MARGIN = 3;

/** Returns the printed text; undefined if there are not enough letter components. */
export function findPrintedText(picture: GreyPicture): PrintedText | undefined {
  const components = connectedComponents(picture, estimateBackground(picture));
  const { letters, letterHeight } = letterComponents(components);
  if (letters.length < MIN_LETTERS) return undefined;
  return { letterHeight, area: areaOf(letters, components, letterHeight, picture) };
}

/** Returns the components that may be letters and their median height; 0 without any. */
export function letterComponents(components: readonly Component[]): { letters: Component[]; letterHeight: number } {
  const shaped = components.filter(isLetterShaped);
  const height = ({ y0, y1 }: Component): number => y1 - y0;
  const upper = quantile(shaped.map(height), 0.75);
  const letters = withNeighbours(
    shaped.filter((component) => height(component) >= SPECK * upper),
    upper,
  );
  return { letters, letterHeight: quantile(letters.map(height), 0.5) };
}

function isLetterShaped({ x0, y0, x1, y1, area }: Component): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  return height >= MIN_LETTER_HEIGHT && area >= 2 * MIN_LETTER_HEIGHT && width <= 3 * height && height <= 5 * width;
}

/** Keeps components with neighbours; specks are scattered. */
function withNeighbours(letters: readonly Component[], height: number): Component[] {
  const side = Math.max(1, NEIGHBOURHOOD * height);
  const counts = new Map<string, number>();
  const place = ({ x0, y0, x1, y1 }: Component): [number, number] => [
    Math.floor((x0 + x1) / 2 / side),
    Math.floor((y0 + y1) / 2 / side),
  ];
  for (const letter of letters) {
    const key = place(letter).join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return letters.filter((letter) => {
    const [column, row] = place(letter);
    let near = 0;
    for (let dy = -1; dy <= 1; dy += 1)
      for (let dx = -1; dx <= 1; dx += 1) near += counts.get(`${column + dx},${row + dy}`) ?? 0;
    return near > NEIGHBOURS;
  });
}

function areaOf(
  letters: readonly Component[],
  components: readonly Component[],
  letterHeight: number,
  { width, height }: GreyPicture,
): PrintedArea {
  let [x0, y0, x1, y1] = [width, height, 0, 0];
  const include = (component: Component): void => {
    [x0, y0] = [Math.min(x0, component.x0), Math.min(y0, component.y0)];
    [x1, y1] = [Math.max(x1, component.x1), Math.max(y1, component.y1)];
  };
  for (const letter of letters) include(letter);
  // Table lines and frames extend beyond the text.
  for (const component of components) {
    const touches =
      component.x0 < x1 && component.x1 > x0 && component.y0 < y1 + letterHeight && component.y1 > y0 - letterHeight;
    if (touches && Math.max(component.x1 - component.x0, component.y1 - component.y0) > 2 * letterHeight)
      include(component);
  }
  const margin = Math.ceil(MARGIN * letterHeight);
  const [left, top] = [Math.max(0, x0 - margin), Math.max(0, y0 - margin)];
  return { left, top, width: Math.min(width, x1 + margin) - left, height: Math.min(height, y1 + margin) - top };
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
