/** What a question asks for: its words as terms, and the kind of thing that would answer it. */
import { analyse } from '../../../language/analyse.ts';

export interface Question {
  /** Distinct, without those that only make it a question. */
  terms: readonly string[];
  /** All of its terms. */
  all: readonly string[];
  /** Those of names and numbers: capitalised after the first word, or with digits. */
  names: readonly string[];
  expects: 'number' | 'time' | 'name' | null;
}

/** Words about the asking, not about the matter: they need not stand beside an answer. English only; others have none. */
const ASKING = new Set(
  `kind type name sort many much long far old often tell explain describe happen call known mean
   group person people year date day month time place city country`
    .split(/\s+/u)
    .flatMap((word) => analyse(word, 'en')),
);

export function readQuestion(text: string, language: string | null): Question {
  const all = [...new Set(analyse(text, language))];
  const telling = all.filter((term) => !ASKING.has(term));
  const names = Array.from(text.matchAll(NAMES), ([name]) => analyse(name, language)).flat();
  return { terms: telling.length > 0 ? telling : all, all, names: [...new Set(names)], expects: expectedBy(text) };
}

const NAMES = /(?<=\s["'(“]?)[\p{Lu}\p{Nd}][\p{L}\p{Nd}'’-]*/gu;

function expectedBy(text: string): Question['expects'] {
  if (
    /\b(?:how (?:many|much|long|far|old|tall|high|large|big)|what (?:percent\w*|number|amount|fraction))\b/iu.test(text)
  ) {
    return 'number';
  }
  if (/\b(?:when|(?:what|which) (?:year|date|day|month|decade|century))\b/iu.test(text)) return 'time';
  if (/\b(?:who|whom|whose)\b/iu.test(text)) return 'name';
  return null;
}

const NUMBER =
  /\p{Nd}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|third|quarter|dozen|hundred|thousand|million|billion|several|both)\b/iu;
const TIME =
  /\p{Nd}|\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|century|today|after|before|during|until|since)\b/iu;
/** A capital that does not begin the sentence. */
const NAME = /(?<=[\p{L}\p{Nd},;:'’"”)] ?[“"(]?)\s\p{Lu}/u;

/** Whether a sentence holds something of the kind; true where no kind is known. */
export function holdsExpected(sentence: string, expects: Question['expects']): boolean {
  if (expects === 'number') return NUMBER.test(sentence);
  if (expects === 'time') return TIME.test(sentence) || NUMBER.test(sentence);
  return expects === null || NAME.test(` ${sentence}`) || /^\p{Lu}/u.test(sentence);
}
