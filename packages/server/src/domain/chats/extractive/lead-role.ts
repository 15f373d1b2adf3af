/**
 * Chooses among several values of a sentence by the role of each: "two weeks during the trial, after that
 * six weeks", "at least 0.3 and at most 1.7 litres".
 */
import type { Value } from './values.ts';

/** Words for each of two opposite roles, in a question or in the clause of a value. */
type Roles = readonly (readonly [RegExp, RegExp])[];

const ROLES: Readonly<Record<string, Roles>> = {
  en: [
    [
      /\b(?:after(?:wards)?|thereafter|then|later|once|following|from then on)\b/iu,
      /\b(?:during|before|within|until|in the first|while|at first|initially)\b/iu,
    ],
    [
      /\b(?:at most|no more than|not more than|max(?:imum|imal)?|up to|largest|highest|longest)\b/iu,
      /\b(?:at least|no less than|not less than|min(?:imum|imal)?|smallest|lowest|shortest)\b/iu,
    ],
  ],
  de: [
    [
      /\b(?:nach|danach|anschließend|später|nachher|im anschluss)\b/iu,
      /\b(?:während|in der|vor|vorher|innerhalb|zunächst|anfangs|bis)\b/iu,
    ],
    [
      /\b(?:maximal|maximum|nicht mehr als)\b|(?<!\p{L})höchsten?s?(?!\p{L})|\bbis zu\b/iu,
      /\b(?:mindestens|wenigstens|minimal|minimum)\b/iu,
    ],
  ],
  fr: [
    [
      /(?<!\p{L})(?:après|ensuite|puis|au[- ]delà|passé|par la suite)(?!\p{L})/iu,
      /(?<!\p{L})(?:pendant|durant|avant|au cours|d['’]abord|lors)(?!\p{L})/iu,
    ],
    [
      /(?<!\p{L})(?:au plus|au maximum|maximum|maximale?|pas plus d|jusqu['’]à)/iu,
      /(?<!\p{L})(?:au moins|au minimum|minimum|minimale?)(?!\p{L})/iu,
    ],
  ],
  es: [
    [
      /(?<!\p{L})(?:después|luego|tras|posteriormente|pasado|a partir)(?!\p{L})/iu,
      /(?<!\p{L})(?:durante|antes|mientras|dentro|al principio)(?!\p{L})/iu,
    ],
    [
      /(?<!\p{L})(?:como máximo|máxim[oa]|a lo sumo|no más de|hasta)(?!\p{L})/iu,
      /(?<!\p{L})(?:como mínimo|mínim[oa]|al menos|por lo menos)(?!\p{L})/iu,
    ],
  ],
};

/** A mark between clauses, or a conjunction before a word in lower case. */
const BOUNDARY = /[;:–]|,(?!\p{Nd})|\s(?:and|but|und|aber|et|mais|y|pero)(?=\s)/giu;

/** Returns the clause around a value. */
function clauseOf(text: string, { start, end }: Value): string {
  const ends = Array.from(text.matchAll(BOUNDARY), ({ index }) => index);
  return text.slice(
    ends.findLast((at) => at < start) ?? 0,
    ends.find((at) => at >= end),
  );
}

/**
 * Returns the values that can have the role of the question: those in clauses with a word for it, or those without one
 * for the opposite role. All if the question names no role, or no value differs from the others.
 */
export function inRole(values: readonly Value[], text: string, question: string, language: string | null): Value[] {
  let left = [...values];
  for (const [first, second] of ROLES[language ?? 'en'] ?? []) {
    const [isFirst, isSecond] = [first.test(question), second.test(question)];
    if (isFirst === isSecond) continue;
    const [own, opposite] = isFirst ? [first, second] : [second, first];
    const named = left.filter((value) => own.test(clauseOf(text, value)) && !opposite.test(clauseOf(text, value)));
    const others = left.filter((value) => !opposite.test(clauseOf(text, value)) || own.test(clauseOf(text, value)));
    if (named.length > 0) left = named;
    else if (others.length > 0) left = others;
  }
  return left;
}
