import { expect, test } from 'vitest';
import { partsOf } from './plan.ts';

test.each([
  ['en', 'Were Ann Lee and Bob Ray born in Oslo?', ['Were Ann Lee born in Oslo?', 'Were Bob Ray born in Oslo?']],
  ['en', 'Is the Oslo tower or Big Ben taller?', ['Is the Oslo tower taller?', 'Is the Big Ben taller?']],
  [
    'en',
    'When was the tower in Oslo built, and who designed Big Ben?',
    ['When was the tower in Oslo built?', 'Who designed Big Ben?'],
  ],
  [
    'de',
    'Sind Ann Lee und Bob Ray in Oslo geboren?',
    ['Sind Ann Lee in Oslo geboren?', 'Sind Bob Ray in Oslo geboren?'],
  ],
  ['en', 'When was the tower built and who designed it?', null],
  ['en', 'How long is the bridge and how long do owls live?', ['How long is the bridge?', 'How long do owls live?']],
  ['de', 'Wie lang ist die Brücke und wie alt ist sie?', null],
  ['de', 'Wie lang ist die Brücke und wie alt werden Eulen?', ['Wie lang ist die Brücke?', 'Wie alt werden Eulen?']],
  [
    'en',
    'Which words come from Latin and from the Alabama language?',
    ['Which words come from Latin language?', 'Which words come from from the Alabama language?'],
  ],
  [
    'en',
    'Were Oslo and Rome founded in the same year?',
    ['Were Oslo founded in which year?', 'Were Rome founded in which year?'],
  ],
  [
    'en',
    'Do both Oslo and Rome have more than 15,000 people?',
    ['Do Oslo have how many people?', 'Do Rome have how many people?'],
  ],
  ['en', 'Which birds hunt mice and voles?', null],
  ['en', 'When did the painter of Girl with a Red Hat die?', null],
  ['en', 'Is Oslo old compared with Rome?', ['Is Oslo old compared?', 'Is Rome?']],
  ['ja', '東京と京都はどちらが大きいですか', null],
] as const)('%s: %s', (language, question, parts) => {
  expect(partsOf(question, language)).toEqual(parts ?? [question]);
});
