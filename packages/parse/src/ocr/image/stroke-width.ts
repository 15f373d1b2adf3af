/** Measures the stroke width of letters, the only indication of bold type in a picture. */
import type { GreyPicture, Background } from './grey-picture.ts';
import type { OcrWord } from '../engines/ocr-engine.ts';

/** Maximum run length, as a share of the font size; longer runs are horizontal bars and not stems. */
const LONGEST_STEM = 0.35;

/** Returns the mean stem width in pixels; 0 without stems. */
export function stemWidth(picture: GreyPicture, background: Background, word: OcrWord, em: number): number {
  const { pixels, width } = picture;
  const [left, top, right, bottom] = clipped(word, picture);
  const middle = midLevel(picture, background, [left, top, right, bottom]);
  let [ink, runs] = [0, 0];
  for (let y = top; y < bottom; y += 1) {
    let run = 0;
    for (let x = left; x <= right; x += 1) {
      if (x < right && (pixels[y * width + x] ?? 255) < middle) run += 1;
      else if (run > 0) {
        if (run <= LONGEST_STEM * em) {
          ink += run;
          runs += 1;
        }
        run = 0;
      }
    }
  }
  return runs === 0 ? 0 : ink / runs;
}

function clipped({ bbox }: OcrWord, { width, height }: GreyPicture): [number, number, number, number] {
  const [left, top, right, bottom] = bbox.map((value) => Math.max(0, Math.round(value)));
  return [left ?? 0, top ?? 0, Math.min(width, right ?? 0), Math.min(height, bottom ?? 0)];
}

/** Returns the level halfway between the background and the darkest ink of the word. */
function midLevel(
  { pixels, width }: GreyPicture,
  background: Background,
  [left, top, right, bottom]: readonly [number, number, number, number],
): number {
  let darkest = 255;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) darkest = Math.min(darkest, pixels[y * width + x] ?? 255);
  }
  return (darkest + background.at((left + right) >> 1, (top + bottom) >> 1)) / 2;
}
