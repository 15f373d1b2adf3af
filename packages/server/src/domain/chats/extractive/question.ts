/** Analyses a question: its terms, its names, and the kind of answer that it expects. */
import { analyse } from '@quire/text/language/analyse';
import { matterTerms } from './matter-terms.ts';

export interface Question {
  /** Distinct content terms, without question words. */
  terms: readonly string[];
  /** All distinct terms. */
  all: readonly string[];
  /** Terms of names and numbers: capitalised after the first word, or with digits. */
  names: readonly string[];
  expects: 'number' | 'time' | 'name' | null;
}

/** Question words by language; an answer need not contain them. */
const QUESTION_WORDS = new Map(
  Object.entries({
    en: `kind type name sort many much long far old often tell explain describe happen call known mean
      group person people year date day month time place city country`,
    de: `viel viele welch welche welcher welches wann woher wohin wieso weshalb nennt man nenne heißt bezeichnet bezeichnung
      name art jahr tag monat zeit ort stadt land person leute gruppe passiert passierte bedeutet lange`,
    fr: `quel quelle quels quelles combien quand pourquoi comment appelle nomme nom type sorte an année jour mois date lieu
      ville pays personne groupe signifie passe`,
    es: `cuál cuáles cuánto cuántos cuánta cuántas cuándo dónde quién quiénes llama nombre tipo año día mes fecha lugar ciudad
      país persona grupo significa pasa`,
    it: `quale quali quanto quanti quanta quante quando dove chiama nome tipo anno giorno mese data luogo città paese persona
      gruppo significa`,
    pt: `qual quais quanto quantos quanta quantas quando onde quem chama nome tipo ano dia mês data lugar cidade país pessoa
      grupo significa`,
    nl: `welk welke hoeveel wanneer waarom heet noemt naam soort jaar dag maand datum plaats stad land persoon groep betekent`,
  }).map(([language, words]) => [language, new Set(words.split(/\s+/u).flatMap((word) => analyse(word, language)))]),
);

/** Names and numbers: capitals after the first word, digits, foreign words in Chinese and Japanese. */
const NAMES = /(?<=\s["'(“]?)[\p{Lu}\p{Nd}][\p{L}\p{Nd}'’-]*/gu;
const NUMBERS = /(?<![\p{L}'’-])[\p{L}'’-]*\p{Nd}[\p{L}\p{Nd}'’-]*/gu;
const FOREIGN = /\p{Script=Latin}[\p{Script=Latin}\p{Nd}]+|\p{Nd}+|[\p{Script=Katakana}ー]{3,}/gu;

export function readQuestion(text: string, language: string | null): Question {
  const all = [...new Set(analyse(text, language))];
  const questionWords = QUESTION_WORDS.get(language ?? 'en');
  const matter = matterTerms(all).filter((term) => questionWords?.has(term) !== true);
  const names = Array.from(text.matchAll(namesOf(language)), ([name]) => analyse(name, language)).flat();
  return { terms: matter.length > 0 ? matter : all, all, names: [...new Set(names)], expects: expectedBy(text) };
}

/** German capitalises every noun, so only words with digits count as names. */
function namesOf(language: string | null): RegExp {
  if (language === 'de') return NUMBERS;
  return language === 'zh' || language === 'ja' ? FOREIGN : NAMES;
}

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
/** A capitalised word that does not begin the sentence. */
const NAME = /(?<=[\p{L}\p{Nd},;:'’"”)] ?[“"(]?)\s\p{Lu}/u;

/** Returns whether a sentence contains an answer of the expected kind; true if no kind is expected. */
export function holdsExpected(sentence: string, expects: Question['expects']): boolean {
  if (expects === 'number') return NUMBER.test(sentence);
  if (expects === 'time') return TIME.test(sentence) || NUMBER.test(sentence);
  return expects === null || NAME.test(` ${sentence}`) || /^\p{Lu}/u.test(sentence);
}
