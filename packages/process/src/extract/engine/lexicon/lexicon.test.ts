import { describe, expect, test } from 'vitest';
import { foldAccents, normaliseWord } from '@quire/text/language/fold';
import { wordsOf } from '../labels/phrase-book.ts';
import { CONCEPT_NAMES } from './concepts.ts';
import { DURATION_UNITS, type ConceptLabels, type ExtractionLanguage } from './language.ts';
import { LANGUAGES } from './languages.ts';
import { LABEL_PHRASES } from './lexicon.ts';
import { phrasesIn } from './phrase-lists.ts';
import { LABEL_WEIGHTS } from './weights.ts';

const FIELDS =
  'language labels generalLabels weakLabels genericWords yes no asPrinted months betweenDateParts compoundHeads durations ' +
  'companies nameLabels personTitles documentTitles streets wordsAfterAddress agreements periods sections employedAt ' +
  'schools';
const PATTERNS: readonly ((language: ExtractionLanguage) => string | undefined)[] = [
  ({ companies }) => companies?.legalForms,
  ({ companies }) => companies?.businessWords,
  ({ personTitles }) => personTitles,
  ({ documentTitles }) => documentTitles,
  ({ betweenDateParts }) => betweenDateParts,
  ({ streets }) => streets?.words,
  ({ streets }) => streets?.firstWords,
  ({ wordsAfterAddress }) => wordsAfterAddress,
  ({ periods }) => periods?.between,
  ({ periods }) => periods?.ongoing,
  ({ employedAt }) => employedAt,
  ({ schools }) => schools,
  ({ agreements }) => agreements?.between,
  ({ agreements }) => agreements?.partyDescriptions,
];

test('every language is registered once, under its BCP 47 tag', () => {
  const tags = LANGUAGES.map(({ language }) => language);
  expect(tags).toEqual([...new Set(Intl.getCanonicalLocales(tags))]);
});

describe.each(LANGUAGES.map((language) => [language.language, language] as const))(
  'the language file %s',
  (_, file) => {
    const tables = Object.keys(LABEL_WEIGHTS) as (keyof typeof LABEL_WEIGHTS)[];
    const labels: [string, string[]][] = tables.flatMap((table) =>
      Object.entries<string>(file[table] ?? ({} satisfies ConceptLabels)).map(([concept, list]): [string, string[]] => [
        concept,
        phrasesIn(list),
      ]),
    );

    test('has known fields and known concepts only', () => {
      expect(Object.keys(file).filter((field) => !FIELDS.split(' ').includes(field))).toEqual([]);
      expect(labels.filter(([concept]) => !CONCEPT_NAMES.some((name) => name === concept))).toEqual([]);
    });

    test('has folded labels, each once per concept', () => {
      const phrases = labels.flatMap(([, list]) => list);
      const unfolded = phrases.filter((phrase) =>
        phrase.split(' ').some((word) => word !== '…' && foldAccents(normaliseWord(word)) !== word),
      );
      expect(unfolded).toEqual([]);
      expect(phrases.filter((phrase) => wordsOf(phrase).length === 0)).toEqual([]);
      const repeated = CONCEPT_NAMES.flatMap((name) => {
        const own = labels.filter(([concept]) => concept === name).flatMap(([, list]) => list);
        return own.filter((phrase, index) => own.indexOf(phrase) !== index);
      });
      expect(repeated).toEqual([]);
    });

    test('has patterns that compile, without empty alternatives and without groups that capture', () => {
      for (const select of PATTERNS) {
        const list = select(file);
        if (list === undefined) continue;
        expect(phrasesIn(list).join('|')).toBe(list.trim().replaceAll(/\s*\|\s*/g, '|'));
        expect(new RegExp(`(?:${list.trim().replaceAll(/\s*\|\s*/g, '|')})|`, 'iu').exec('')).toHaveLength(1);
      }
      for (const pattern of file.agreements?.openings ?? [])
        expect(new RegExp(`${pattern}|`, 'u').exec('')).toHaveLength(1);
      for (const pattern of file.agreements?.governingLaw ?? []) expect(pattern.source).toContain('(?<place>');
    });

    test('has number words with whole numbers and units of durations', () => {
      const { numbers, units } = file.durations ?? { numbers: {}, units: {} };
      expect(Object.values(numbers).filter((value) => !Number.isInteger(value) || value < 1)).toEqual([]);
      expect(Object.keys(units).filter((unit) => !DURATION_UNITS.some((name) => name === unit))).toEqual([]);
      expect(Object.values(file.months ?? {}).filter((month) => month < 1 || month > 12)).toEqual([]);
    });
  },
);

test('labels carry the weight of their table', () => {
  const weightOf = (wanted: string): number | undefined =>
    LABEL_PHRASES.find(({ phrase, concept }) => phrase === wanted && concept === 'total')?.weight;
  expect(['grand total', 'total', 'amount', 'gesamt'].map(weightOf)).toEqual([1, 0.93, 0.72, 0.93]);
});
