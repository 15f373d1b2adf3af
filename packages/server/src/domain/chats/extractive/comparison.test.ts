import { expect, test } from 'vitest';
import { comparedIn } from './comparison.ts';

test.each([
  [
    'en',
    'Who was born earlier, the inventor of the loom or Ann Lee?',
    ['inventor of the loom', 'When was the inventor of the loom born?'],
    ['Ann Lee', 'When was Ann Lee born?'],
  ],
  [
    'en',
    'Which club is older, the dockers’ or the one formed by weavers?',
    ['dockers’ club', 'When is the dockers’ club?'],
    ['club formed by weavers', 'When is the club formed by weavers?'],
  ],
  ['en', 'Which lake is deeper, Ansel or Tirrin?', ['Ansel', 'How deep is Ansel?'], ['Tirrin', 'How deep is Tirrin?']],
  [
    'en',
    'Who died first, Ann Lee or Bob Ray?',
    ['Ann Lee', 'When did Ann Lee die?'],
    ['Bob Ray', 'When did Bob Ray die?'],
  ],
  [
    'en',
    'Was the pier built before the lighthouse of Oslo?',
    ['pier', 'When was the pier built?'],
    ['lighthouse of Oslo', 'When was the lighthouse of Oslo built?'],
  ],
  [
    'de',
    'Wer wurde früher geboren, der Erfinder des Webstuhls oder Anna Lee?',
    ['Erfinder des Webstuhls', 'Wann wurde der Erfinder des Webstuhls geboren?'],
    ['Anna Lee', 'Wann wurde Anna Lee geboren?'],
  ],
] as const)('%s: %s', (language, question, ...things) => {
  expect(comparedIn(question, language)?.map(({ text, question: own }) => [text, own])).toEqual(things);
});

test.each([
  ['en', 'Was the bridge built before 1900?'],
  ['en', 'Which is larger, red, green or blue?'],
  ['en', 'Who painted it, Ann Lee or Bob Ray?'],
  ['en', 'When the sun sets earlier, what do owls do?'],
  ['ja', '東京と京都はどちらが大きいですか'],
])('no comparison: %s: %s', (language, question) => {
  expect(comparedIn(question, language)).toBeNull();
});
