/** Divides a recognised line into words, with the boxes of their ink. */
import type { OcrWord } from '../ocr-engine.ts';
import { LINE_HEIGHT, STEP_WIDTH, type LineBox, type LinePicture } from './cut-line.ts';
import type { Character } from './decode-line.ts';

/** Contrast between background and darkest ink, as a share, from which a pixel is ink. */
const INK_SHARE = 0.45;
/** Minimum contrast of ink in grey levels. */
const MIN_CONTRAST = 30;
/** Blank width between two characters, in pixels of the line picture, from which they are different words. */
const WORD_GAP = 1.1 * LINE_HEIGHT;
/** Rows, in pixels of the line picture, that letters cross. */
const CORE = { from: 16, to: 32 };
/** Rows whose ink counts when columns without ink are searched; ink of the neighbouring lines is outside of them. */
const BODY = { from: 8, to: 40 };
/** Maximum blank height between a letter and its dot or accent. */
const ACCENT_GAP = 4;

type Word = Pick<OcrWord, 'text' | 'bbox' | 'confidence'>;

/** Returns the words of a line, from left to right. */
export function wordsOfLine(characters: readonly Character[], picture: LinePicture): Word[] {
  const ink = inkOf(picture);
  const groups: Character[][] = [];
  let group: Character[] = [];
  const cuts: number[] = [0];
  characters.forEach((character, index) => {
    if (character.text.trim() === '') return;
    const previous = group.at(-1);
    if (previous !== undefined) {
      const gap = widestGap(ink, centreOf(previous), centreOf(character));
      if (characters[index - 1]?.text.trim() === '' || gap.width > WORD_GAP) {
        groups.push(group);
        cuts.push(gap.middle);
        group = [];
      }
    }
    group.push(character);
  });
  if (group.length > 0) groups.push(group);
  cuts.push(picture.width);
  return groups.map((members, index) => {
    const box = inkBox(ink, cuts[index] ?? 0, cuts[index + 1] ?? picture.width);
    return {
      text: members.map(({ text }) => text).join(''),
      bbox: picture.boxOf(box),
      confidence: members.reduce((sum, { confidence }) => sum + confidence, 0) / members.length,
    };
  });
}

const centreOf = ({ step }: Character): number => (step + 0.5) * STEP_WIDTH;

interface Ink {
  isInk(u: number, v: number): boolean;
  /** Number of ink pixels of each column within `BODY`. */
  columns: Uint16Array;
  width: number;
}

function inkOf({ levels, width }: LinePicture): Ink {
  const counts = new Uint32Array(256);
  for (const level of levels) counts[level] = (counts[level] ?? 0) + 1;
  const [dark, light] = [quantile(counts, 0.02 * levels.length), quantile(counts, 0.7 * levels.length)];
  const limit = light - Math.max(MIN_CONTRAST, INK_SHARE * (light - dark));
  const columns = new Uint16Array(width);
  levels.forEach((level, index) => {
    const row = Math.floor(index / width);
    if (level < limit && row >= BODY.from && row < BODY.to) columns[index % width] = (columns[index % width] ?? 0) + 1;
  });
  return { isInk: (u, v) => (levels[v * width + u] ?? 255) < limit, columns, width };
}

function quantile(counts: Uint32Array, rank: number): number {
  let seen = 0;
  return counts.findIndex((count) => (seen += count) > rank);
}

/** Returns the widest range of columns without ink between two characters; their middle if there is none. */
function widestGap({ columns }: Ink, left: number, right: number): { width: number; middle: number } {
  let best = { width: 0, middle: (left + right) / 2 };
  let from = Math.round(left);
  for (let u = from; u <= right; u += 1) {
    if (u < right && (columns[u] ?? 0) === 0) continue;
    if (u - from > best.width) best = { width: u - from, middle: (from + u) / 2 };
    from = u + 1;
  }
  return best;
}

/** Returns the box of the ink between two columns, without the ink of neighbouring lines. */
function inkBox(ink: Ink, left: number, right: number): LineBox {
  let [u0, u1] = [Math.round(left), Math.round(right)];
  while (u0 < u1 - 1 && (ink.columns[u0] ?? 0) === 0) u0 += 1;
  while (u1 > u0 + 1 && (ink.columns[u1 - 1] ?? 0) === 0) u1 -= 1;
  const hasInk = Array.from({ length: LINE_HEIGHT }, (_, v) => {
    for (let u = u0; u < u1; u += 1) if (ink.isInk(u, v)) return true;
    return false;
  });
  const v0 = edgeOfInk(hasInk, CORE.to, -1);
  const v1 = edgeOfInk(hasInk, CORE.from, 1);
  return v0 < v1 ? { u0, u1, v0, v1: v1 + 1 } : { u0, u1, v0: 0, v1: LINE_HEIGHT };
}

/** Walks from `start` over rows with ink and gaps of at most `ACCENT_GAP`; returns the last row with ink. */
function edgeOfInk(hasInk: readonly boolean[], start: number, direction: 1 | -1): number {
  let [last, blank, v] = [start, 0, start];
  const isCore = (row: number): boolean => row >= CORE.from && row <= CORE.to;
  for (; v >= 0 && v < LINE_HEIGHT; v += direction) {
    if (hasInk[v] === true) [last, blank] = [v, 0];
    else blank += 1;
    if (blank > ACCENT_GAP && !isCore(v)) break;
  }
  return last;
}
