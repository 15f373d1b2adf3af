/** Recognises sentences whose first word refers to the sentence before: "It has four limbs." */

const REFERENCES: Readonly<Record<string, RegExp>> = {
  en: /^["'“(]?(?:he|she|it|they|his|her|its|their|this|these|those)(?!\p{L})/iu,
  de: /^["'„(]?(?:er|sie|es|sein|ihre?|diese[rs]?)(?!\p{L})/iu,
  fr: /^["'«(]?\s?(?:ils?|elles?|cette|ces|cela|son|sa|ses|leurs?)(?!\p{L})/iu,
  es: /^["'«(]?(?:él|ellas?|ellos|est[aeo]s?|es[aeo]s?|sus?)(?!\p{L})/iu,
};

/** False in languages without a list of pronouns. */
export const refersBack = (sentence: string, language: string | null): boolean =>
  REFERENCES[language ?? 'en']?.test(sentence) === true;
