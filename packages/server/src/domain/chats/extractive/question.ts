/** Analyses a question: its terms, its names, and the kind of value that it expects. */
import { analyse } from './reading.ts';
import { withoutCompared } from './comparisons.ts';
import { relatedTerms, type RelatedTerms } from './demonyms.ts';
import { countedIn, dimensionIn, expectedKind, isNamedPlace, type ExpectedKind } from './expected-kind.ts';
import { datePartIn, type DatePart } from './date-parts.ts';
import { asksFrequency } from './frequency.ts';
import { matterTerms } from './matter-terms.ts';
import { arePersons } from './persons.ts';
import { shortYears, withoutForms, wordsOfParts, yearsIn } from './periods.ts';
import { formOf, type QuestionForm } from './question-form.ts';
import { unitAt, type Dimension } from './units.ts';

export interface Question {
  /** The question as it is read, without what an earlier one adds. */
  text: string;
  /** Distinct content terms, without question words. */
  terms: readonly string[];
  /** All distinct terms. */
  all: readonly string[];
  /** The part of `terms` that only an earlier question of the conversation contains. */
  context: ReadonlySet<string>;
  /** Terms of names and numbers: capitalised after the first word, or with digits. */
  names: readonly string[];
  /** Whether the question itself compares something with a name (“larger than England”). */
  compares: boolean;
  /** Names of which terms are adjectives (“Irish”), and the reverse. */
  related: ReadonlyMap<string, RelatedTerms>;
  expects: ExpectedKind | null;
  form: QuestionForm | null;
  /** Dimension of the expected measure; null if it is unknown. */
  dimension: Dimension | null;
  /** Terms of the things that are counted (“how many people”); empty if nothing is. */
  counted: readonly string[];
  /** Whether the question names the kind of a place, so that a name is an answer without a preposition before it. */
  asksName: boolean;
  /** Whether any persons are counted (“how many people”). */
  countsPersons: boolean;
  /** Whether the expected measure is how often something happens. */
  asksFrequency: boolean;
  /** Whether the expected measure is an age, which needs no unit. */
  asksAge: boolean;
  /** Part of the expected date (“in which year”); null for a whole one. */
  datePart: DatePart | null;
}

/** Question words by language; an answer need not contain them. */
const QUESTION_WORDS: Readonly<Record<string, string>> = {
  en: `kind type name sort many much long far old often tell explain describe happen call known mean
      group person people year date day month time place city country itself himself herself themselves someone somebody`,
  de: `viel viele welch welche welcher welches wann woher wohin wieso weshalb nennt man nenne heißt bezeichnet bezeichnung
      name art jahr tag monat zeit ort stadt land person leute gruppe passiert passierte bedeutet lange warum wofür womit
      wodurch worin woran worauf worum wozu wovon lautet muss müssen musste mussten soll sollen sollte sollten darf dürfen
      durfte könnte können konnte will wollen wollte möchte möchten würde lässt lassen ließ tun tut getan machen macht gibt
      gab wen wem wessen ob jeder jemand etwas beim ins ans keinesfalls`,
  fr: `quel quelle quels quelles combien quand pourquoi comment appelle nomme nom type sorte an année jour mois date lieu
      ville pays personne groupe temps signifie passe doit doivent devait faut peut peuvent pouvait faire fait font chaque quelqu`,
  es: `cuál cuáles cuánto cuántos cuánta cuántas cuándo dónde quién quiénes llama nombre tipo año día mes fecha lugar ciudad
      país persona grupo tiempo significa pasa debe deben puede pueden podía hay había hacer hace hacen alguien`,
  it: `quale quali quanto quanti quanta quante quando dove chiama nome tipo anno giorno mese data luogo città paese persona
      gruppo tempo significa deve devono può possono fare fa`,
  pt: `qual quais quanto quantos quanta quantas quando onde quem chama nome tipo ano dia mês data lugar cidade país pessoa
      grupo tempo significa deve devem pode podem fazer faz`,
  nl: `welk welke hoeveel wanneer waarom heet noemt naam soort jaar dag maand datum plaats stad land persoon groep betekent
      moet moeten mag mogen zou zouden doen doet`,
};
const questionTerms = new Map<string, ReadonlySet<string>>();

/** Analyses the question words of a language once, when they are needed: stemmers take time to load. */
function questionTermsOf(language: string): ReadonlySet<string> {
  const known = questionTerms.get(language);
  if (known !== undefined) return known;
  const words = QUESTION_WORDS[language]?.split(/\s+/u) ?? [];
  const terms = new Set(words.flatMap((word) => analyse(word, language)));
  questionTerms.set(language, terms);
  return terms;
}

/** Words that refer to the question before ("and on other days?"). */
const PRO_FORMS = new Set(
  `one ones else more other others exactly come so example
  noch sonst mehr andere anderen genau beispiel autre autres encore plus exactement exemple
  otro otra otros otras más exactamente ejemplo`.split(/\s+/u),
);

/** Names and numbers: capitals after the first word, digits, foreign words in Chinese and Japanese. */
const NAMES = /(?<=\s["'(“]?)[\p{Lu}\p{Nd}][\p{L}\p{Nd}'’-]*/gu;
const NUMBERS = /(?<![\p{L}'’-])[\p{L}'’-]*\p{Nd}[\p{L}\p{Nd}'’-]*/gu;
const FOREIGN = /\p{Script=Latin}[\p{Script=Latin}\p{Nd}]+|\p{Nd}+|[\p{Script=Katakana}ー]{3,}/gu;

/** Questions for an age, by language. */
const AGE = /\bhow old\b|\bwhat age\b|\bwie alt\b|(?<!\p{L})quel âge(?!\p{L})|\bqué edad\b/iu;

/** `asked` is the last question of a query that begins with an earlier one. */
export function readQuestion(text: string, language: string | null, asked: string = text): Question {
  const all = [...new Set(analyse(text, language))];
  const content = withoutFraming(text, language);
  const { unit, ...value } = valueIn(asked, text, language);
  const terms = withoutQuestionWords(matterTerms([...new Set(analyse(content, language))]), language);
  const unitTerms = analyse(unit, language);
  const matter = terms.filter((term) => !unitTerms.includes(term));
  const names = Array.from(content.matchAll(namesOf(language)), ([name]) => analyse(name, language)).flat();
  const own = asked === text ? [] : contentTerms(asked, language);
  return {
    text: asked,
    terms: matter.length > 0 ? matter : all,
    context: new Set(own.length === 0 ? [] : matter.filter((term) => !own.includes(term))),
    all,
    names: [...new Set(names)],
    compares: withoutCompared(text, language) !== text,
    related: relatedIn(text, language),
    ...value,
    form: formOf(asked, language),
    asksName: isNamedPlace(asked, language),
    asksFrequency: asksFrequency(asked, language),
    asksAge: AGE.test(asked),
    datePart: datePartIn(asked, language),
  };
}

/**
 * Returns the kind of value that the question expects. A number of units ("how many kilometres") is a measure, and a
 * number of persons may be one of members or players. `unit` is the written unit, empty without one.
 */
function valueIn(
  asked: string,
  text: string,
  language: string | null,
): Pick<Question, 'expects' | 'dimension' | 'counted' | 'countsPersons'> & { unit: string } {
  if (asksFrequency(asked, language)) {
    return { expects: 'measure', dimension: null, counted: [], countsPersons: false, unit: '' };
  }
  const expects = expectedKind(asked, language) ?? expectedKind(text, language);
  const things = countedIn(asked, language).trim();
  const unit = expects === 'count' ? unitAt(things, language) : null;
  if (unit !== null)
    return { expects: 'measure', dimension: unit.dimension, counted: [], countsPersons: false, unit: unit.text };
  const isPersons = expects === 'count' && arePersons(things);
  return {
    expects,
    unit: '',
    dimension: dimensionIn(asked, language),
    countsPersons: isPersons,
    counted: isPersons ? [] : [...new Set(analyse(things, language))],
  };
}

function relatedIn(text: string, language: string | null): Map<string, RelatedTerms> {
  const words = [...new Set(text.match(/[\p{L}\p{M}]+/gu) ?? [])];
  const related = new Map<string, RelatedTerms>();
  for (const word of words) {
    const [term] = analyse(word, language);
    const terms = term === undefined ? [] : relatedTerms(word, language);
    if (term !== undefined && terms.length > 0) related.set(term, terms);
  }
  for (const year of yearsIn(text)) {
    related.set(
      year,
      shortYears(year).map((short) => analyse(short, language)),
    );
  }
  for (const [code, written] of wordsOfParts(text, language)) {
    const [term] = analyse(code, language);
    if (term !== undefined) related.set(term, [...(related.get(term) ?? []), analyse(written, language)]);
  }
  return related;
}

/** Returns whether the terms of a text contain the term, or a name of which it is the adjective. */
export const holdsTerm = (held: ReadonlySet<string>, term: string, { related }: Pick<Question, 'related'>): boolean =>
  held.has(term) || related.get(term)?.some((terms) => terms.every((each) => held.has(each))) === true;

/** Returns the terms of a sentence without those names of the question that it only compares its subject with. */
export function termsAbout(text: string, { names, compares }: Question, language: string | null): Set<string> {
  const terms = new Set(analyse(text, language));
  if (names.length === 0 || compares) return terms;
  const subject = new Set(analyse(withoutCompared(text, language), language));
  return new Set([...terms].filter((term) => subject.has(term) || !names.includes(term)));
}

/** Returns the distinct terms that say what a question is about; none for "Why?" and "Which others?". */
export function contentTerms(text: string, language: string | null): string[] {
  const words = (text.match(/[\p{L}\p{M}\p{Nd}'’-]+/gu) ?? []).filter((word) => !PRO_FORMS.has(word.toLowerCase()));
  return withoutQuestionWords([...new Set(analyse(words.join(' '), language))], language);
}

/** Words around the subject of a question, which a sentence with the answer has no reason to repeat. */
const FRAMING: Readonly<Record<string, RegExp>> = {
  en: /\b(?:take|takes|took|taken|taking) place\b|\b(?:stands?|short|abbreviation|acronym) for\b/giu,
  de: /\b(?:findet|fand|finden|fanden) (?=.{0,80}\bstatt\b)|\b(?:statt|stattgefunden)\b|(?<=\bwofür )(?:steht|stehen)\b/giu,
  fr: /\b(?:a|ont|eut|avoir) lieu\b|\bveut dire\b|-(?:t-)?(?:ils?|elles?|on|ce|je|tu|nous|vous)(?![\p{L}-])/giu,
  es: /\b(?:tiene|tienen|tuvo|tener) lugar\b|\bquiere decir\b/giu,
};

const withoutFraming = (text: string, language: string | null): string => {
  const framing = FRAMING[language ?? 'en'];
  const content = withoutForms(text);
  return framing === undefined ? content : content.replaceAll(framing, ' ');
};

function withoutQuestionWords(terms: readonly string[], language: string | null): string[] {
  const questionWords = questionTermsOf(language ?? 'en');
  return terms.filter((term) => !questionWords.has(term));
}

/** German capitalises every noun, so only words with digits count as names. */
function namesOf(language: string | null): RegExp {
  if (language === 'de') return NUMBERS;
  return language === 'zh' || language === 'ja' ? FOREIGN : NAMES;
}
