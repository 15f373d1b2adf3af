/**
 * Which way up a page stands, by its pixels: whether its lines run across it, and to which side their letters reach. An
 * engine that is asked for it takes longer than for reading the page.
 */
import type { GreyPicture } from './grey-picture.ts';
import { reachOfLetters } from './letter-reach.ts';
import { turnPicture } from './prepare.ts';
import { measureSlant } from './skew.ts';

/** Quarter turns clockwise that set a picture upright. */
export type QuarterTurns = 0 | 1 | 2 | 3;

/** Lines that lie this much askew, in degrees, hide which letters reach up. */
const TOO_SLANTED = 1.5;
/** Of letters that reach up to ones that reach down; most pages stand upright, so more is asked of those that do not. */
const UPRIGHT = 1 / 1.5;
const ON_ITS_HEAD = 0.5;
/** The lines of a page on its side run up or down: one is as likely as the other. */
const CLEAR = 1.5;

/** Null when pixels do not tell. */
export async function directionOf(picture: GreyPicture): Promise<QuarterTurns | null> {
  const { stands, degrees } = await measureSlant(picture);
  const turn = (stands ? 90 : 0) + (Math.abs(degrees) > TOO_SLANTED ? degrees : 0);
  const reach = reachOfLetters(turn === 0 ? picture : await turnPicture(picture, turn));
  if (!stands) return reach >= UPRIGHT ? 0 : reach <= ON_ITS_HEAD ? 2 : null;
  return reach >= CLEAR ? 1 : reach <= 1 / CLEAR ? 3 : null;
}
