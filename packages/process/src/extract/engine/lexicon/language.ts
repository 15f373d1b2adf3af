/** The type of a language's data file in `languages/`. Adding a language is one file and one line in `languages.ts`. */
import type { ConceptName } from './concepts.ts';

/** Phrases separated by `|`, with any white space around the bars. */
export type PhraseList = string;

/** Sections of a document that hold lists of records. */
export const SECTIONS = ['experience', 'education', 'publications', 'certifications', 'awards', 'projects'] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Parts of a regular expression separated by `|`, matched without case. Groups must not capture. */
export type PatternList = string;

/**
 * Labels by concept. Phrases are folded: lower case, without accents and punctuation. Compounds are spelled out. `…`
 * matches up to three other words.
 */
export type ConceptLabels = Readonly<Partial<Record<ConceptName, PhraseList>>>;

export const DURATION_UNITS = ['day', 'week', 'month', 'year'] as const;
export type DurationUnit = (typeof DURATION_UNITS)[number];

export interface ExtractionLanguage {
  /** BCP 47 primary language. */
  language: string;
  labels: ConceptLabels;
  /** Labels that give way to more exact ones, such as "total" beside "grand total". */
  generalLabels?: ConceptLabels;
  /** Labels that often mean something else. */
  weakLabels?: ConceptLabels;
  /** Words that say little about the meaning of a label, such as articles. */
  genericWords?: PhraseList;
  yes?: PhraseList;
  no?: PhraseList;
  /** Words in a field's description that request the value as printed. */
  asPrinted?: PhraseList;
  /** Labels that end compounds with the same meaning, such as "rechnung" in "Mietrechnung". */
  compoundHeads?: PhraseList;
  /** Spellings of months that ICU lacks, with the month's number. */
  months?: Readonly<Record<string, number>>;
  /** Words between the parts of a date, such as "de" in "3 de mayo de 2024". */
  betweenDateParts?: PatternList;
  /** Words between the ends of a period, and in place of its end. */
  periods?: { between?: PatternList; ongoing?: PatternList };
  /** Headings of sections, also names of the lists in them. */
  sections?: Readonly<Partial<Record<SectionName, PhraseList>>>;
  /** Words between a job and its employer. */
  employedAt?: PatternList;
  /** Words that are typical of the names of schools and universities. */
  schools?: PatternList;
  durations?: {
    numbers: Readonly<Record<string, number>>;
    units: Readonly<Partial<Record<DurationUnit, PhraseList>>>;
    /** Words that may separate the number and the unit. */
    between?: PhraseList;
    /** The word for an anniversary and its ordinal numbers, with the unit in which a count of them is written. */
    anniversary?: { ordinals: Readonly<Record<string, number>>; word: string; year: string };
  };
  companies?: {
    /** Legal forms at the end of a company's name; a longer form before a shorter one that it begins with. */
    legalForms?: PatternList;
    /** Spellings of legal forms of two or three letters; in other spellings they are ordinary words. */
    shortLegalForms?: PhraseList;
    /** Words in lower case inside names. */
    particles?: PhraseList;
    /** Words that are typical of the names of businesses. */
    businessWords?: PatternList;
  };
  /** Folded labels of a name below the heading of its party: `Name: Holm Ltd` below `Seller`. */
  nameLabels?: PhraseList;
  /** Titles of persons, which may be on a line of their own above the name. */
  personTitles?: PatternList;
  /** Titles at the start of a document, which are not names. */
  documentTitles?: PatternList;
  streets?: {
    /** Words that occur in addresses. */
    words?: PatternList;
    /** Ends of compounds that occur in addresses. */
    suffixes?: PhraseList;
    /** Words that begin the name of a street. */
    firstWords?: PatternList;
    /** Ends of compounds that are names of streets and nothing else. */
    clearSuffixes?: PhraseList;
  };
  /** Words before contact details and registration numbers, which end an address. */
  wordsAfterAddress?: PatternList;
  agreements?: {
    /** Patterns of the words before the parties' names, with case. */
    openings?: readonly string[];
    /** Text of a separate line before the parties. */
    between?: PatternList;
    /** Words between the last two parties. */
    and?: PhraseList;
    /** Words before a party's name that are no part of it, such as "Mr" or an article. */
    partyLeads?: PhraseList;
    /** Folded names of the parties' roles, which are labels of parties in a list of key terms. */
    roles?: PhraseList;
    /** Words of a sentence that states how long an agreement is in force. */
    inForce?: PatternList;
    /** Words beside the period of notice. */
    notice?: PatternList;
    /** Words directly before a period in which something must be done. */
    deadline?: PatternList;
    /** Words directly after a period that begins with an event, such as "after" in "30 days after notice". */
    since?: PatternList;
    /** Words directly after a period that begins with the end of the agreement. */
    afterEnd?: PatternList;
    /** Words of a sentence that forbids something for a period. */
    restraint?: PatternList;
    /** Words of a sentence about the end or the renewal of the agreement, and about a breach of it. */
    ending?: PatternList;
    breach?: PatternList;
    /** Words before the role that a contract gives to the party named before them. */
    definers?: PatternList;
    /** Words that begin the description of a party after its name, with case. */
    partyDescriptions?: PatternList;
    /** Sentences that state the governing law, with the group `place`. */
    governingLaw?: readonly RegExp[];
  };
}
