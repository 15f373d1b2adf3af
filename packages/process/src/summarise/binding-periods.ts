/** Recognises sentences that state how long an agreement is in force, or with which notice it ends. */
import { LANGUAGES } from '../extract/engine/lexicon/languages.ts';
import { findDurations } from '../extract/engine/values/durations.ts';
import { phrasesIn } from '../extract/engine/lexicon/lexicon.ts';

const WORDS = LANGUAGES.flatMap(({ agreements }) => [
  ...phrasesIn(agreements?.notice),
  ...(agreements?.inForce === undefined ? [] : [agreements.inForce.trim().replaceAll(/\s*\|\s*/g, '|')]),
]);
const STATES_PERIOD = new RegExp(String.raw`(?<!\p{L})(?:${WORDS.join('|')})(?!\p{L})`, 'iu');
const STATES_BREACH = new RegExp(
  String.raw`(?<!\p{L})(?:${LANGUAGES.flatMap(({ agreements }) =>
    agreements?.breach === undefined ? [] : [agreements.breach.trim().replaceAll(/\s*\|\s*/g, '|')],
  ).join('|')})(?!\p{L})`,
  'iu',
);

export const statesBindingPeriod = (sentence: string): boolean =>
  STATES_PERIOD.test(sentence) && !STATES_BREACH.test(sentence) && findDurations(sentence).length > 0;
