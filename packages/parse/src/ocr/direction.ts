/**
 * Estimates the rotation of a page from its pixels: the direction of its lines, and the ratio of ascenders to
 * descenders. The engine's orientation detection takes longer than recognising the page.
 */
import type { GreyPicture } from './grey-picture.ts';
import { reachOfLetters } from './letter-reach.ts';
import { turnPicture } from './prepare.ts';
import { measureSlant } from './skew.ts';

/** Clockwise quarter turns that make a picture upright. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** Skew, in degrees, from which ascenders cannot be told from descenders without deskewing. */
const TOO_SLANTED = 1.5;
/**
 * Minimum ascender ratio of an upright page and maximum ratio of an upside-down one. Most pages are upright, so the
 * second threshold is stricter.
 */
const UPRIGHT = 1 / 1.5;
const ON_ITS_HEAD = 0.5;
/** Minimum ratio for sideways pages, where both directions are equally likely. */
const CLEAR = 1.5;

/** Returns the rotation to upright; null if the pixels are inconclusive. */
export async function directionOf(picture: GreyPicture): Promise<QuarterTurns | null> {
  const { stands, degrees } = await measureSlant(picture);
  const turn = (stands ? 90 : 0) + (Math.abs(degrees) > TOO_SLANTED ? degrees : 0);
  const reach = reachOfLetters(turn === 0 ? picture : await turnPicture(picture, turn));
  if (!stands) return reach >= UPRIGHT ? 0 : reach <= ON_ITS_HEAD ? 2 : null;
  return reach >= CLEAR ? 1 : reach <= 1 / CLEAR ? 3 : null;
}
