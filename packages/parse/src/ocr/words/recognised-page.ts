/**
 * Converts a recognised picture to page content: words with sizes and baselines and drawn lines, in points. Scans get
 * the same layout analysis as PDF pages, with the same tables, headings, lists and order.
 */
import type { BoundingBox } from '@quire/blocks/block';
import type { Box } from '../../layout/geometry.ts';
import { characterCount, letterCount } from '../../layout/lines/line.ts';
import type { PageContent, Rule, Word } from '../../layout/page/page-content.ts';
import { groupBy, median } from '../../layout/statistics.ts';
import { estimateBackground } from '../image/grey-picture.ts';
import { meanConfidence } from './noise.ts';
import { fontSizeOf, type FontSize } from './font-size.ts';
import type { OcrWord } from '../engines/ocr-engine.ts';
import type { RecognisedPicture } from '../ocr.ts';
import { findRules } from '../image/picture-rules.ts';
import { displayBox } from './display-box.ts';
import { stemWidth } from '../image/stroke-width.ts';

/** Ratio up to which box heights count as one font size. */
const SAME_SIZE = 1.3;
/** Ratio between consecutive other font sizes. */
const SIZE_STEP = 1.15;
/** Stroke width ratio from which text is bold; regular to bold is 1.4 to 1.8 in common typefaces. */
const BOLD = 1.3;
/** Line height relative to the nominal font size. */
const LINE_HEIGHT = 1.1;
/** Assumed body size, in points, of a picture without a credible resolution. */
const BODY_SIZE = 10;
const CREDIBLE_BODY = { from: 5, to: 24 };

interface SizedLine {
  words: OcrWord[];
  em: number;
  bold: boolean;
  vertical: boolean;
}

/** Builds the content of page `number` (from 1). */
export function recognisedPage(picture: RecognisedPicture, number: number): PageContent {
  const { grey, words } = picture;
  const background = estimateBackground(grey);
  const sizes = new Map(words.map((word) => [word, fontSizeOf(word)] as const));
  const body = bodyEm(words, sizes);
  const lines = linesOf(words, sizes, body, (word, em) => stemWidth(grey, background, word, em));
  const frame = frameOf(picture, body);
  const rules = words.length === 0 ? [] : findRules(grey, background, 0.8 * body);
  const ruled = rules.map((rule): Rule => frame.rule(rule));
  return {
    number,
    width: frame.width,
    height: frame.height,
    turn: 0,
    words: lines.flatMap((line) => wordsOf(line, sizes, frame)).filter((word) => !isRuleMisread(word, ruled)),
    rules: ruled,
    fills: [],
    images: [],
    strokes: [],
    links: [],
    fields: [],
    // This closure does not retain the picture's pixels.
    displayBox: frame.toDisplay,
    recognition: picture.recognition,
  };
}

/** Returns the font size of most of the text in pixels; 0 without text. */
function bodyEm(words: readonly OcrWord[], sizes: ReadonlyMap<OcrWord, FontSize | undefined>): number {
  return (
    medianByLength(words.map((word) => ({ value: sizes.get(word)?.em ?? 0, length: word.text.length }))) ||
    heightOf(words)
  );
}

/** Returns the median weighted by number of characters. */
const medianByLength = (values: readonly { value: number; length: number }[]): number =>
  median(values.flatMap(({ value, length }) => Array<number>(length).fill(value)));

const heightOf = (words: readonly OcrWord[]): number => median(words.map(({ bbox }) => bbox[3] - bbox[1]));

function linesOf(
  words: readonly OcrWord[],
  sizes: ReadonlyMap<OcrWord, FontSize | undefined>,
  body: number,
  stems: (word: OcrWord, em: number) => number,
): SizedLine[] {
  const measured = [...groupBy(words, (word) => word.line).values()].map((members) => {
    const measurable = isSure(members) ? median(members.flatMap((word) => sizes.get(word)?.em ?? [])) : body;
    const em = snapToSize(measurable || body, body);
    const letters = members.filter((word) => /\p{L}{2}/u.test(word.text));
    return { words: members, em, weight: median(letters.map((word) => stems(word, em) / em)) };
  });
  const weighed = measured.filter((line) => line.weight > 0);
  const regular = medianByLength(weighed.map((line) => ({ value: line.weight, length: characterCount(line.words) })));
  return measured.map(({ words: members, em, weight }) => ({
    words: members,
    em,
    bold: regular > 0 && weight > BOLD * regular && isSure(members),
    vertical: isVerticalText(members),
  }));
}

/**
 * Thresholds for measuring a line's size: well-read lines of letters and digits only, because formulas and stains have
 * odd heights.
 */
const SURE_CONFIDENCE = 0.75;
const LETTERS = 0.7;

function isSure(words: readonly OcrWord[]): boolean {
  return meanConfidence(words) >= SURE_CONFIDENCE && letterCount(words) >= LETTERS * characterCount(words);
}

/** Detects vertical text. */
function isVerticalText(words: readonly OcrWord[]): boolean {
  const long = words.filter((word) => word.text.length >= 4);
  return long.length > 0 && long.every(({ bbox }) => bbox[3] - bbox[1] > 1.5 * (bbox[2] - bbox[0]));
}

/** Returns the body size if `em` is close to it, otherwise the nearest size step. */
function snapToSize(em: number, body: number): number {
  if (body === 0) return em;
  const ratio = em / body;
  if (ratio < SAME_SIZE && ratio > 1 / SAME_SIZE) return body;
  return body * SIZE_STEP ** Math.round(Math.log(ratio) / Math.log(SIZE_STEP));
}

function wordsOf(line: SizedLine, sizes: ReadonlyMap<OcrWord, FontSize | undefined>, frame: Frame): Word[] {
  const baselines = line.words.flatMap((word) => {
    const size = sizes.get(word);
    return size === undefined ? [] : frame.straight((word.bbox[0] + word.bbox[2]) / 2, size.baseline)[1];
  });
  const baseline = median(baselines);
  return line.words.map((word, index) => {
    const box = frame.box(word.bbox);
    return {
      ...box,
      text: word.text,
      baseline: line.vertical || baselines.length === 0 ? box.y1 : baseline,
      size: line.em * LINE_HEIGHT * frame.scale,
      style: { name: '', bold: line.bold, italic: false, monospace: false },
      glued: false,
      // On pages, the layout decides, because OCR may have merged two columns.
      ...(index > 0 && !frame.isPage ? { sameLine: true } : {}),
      angle: line.vertical ? 90 : 0,
    };
  });
}

/** Detects drawn lines misread as strokes and dashes. */
function isRuleMisread(word: Word, rules: readonly Rule[]): boolean {
  if (/[\p{L}\p{N}]/u.test(word.text) || !/^[|_—–\-=~[\]!.,:;'"`]+$/u.test(word.text)) return false;
  const near = 0.4 * word.size;
  return rules.some((rule) =>
    rule.horizontal
      ? rule.at > word.y0 - near && rule.at < word.y1 + near && rule.from < word.x1 && rule.to > word.x0
      : rule.at > word.x0 - near && rule.at < word.x1 + near && rule.from < word.y1 && rule.to > word.y0,
  );
}

/** Maps the picture's pixels to points of the reading frame and to the displayed page. */
interface Frame {
  /** Whether the picture is a whole page rather than a clip or a receipt. */
  isPage: boolean;
  width: number;
  height: number;
  /** Points per pixel. */
  scale: number;
  straight(x: number, y: number): [number, number];
  box(bbox: readonly [number, number, number, number]): Box;
  rule(rule: Rule): Rule;
  toDisplay: (box: Box) => BoundingBox;
}

/** Margin assumed around a picture that is not a page, as a share of its size. */
const MARGIN = 0.2;
/** Aspect ratio and minimum number of text lines of a whole page. */
const PAGE_RATIO = { from: 1.2, to: 1.6 };
const PAGE_LINES = 40;

function frameOf(picture: RecognisedPicture, body: number): Frame {
  const { width, height, tilt, skew, turn, window } = picture;
  const place = { width, height, skew, turn, ...(window === undefined ? {} : { window }) };
  const scale = scaleOf(picture, body);
  const slope = Math.tan((tilt * Math.PI) / 180);
  const ratio = height / width;
  const isPage = picture.isPage || (ratio > PAGE_RATIO.from && ratio < PAGE_RATIO.to && height > PAGE_LINES * body);
  const margin = isPage ? 0 : MARGIN * Math.max(width, height);
  const straight = (x: number, y: number): [number, number] => [
    (x - y * slope + margin) * scale,
    (y + x * slope + margin) * scale,
  ];
  const box = ([x0, y0, x1, y1]: readonly [number, number, number, number]): Box => {
    const [cx, cy] = straight((x0 + x1) / 2, (y0 + y1) / 2);
    const [halfWidth, halfHeight] = [((x1 - x0) / 2) * scale, ((y1 - y0) / 2) * scale];
    return { x0: cx - halfWidth, y0: cy - halfHeight, x1: cx + halfWidth, y1: cy + halfHeight };
  };
  const back = (x: number, y: number): [number, number] => {
    const [sx, sy] = [x / scale - margin, y / scale - margin];
    return [(sx + sy * slope) / (1 + slope * slope), (sy - sx * slope) / (1 + slope * slope)];
  };
  return {
    isPage,
    width: (width + 2 * margin) * scale,
    height: (height + 2 * margin) * scale,
    scale,
    straight,
    box,
    rule: ({ horizontal, at, from, to }) => {
      const middle = (from + to) / 2;
      const [x, y] = horizontal ? straight(middle, at) : straight(at, middle);
      const half = ((to - from) / 2) * scale;
      const centre = horizontal ? x : y;
      return { horizontal, at: horizontal ? y : x, from: centre - half, to: centre + half };
    },
    toDisplay: ({ x0, y0, x1, y1 }) => {
      const corners = [back(x0, y0), back(x1, y0), back(x0, y1), back(x1, y1)];
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      return displayBox([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)], place);
    },
  };
}

/** Returns the scale by resolution if it yields a credible body size, otherwise the scale that yields ten points. */
function scaleOf({ grey, isPage }: RecognisedPicture, body: number): number {
  const byResolution = 72 / (grey.dpi ?? 300);
  const size = body * byResolution;
  if (body === 0 || (isPage && size >= CREDIBLE_BODY.from && size <= CREDIBLE_BODY.to)) return byResolution;
  return BODY_SIZE / body;
}
