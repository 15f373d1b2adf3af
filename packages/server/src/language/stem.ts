/** Snowball stemmers by language; languages without one are left as they are. */
import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as irish } from '@orama/stemmers/irish';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian';
import { stemmer as nepali } from '@orama/stemmers/nepali';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as serbian } from '@orama/stemmers/serbian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { foldAccents } from './fold.ts';

/** `and`, `so`, `by`, `like`, written together with the article of the next word; Snowball leaves them. */
const ARABIC_PARTICLE = /^[وفبك](?=ال\p{L}{2})/u;

const STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  ar: (word) => arabic(word.replace(ARABIC_PARTICLE, '')),
  bg: bulgarianOrSame,
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  // Typed without accents as often as with: PIAF's queries without them .805 folded first, .796 after; with them no change.
  fr: (word) => french(foldAccents(word)),
  ga: irish,
  hi: hindi,
  hu: hungarian,
  hy: armenian,
  id: indonesian,
  it: italian,
  lt: lithuanian,
  ms: indonesian,
  ne: nepali,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sr: serbian,
  sv: swedish,
  ta: tamil,
  tr: turkish,
  uk: ukrainian,
};

const ASCII_LETTERS = /^[a-z]+$/u;

/**
 * The stem of a lower-case word; the word itself for languages without a stemmer. Where the language is unknown (titles,
 * labels), plain ASCII words are taken for English: left unstemmed, no stemmed query would find them.
 */
export function stem(word: string, language: string | null): string {
  const stemmer = language === null ? (ASCII_LETTERS.test(word) ? english : undefined) : STEMMERS[language];
  return (stemmer?.(word) ?? '') || word;
}

/** The Bulgarian stemmer throws at some plurals (it assigns to a letter of a string); such a word is its own stem. */
function bulgarianOrSame(word: string): string {
  try {
    return bulgarian(word);
  } catch (error) {
    if (error instanceof TypeError) return word;
    throw error;
  }
}
