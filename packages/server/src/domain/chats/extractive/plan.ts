/**
 * Plans the searches of a question: a question about two things is searched once for each, so that both get quotes.
 * Splits at a conjunction between two names ("Were Ann Lee and Bob Ray born in Oslo?") or between two clauses with a
 * question word each ("When did it open, and who built the tower?").
 */

import { hasPronoun } from '../follow-up.ts';

/** Conjunctions and comparing words between two things, by language. */
const BETWEEN: Readonly<Record<string, string>> = {
  en: 'and|or|than|versus|vs\\.?|as well as|(?<=compared? .{0,80})(?:with|to)',
  de: 'und|oder|als|sowie|(?<=vergl.{0,80})mit',
  fr: 'et|ou|que|(?<=compar.{0,80})(?:avec|à)',
  es: 'y|e|o|u|que|(?<=compar.{0,80})con',
  it: 'e|ed|o|di|(?<=confront.{0,80})con',
  pt: 'e|ou|que|(?<=compar.{0,80})com',
  nl: 'en|of|dan|(?<=vergel.{0,80})met',
};
/** Conjunctions between two clauses. */
const CLAUSE_BETWEEN: Readonly<Record<string, string>> = {
  en: 'and|or|but|while',
  de: 'und|oder|aber|während',
  fr: 'et|ou|mais|tandis que',
  es: 'y|o|pero|mientras',
  it: 'e|o|ma|mentre',
  pt: 'e|ou|mas|enquanto',
  nl: 'en|of|maar|terwijl',
};
/** Words that announce two things and do not apply to one. */
const PAIRING: Readonly<Record<string, string>> = {
  en: 'both|either|between|respectively',
  de: 'beide|beiden|sowohl|zwischen',
  fr: 'tous les deux|à la fois|entre',
  es: 'ambos|ambas|entre',
  it: 'entrambi|entrambe|tra',
  pt: 'ambos|ambas|entre',
  nl: 'beide|zowel|tussen',
};
const QUESTION_WORDS: Readonly<Record<string, string>> = {
  en: 'who|whom|whose|what|which|when|where|why|how',
  de: 'wer|wen|wem|wessen|was|welche[rsnm]?|wann|wo|wohin|woher|warum|wie',
  fr: 'qui|que|quoi|quel(?:le)?s?|quand|où|pourquoi|comment|combien',
  es: 'quién(?:es)?|qué|cuál(?:es)?|cuándo|dónde|por qué|cómo|cuánt[oa]s?',
  it: 'chi|che cosa|quale|quali|quando|dove|perché|come|quant[oaie]',
  pt: 'quem|que|qual|quais|quando|onde|por que|como|quant[oa]s?',
  nl: 'wie|wat|welke?|wanneer|waar|waarom|hoe|hoeveel',
};
/** A capitalised name with at most two small words after it ("the Chinese abacus"). */
const FIRST = String.raw`(?<first>\p{Lu}[\p{L}\p{Nd}'’.-]*(?: (?:of |the |de |von |van )?\p{Lu}[\p{L}\p{Nd}'’.-]*)*(?: \p{Ll}[\p{L}-]*){0,2}?)`;
const SECOND = String.raw`(?<second>(?:(?:in |from |of |by |the |der |die |das |le |la |el |il |o |a ){1,2}(?:\p{Ll}{3,20} )?)?\p{Lu}[\p{L}\p{Nd}'’.-]*(?: (?:of |the |de |von |van )?\p{Lu}[\p{L}\p{Nd}'’.-]*)*)`;
const MIN_CLAUSE_WORDS = 3;
/** Length of a question above which it is not split, in characters: the patterns take quadratic time. */
const MAX_LENGTH = 500;

/** Returns the questions to search for, at most two; one element if the question has one part. */
export function partsOf(question: string, language: string | null): string[] {
  const code = language ?? 'en';
  const between = BETWEEN[code];
  const asking = QUESTION_WORDS[code];
  if (between === undefined || asking === undefined || question.length > MAX_LENGTH) return [question];
  const clauses = clausesOf(question, CLAUSE_BETWEEN[code] ?? between, asking, code);
  return clauses ?? pairOf(question, between, PAIRING[code] ?? '') ?? [question];
}

/** Splits before a conjunction and a question word, if both clauses are complete. */
function clausesOf(question: string, conjunctions: string, asking: string, language: string): string[] | undefined {
  const split = new RegExp(`,?\\s+(?:${conjunctions})\\s+(?=(?:\\p{L}+\\s)?(?:${asking})\\s)`, 'iu').exec(question);
  if (split === null) return undefined;
  const clauses = [question.slice(0, split.index), question.slice(split.index + split[0].length)];
  const isWhole = (clause: string): boolean => clause.split(/\s+/u).length >= MIN_CLAUSE_WORDS;
  // A clause with a pronoun points into the other one, unless it has a name or a number of its own.
  const hasOwn = /\s\p{Lu}|\p{Nd}/u.test(clauses[1] ?? '') || !hasPronoun(clauses[1] ?? '', language);
  if (!clauses.every(isWhole) || !hasOwn) return undefined;
  return clauses.map((clause) => {
    const line = clause.trim().replace(/[?.!,]{1,8}$/u, '');
    return `${line.charAt(0).toUpperCase()}${line.slice(1)}?`;
  });
}

/** Replaces "A and B" by A, and by B. */
function pairOf(question: string, between: string, pairing: string): string[] | undefined {
  // The first word of a question is a capitalised question word or verb, and no name.
  const offset = /^\s*\S+\s+/u.exec(question)?.[0].length ?? 0;
  const pattern = new RegExp(`${FIRST}(?<join>,? (?:${between}) )${SECOND}`, 'u');
  const pair = pattern.exec(question.slice(offset));
  const { first, second } = pair?.groups ?? {};
  if (pair === null || first === undefined || second === undefined) return undefined;
  const before = question.slice(0, offset + pair.index);
  const after = question.slice(offset + pair.index + pair[0].length);
  const announced = new RegExp(`(?<!\\p{L})(?:${pairing})\\s`, 'giu');
  return [first, second].map((name) =>
    plainPart(`${before.replace(announced, '')}${name}${after}`)
      .replaceAll(/\s+/gu, ' ')
      .trim(),
  );
}

/** "In the same year" is a year of each thing, and "more than 5,000" a number of each. */
const plainPart = (part: string): string =>
  part
    .replace(/ (?:the|a) (?:same|common) (?=\p{L})/giu, ' which ')
    .replace(
      / (?:more|less|fewer|larger|greater|over|at least|at most)(?: than)? \p{Nd}[\p{Nd}.,]{0,15}/giu,
      ' how many',
    );
