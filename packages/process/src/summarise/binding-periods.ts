/** Rates sentences that state how long an agreement is in force, or with which notice it ends. */
import { findDurations } from '../extract/engine/values/durations.ts';
import { alternatives, wordPattern } from '../extract/engine/lexicon/lexicon.ts';

const STATES_TERM = wordPattern(alternatives(({ agreements }) => agreements?.inForce));
const STATES_NOTICE = wordPattern(alternatives(({ agreements }) => agreements?.notice));
const STATES_END = wordPattern(alternatives(({ agreements }) => agreements?.ending));
const STATES_BREACH = wordPattern(alternatives(({ agreements }) => agreements?.breach));
/** Rating of a notice in a sentence that does not speak of the end of the agreement. */
const OTHER_NOTICE = 0.4;

/** Returns 1 for a sentence with the term or the period of notice, less for other notices, and 0 for others. */
export function bindingPeriod(sentence: string): number {
  const isTerm = STATES_TERM.test(sentence);
  const isNotice = STATES_NOTICE.test(sentence);
  if ((!isTerm && !isNotice) || STATES_BREACH.test(sentence) || findDurations(sentence).length === 0) return 0;
  return isTerm || STATES_END.test(sentence) ? 1 : OTHER_NOTICE;
}
