import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { analyseQuery } from './analyse-query.ts';
import { analyse, analyseChunks, analyseSpans, TermFinder } from './analyse.ts';

const cases: [script: string, language: string | null, text: string, terms: string[]][] = [
  ['English', 'en', 'The universities were running generously', ['univers', 'run', 'gener']],
  ['German', 'de', 'Die Häuser der Straße, schöne Datenbanken', ['haus', 'strass', 'schon', 'datenbank']],
  ['French with elisions', 'fr', "L’homme s’est élevé à l'école", ['homm', 'elev', 'ecol']],
  ['Polish without a stemmer', 'pl', 'Żółć łódź', ['zolc', 'lodz']],
  ['Turkish', 'tr', "İstanbul'daki kitaplar ışık", ['istanbul', 'daki', 'kitap', 'isik']],
  ['Greek with a final sigma in capitals', 'el', 'ΔΡΌΜΟΥΣ δρόμους', ['δρομ', 'δρομ']],
  ['Russian', 'ru', 'Документами о лисах ещё', ['документ', 'лис']],
  ['Arabic with vowel signs, particles and its own digits', 'ar', 'والمكتبات الكِتابُ ٤٧١١', ['مكتب', 'كتاب', '4711']],
  ['Hebrew with points and gershayim', 'he', 'בְּרֵאשִׁית צה״ל', ['בראשית', 'צהל']],
  ['Hindi', 'hi', 'यह लड़कों की किताबें हैं', ['लड़क', 'किताब']],
  ['Chinese', 'zh', '混合检索', ['混', '合', '检', '索', '混合', '合检', '检索']],
  ['Japanese of one character', 'ja', '猫', ['猫']],
  ['half-width kana and full-width letters', 'ja', 'ﾃﾞｰﾀ ＡＢＣ', ['デ', 'ー', 'タ', 'デー', 'ータ', 'abc']],
  ['Korean', 'ko', '검색을', ['검', '색', '을', '검색', '색을']],
  ['Thai', 'th', 'สวัสดีครับผมชื่อสมชาย', ['สวัสดี', 'ครับ', 'ผม', 'ชื่อ', 'สมชาย']],
  ['Lao', 'lo', 'ປະເທດລາວ', ['ປະເທດ', 'ລາວ']],
  ['Khmer', 'km', 'ស្រឡាញ់ប្រទេសកម្ពុជា', ['ស្រឡាញ់', 'ប្រទេស', 'កម្ពុជា']],
  ['an unknown language, as English', null, 'Digital Computers', ['digit', 'comput']],
  ['no words at all', null, '😀 *** ---', []],
];

describe('analyse', () => {
  test.each(cases)('cuts %s', (_script, language, text, terms) => {
    expect(analyse(text, language)).toEqual(terms);
  });

  test.each([
    ['ERR_CONN_4711', ['err', 'conn', '4711', 'err_conn_4711']],
    ['foo.bar()', ['foo', 'bar', 'foo.bar']],
    ['AB-12/3', ['ab', '12', '3', 'ab-12/3']],
    ['getUserName', ['getusernam', 'get', 'user', 'name']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['windows10', ['windows10', 'window', '10']],
    ['C++ and C#', ['c++', 'c', 'c#', 'c']],
    ['v1.2.3', ['v1', '2', '3', 'v1.2.3']],
    ['jane@example.org', ['jane', 'exampl', 'org', 'jane@example.org']],
    ['PDFs', ['pdf']],
  ])('finds the code %s whole and in parts', (text, terms) => {
    expect(analyse(text, 'en')).toEqual(terms);
  });

  test.each([
    ['1,000,000', ['1000000']],
    ['1.000.000,50', ['1000000.50']],
    ['3.14 and 3,14', ['3.14', '3.14']],
    ['2024-01-05', ['2024', '01', '05', '2024-01-05']],
  ])('keeps the number %s', (text, terms) => {
    expect(analyse(text, 'en')).toEqual(terms);
  });

  test('writes one term for the spellings of one word', () => {
    const spellings = ['café', 'cafe\u0301', 'CAFÉ', 'cafe', 'ca\u00adfé'];
    expect(spellings.map((word) => analyse(word, 'en'))).toEqual(spellings.map(() => ['cafe']));
  });

  test('finds a hyphenated word by its parts and joined', () => {
    expect(analyse('e-mail', 'en')).toEqual(['e', 'mail', 'email']);
    expect(analyse('and/or U.S.A.', 'de')).toEqual(['and', 'or', 'usa']);
  });

  test('treats words in capitals as abbreviations, not as stop words', () => {
    expect(analyse('the US and IT told us it', 'en')).toEqual(['us', 'it', 'told']);
  });

  test('counts headings twice', () => {
    expect(analyseChunks([{ headings: ['Lift'], text: 'of wings' }], 'en')).toEqual([['lift', 'lift', 'wing']]);
  });

  test('adds the first 32 terms of the document to a later chunk without headings', () => {
    const first = Array.from({ length: 40 }, (_, index) => `x${index}`);
    const chunks = [
      { headings: [], text: first.join(' ') },
      { headings: ['Lift'], text: 'wings' },
      { headings: [], text: 'slipstream' },
    ];
    expect(analyseChunks(chunks, 'en')).toEqual([
      first,
      ['lift', 'lift', 'wing'],
      ['slipstream', ...first.slice(0, 32)],
    ]);
    expect(analyseChunks([], 'en')).toEqual([]);
  });

  test('returns terms without white space, of at most 64 units, at their original places', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.constantFrom('en', 'th', 'ja', null),
        (text, language) => {
          const spans = analyseSpans(text, language);
          expect(spans.map((span) => span.term)).toEqual(analyse(text, language));
          for (const { start, end, term } of spans) {
            expect(term).toMatch(/^\S{1,300}$/u);
            expect(start).toBeLessThan(end);
            expect(end).toBeLessThanOrEqual(text.length);
          }
        },
      ),
    );
  });

  test('cuts a word of any length at 64 units', () => {
    expect(analyse('x'.repeat(5000), 'en')).toEqual(['x'.repeat(64)]);
  });

  test('returns the place of a part within its compound', () => {
    expect(analyseSpans('Foo-bar 検索', 'ja')).toEqual([
      { start: 0, end: 3, term: 'foo' },
      { start: 4, end: 7, term: 'bar' },
      { start: 0, end: 7, term: 'foobar' },
      { start: 8, end: 9, term: '検' },
      { start: 9, end: 10, term: '索' },
      { start: 8, end: 10, term: '検索' },
    ]);
  });
});

describe('analyseQuery', () => {
  const mixed = [
    { language: 'en', documents: 50 },
    { language: 'de', documents: 45 },
    { language: 'fr', documents: 5 },
  ];

  test('queries pairs of characters, and a single character only if there is no pair', () => {
    expect(analyseQuery('全文検索 猫', [{ language: 'ja', documents: 1 }])).toEqual(['全文', '文検', '検索', '猫']);
  });

  test('follows the function words if they identify the language', () => {
    expect(analyseQuery('Wer war der König von Preußen', mixed)).toEqual([
      'konig',
      { terms: ['preuss'], otherwise: ['preussen'] },
    ]);
    expect(analyseQuery('dans quelle ville', mixed)).toEqual(['vill']);
  });

  test('queries a word in the form of every main language if nothing identifies the language', () => {
    expect(analyseQuery('die casting', mixed)).toEqual([
      { terms: ['die'], otherwise: ['di'] },
      { terms: ['cast', 'casting'], otherwise: [] },
    ]);
  });

  test('includes the form of a word in the languages of few documents, which may be the only ones with it', () => {
    const few = [
      { language: 'en', documents: 99 },
      { language: 'de', documents: 1 },
    ];
    expect(analyseQuery('Kündigungsfristen 2024', few)).toEqual([
      { terms: ['kundigungsfristen'], otherwise: ['kundigungsfrist'] },
      '2024',
    ]);
    expect(analyseQuery('the der', few)).toEqual(['der']);
  });

  test('repeats the term of a repeated word', () => {
    expect(analyseQuery('wing wings tail wing', [{ language: 'en', documents: 3 }])).toEqual([
      'wing',
      'wing',
      'tail',
      'wing',
    ]);
  });

  test('works if no language is known', () => {
    expect(analyseQuery('part AB-12', [])).toEqual(['part', 'ab', '12', 'ab-12']);
  });
});

test('terms are found at the positions of the full analysis, in every language', () => {
  const languages = [
    'ar',
    'da',
    'de',
    'en',
    'es',
    'fi',
    'fr',
    'ga',
    'hu',
    'id',
    'it',
    'lt',
    'ms',
    'nl',
    'no',
    'pt',
    'ro',
    'sv',
    'tr',
  ];
  const word = fc.stringMatching(/^[A-Za-zäéïø'.-]{1,12}$/);
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 30 }),
      fc.constantFrom(...languages, null),
      fc.nat(),
      (words, language, pick) => {
        const text = words.join(' ');
        const all = analyseSpans(text, language);
        const wanted = new Set(all.filter((_, index) => (index + pick) % 3 === 0).map(({ term }) => term));
        expect(new TermFinder(wanted, language).spansIn(text)).toEqual(all.filter(({ term }) => wanted.has(term)));
      },
    ),
    { numRuns: 500 },
  );
});

test('a word that the Bulgarian stemmer rejects is its own stem', () => {
  expect(analyse('игщси', 'bg')).toEqual(['игщси']);
});

test('finds every English word by the start of its stem, regardless of the removed suffix', () => {
  const endings = [
    '',
    's',
    'es',
    'ed',
    'eed',
    'edly',
    'ing',
    'ingly',
    'y',
    'ies',
    'ied',
    'ying',
    'yed',
    'ly',
    'ation',
    'e',
    'ational',
    'ization',
    'ability',
    'iveness',
    'ousli',
    'icity',
    'eness',
  ];
  const word = fc.tuple(fc.stringMatching(/^[a-z]{1,7}$/), fc.constantFrom(...endings)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(word, (text) => {
      const spans = analyseSpans(text, 'en');
      expect(new TermFinder(new Set(spans.map(({ term }) => term)), 'en').spansIn(text)).toEqual(spans);
    }),
    { numRuns: 20_000 },
  );
});
