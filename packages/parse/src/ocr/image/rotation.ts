/**
 * Estimates the rotation of a page from its pixels: the direction of its lines, and the ratio of ascenders to
 * descenders. The engine's orientation detection takes longer than recognising the page.
 */
import type { GreyPicture } from './grey-picture.ts';
import { ascenderRatio } from './ascender-ratio.ts';
import { rotatePicture } from './preprocess.ts';
import { measureTextDirection } from './skew.ts';

/** Clockwise quarter turns that make a picture upright. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** Skew, in degrees, from which ascenders cannot be distinguished from descenders without deskewing. */
const MAX_SKEW = 1.5;
/**
 * Minimum ascender ratio of an upright page and maximum ratio of an upside-down one. Most pages are upright, so the
 * second threshold is stricter.
 */
const MIN_UPRIGHT_RATIO = 1 / 1.5;
const MAX_INVERTED_RATIO = 0.5;
/** Minimum ratio for sideways pages, where both directions are equally likely. */
const MIN_SIDEWAYS_RATIO = 1.5;

/** Returns the rotation to upright; null if the pixels are inconclusive. */
export async function detectRotation(picture: GreyPicture): Promise<QuarterTurns | null> {
  const { isVertical, degrees } = await measureTextDirection(picture);
  const turn = (isVertical ? 90 : 0) + (Math.abs(degrees) > MAX_SKEW ? degrees : 0);
  const ratio = ascenderRatio(turn === 0 ? picture : await rotatePicture(picture, turn));
  if (!isVertical) return ratio >= MIN_UPRIGHT_RATIO ? 0 : ratio <= MAX_INVERTED_RATIO ? 2 : null;
  return ratio >= MIN_SIDEWAYS_RATIO ? 1 : ratio <= 1 / MIN_SIDEWAYS_RATIO ? 3 : null;
}
