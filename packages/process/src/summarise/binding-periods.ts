/** Recognises sentences that state how long an agreement is in force, or with which notice it ends. */
import { findDurations } from '../extract/engine/values/durations.ts';
import { alternatives } from '../extract/engine/lexicon/lexicon.ts';

const wordsOf = (words: string): RegExp => new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, 'iu');

const STATES_PERIOD = wordsOf(
  [alternatives(({ agreements }) => agreements?.notice), alternatives(({ agreements }) => agreements?.inForce)].join(
    '|',
  ),
);
const STATES_BREACH = wordsOf(alternatives(({ agreements }) => agreements?.breach));

export const statesBindingPeriod = (sentence: string): boolean =>
  STATES_PERIOD.test(sentence) && !STATES_BREACH.test(sentence) && findDurations(sentence).length > 0;
