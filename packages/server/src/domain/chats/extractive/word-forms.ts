/**
 * Relates words of a question to other forms of them in texts, which the stemmer keeps apart: "wrote" to "written",
 * "gegründet" to "Gründung", "détartrer" to "détartrage".
 */
import type { RelatedTerms } from './demonyms.ts';
import { analyse } from './reading.ts';
import { FAMILIES } from './word-families.ts';

const WORDS = /[\p{L}\p{M}]+/gu;
const GERMAN_PREFIX =
  /^(?:zurück|zusammen|wieder|nieder|durch|hinter|gegen|über|unter|nach|fest|fort|heim|miss|statt|teil|weg|weiter|vor|ver|zer|ent|emp|los|mit|her|hin|auf|aus|bei|ein|be|er|ab|an|um|zu)(?=\p{L}{3})/u;
const GERMAN_PARTICIPLE = /^ge(?=\p{L}{2,30}(?:t|en)$)/u;
const GERMAN_ENDING = /(?:(?:e?t)?e(?:st|t|n)?|st|t|n)$/u;
const GERMAN_NOUN_ENDING = /(?:ungen|ung|(?<=\p{L}{4})(?:erinnen|erin|ern?)|en|e|n)$/u;
/** Minimum length of a German root, in letters. */
const MIN_ROOT = 3;
/** Languages in which a stem that another one begins with is of the same family. */
const BY_BEGINNING = new Set(['fr', 'es', 'it', 'pt', 'nl']);
/** Minimum length of such a stem, and by how many letters the other one may be longer. */
const MIN_STEM = 6;
const MAX_LONGER = 4;

/** Returns the terms of the texts that are other forms of a term of the question. */
export function formsIn(
  question: string,
  texts: readonly string[],
  language: string | null,
): Map<string, RelatedTerms> {
  const held = heldIn(texts, language);
  const forms = new Map<string, RelatedTerms>();
  for (const word of new Set(question.match(WORDS) ?? [])) {
    const [term, ...others] = analyse(word, language);
    if (term === undefined || others.length > 0) continue;
    const found = [
      ...rootsOf(word, language).flatMap((root) => [...(held.byRoot.get(root) ?? [])]),
      ...(BY_BEGINNING.has(language ?? '') ? held.terms.filter((other) => isLonger(term, other)) : []),
    ];
    const related = [...new Set(found)].filter((other) => other !== term);
    if (related.length > 0) {
      forms.set(
        term,
        related.map((other) => [other]),
      );
    }
  }
  return forms;
}

function heldIn(
  texts: readonly string[],
  language: string | null,
): { byRoot: ReadonlyMap<string, ReadonlySet<string>>; terms: readonly string[] } {
  const byRoot = new Map<string, Set<string>>();
  const terms = new Set<string>();
  for (const word of new Set(texts.flatMap((text) => text.match(WORDS) ?? []))) {
    const own = analyse(word, language);
    for (const term of own) terms.add(term);
    for (const root of own.length === 1 ? rootsOf(word, language) : []) {
      byRoot.set(root, (byRoot.get(root) ?? new Set()).add(own[0] ?? ''));
    }
  }
  return { byRoot, terms: [...terms] };
}

/** Returns whether one stem is the beginning of the other. */
function isLonger(stem: string, other: string): boolean {
  const [short, long] = stem.length < other.length ? [stem, other] : [other, stem];
  return short.length >= MIN_STEM && long.length - short.length <= MAX_LONGER && long.startsWith(short);
}

/** Returns the roots of a word, by which forms of one family are found. */
function rootsOf(word: string, language: string | null): readonly string[] {
  if (language === 'de') return germanRootsOf(word);
  const { byForm, byTerm } = basesIn(language ?? 'en');
  const [term = ''] = analyse(word, language);
  return byForm.get(word.toLowerCase()) ?? byTerm.get(term) ?? [];
}

/** Returns the root without prefix and with it. */
function germanRootsOf(word: string): string[] {
  const lower = word.toLowerCase();
  const isNoun = /^\p{Lu}/u.test(word);
  const [prefix = ''] = GERMAN_PREFIX.exec(lower) ?? [];
  return [
    ...new Set(['', prefix].map((before) => [before, germanRootOf(lower.slice(before.length), isNoun)] as const)),
  ].flatMap(([before, root]) => (root.length < MIN_ROOT ? [] : [`${before}-${root}`]));
}

function germanRootOf(form: string, isNoun: boolean): string {
  const { byForm } = basesIn('de');
  const bare = form.replace(GERMAN_PARTICIPLE, '');
  const base = byForm.get(form)?.[0] ?? byForm.get(`ge${form}`)?.[0];
  if (base !== undefined) return base.replace(/e?n$/u, '');
  return withoutEnding(bare, isNoun ? GERMAN_NOUN_ENDING : GERMAN_ENDING);
}

/** Roots that end in t are without it: "startet" is "start" and "et", or "star" and "tet". */
const withoutEnding = (form: string, ending: RegExp): string => form.replace(ending, '').replace(/t{1,3}$/u, '');

interface Bases {
  byForm: ReadonlyMap<string, readonly string[]>;
  /** Bases by their own term: "writing" has that of "write". */
  byTerm: ReadonlyMap<string, readonly string[]>;
}
const bases = new Map<string, Bases>();

function basesIn(language: string): Bases {
  const known = bases.get(language);
  if (known !== undefined) return known;
  const byForm = new Map<string, string[]>();
  const byTerm = new Map<string, string[]>();
  for (const row of (FAMILIES[language] ?? '').split(',')) {
    const [base = '', ...forms] = row.trim().split(/\s+/u);
    if (base === '') continue;
    for (const form of [base, ...forms]) byForm.set(form, [...(byForm.get(form) ?? []), base]);
    const [term = base] = analyse(base, language);
    byTerm.set(term, [...(byTerm.get(term) ?? []), base]);
  }
  const made = { byForm, byTerm };
  bases.set(language, made);
  return made;
}
