/** The words of all registered languages, combined for phrase books and patterns. */
import { CONCEPT_NAMES, type ConceptName } from './concepts.ts';
import type { ExtractionLanguage } from './language.ts';
import { LANGUAGES } from './languages.ts';
import { phrasesIn } from './phrase-lists.ts';
import { LABEL_WEIGHTS } from './weights.ts';

export interface LabelPhrase {
  concept: ConceptName;
  phrase: string;
  weight: number;
}

/** The labels of all languages, concept by concept. */
export const LABEL_PHRASES: readonly LabelPhrase[] = CONCEPT_NAMES.flatMap((concept) =>
  LANGUAGES.flatMap((language) => labelsOf(language, concept)),
);

/** Words that say little about the meaning of a label. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  LANGUAGES.flatMap(({ genericWords }) => phrasesIn(genericWords)),
);

/** Labels of a name in the part of a document, or of the data, that is about a party. */
export const NAME_LABELS: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ nameLabels }) => phrasesIn(nameLabels)));

function labelsOf(language: ExtractionLanguage, concept: ConceptName): LabelPhrase[] {
  const tables = Object.keys(LABEL_WEIGHTS) as (keyof typeof LABEL_WEIGHTS)[];
  return tables.flatMap((table) =>
    phrasesIn(language[table]?.[concept]).map((phrase) => ({ concept, phrase, weight: LABEL_WEIGHTS[table] })),
  );
}

/** Joins the selected list of every language to the alternatives of a regular expression. */
export function alternatives(select: (language: ExtractionLanguage) => string | undefined): string {
  const lists = LANGUAGES.flatMap((language) => select(language) ?? []);
  return lists.map((list) => list.trim().replaceAll(/\s*\|\s*/g, '|')).join('|');
}

/** Returns the pattern of whole words, in any case, for lists of alternatives. */
export const wordPattern = (...lists: string[]): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${lists.join('|')})(?!\p{L})`, 'iu');
