/** Recognises sentences that state how long an agreement is in force, or with which notice it ends. */
import { findDurations } from '../extract/engine/values/durations.ts';
import { alternatives, wordPattern } from '../extract/engine/lexicon/lexicon.ts';

const STATES_PERIOD = wordPattern(
  alternatives(({ agreements }) => agreements?.notice),
  alternatives(({ agreements }) => agreements?.inForce),
);
const STATES_BREACH = wordPattern(alternatives(({ agreements }) => agreements?.breach));

export const statesBindingPeriod = (sentence: string): boolean =>
  STATES_PERIOD.test(sentence) && !STATES_BREACH.test(sentence) && findDurations(sentence).length > 0;
