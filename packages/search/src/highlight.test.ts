import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyseQuery, termsOf } from '@quire/text/language/analyse-query';
import { highlightsOf, QueryMatcher, snippetOf as snippetAround } from './highlight.ts';

const snippetOf = (text: string, terms: readonly string[], language: string | null, length?: number) =>
  snippetAround(text, new QueryMatcher(terms).matchesIn(text, language), length);

const marked = (text: string, query: string, language: string | null) => {
  const terms = termsOf(analyseQuery(query, [{ language, documents: 1 }]));
  return highlightsOf(new QueryMatcher(terms).matchesIn(text, language)).map(([start, end]) => text.slice(start, end));
};

test.each([
  ['other inflections', 'The wings were lifted by winging it', 'wing lift', 'en', ['wings', 'lifted', 'winging']],
  ['accents left out', 'Une génération élevée', 'generation elevee', 'fr', ['génération', 'élevée']],
  ['pairs of characters, as one stretch', '全文検索エンジンの検索', '検索エンジン', 'ja', ['検索エンジン', '検索']],
  ['a code and its parts', 'see ERR_CONN_4711, not 4711', 'err_conn_4711', 'en', ['ERR_CONN_4711', '4711']],
  ['a part of a compound alone', 'a state-of-the-art rotor', 'art', 'en', ['art']],
  ['Thai words', 'ผมชื่อสมชาย', 'ชื่อ', 'th', ['ชื่อ']],
  ['Arabic with vowel signs', 'قرأ الكِتابَ اليوم', 'كتاب', 'ar', ['الكِتابَ']],
  ['places behind characters of two units', '😀😀 wing', 'wing', 'en', ['wing']],
  ['nothing where nothing matches', 'rotor', 'wing', 'en', []],
])('highlights %s', (_name, text, query, language, expected) => {
  expect(marked(text, query, language)).toEqual(expected);
});

const filler = 'Nothing of interest is said in this sentence. ';

test('starts the snippet at the sentence with most of the terms', () => {
  const point = 'The wing gives lift to the aeroplane. ';
  const text = `A wing. ${filler.repeat(20)}${point}${filler.repeat(20)}`;
  const snippet = snippetOf(text, ['wing', 'lift'], 'en');
  expect(snippet.text).toContain(point);
  expect(snippet.text.startsWith('Nothing of')).toBe(true);
  expect(snippet.text).toBe(text.slice(snippet.start, snippet.end));
});

test('starts at the beginning when nothing matches, and returns a short text whole', () => {
  expect(snippetOf(filler.repeat(20), ['wing'], 'en').start).toBe(0);
  expect(snippetOf('A wing.', ['wing'], 'en')).toEqual({ start: 0, end: 7, text: 'A wing.' });
  expect(snippetOf('', ['wing'], 'en')).toEqual({ start: 0, end: 0, text: '' });
});

test('cuts between words', () => {
  const words = Array.from({ length: 200 }, (_, number) => `w${number}`);
  const { text } = snippetOf(words.join(' '), ['w100'], null);
  expect(words).toEqual(expect.arrayContaining(text.trim().split(' ')));
  expect(text).toContain(' w100 ');
});

test('keeps its length, highlights inside the text, and whole characters', () => {
  const texts = fc.array(
    fc.oneof(fc.constantFrom('wing', 'lift', '検索', '😀', 'résumé'), fc.string({ unit: 'grapheme' })),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(' ', '', '. '), (words, space) => {
      const text = words.join(space);
      const snippet = snippetOf(text, ['wing', '検索', 'lift'], 'en', 60);
      expect(snippet.text).toBe(text.slice(snippet.start, snippet.end));
      expect(snippet.text.length).toBeLessThanOrEqual(60 + 2 * 40);
      expect(() => encodeURIComponent(snippet.text)).not.toThrow();
      let previous = -1;
      for (const [start, end] of highlightsOf(new QueryMatcher(['wing', '検索', 'lift']).matchesIn(text, 'en'))) {
        expect(start).toBeGreaterThan(previous);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        previous = end;
      }
    }),
  );
});
