import { describe, expect, test } from 'vitest';
import { searchHit } from '../../../../test/search-hit.ts';
import { isAnswered } from './answerability.ts';
import { hasOpposite, lacksRank } from './contrast.ts';
import { weighEvidence } from './evidence.ts';

const isAnsweredBy = async (question: string, ...texts: string[]): Promise<boolean> =>
  (await weighEvidence(question, { hits: texts.map((text) => searchHit(text)), denseModelId: null })).isAnswered;

describe('contrasts', () => {
  test.each([
    ['What happened after the war?', 'The bridge was built before the war.', true],
    ['What happened after the war?', 'After the war the bridge was built, before the town hall.', false],
    ['What did the treaty allow?', 'The treaty prohibits subsidies.', true],
    ['Which theory says they were civilized?', 'The theory calls them uncivilized.', true],
    ['Who increased the budget?', 'The council decreased the budget.', true],
    ['Where is the station?', 'The station is in the north.', false],
  ])('%s / %s: opposite %s', (question, sentence, expected) => {
    expect(hasOpposite(question, sentence)).toBe(expected);
  });

  test.each([
    ['Who was the first mayor?', 'Ann Lee was mayor from 1900 to 1910.', true],
    ['Who was the first mayor?', 'The first mayor was Ann Lee.', false],
    ['Which is the smallest lake?', 'The lake covers a hectare.', true],
    ['Which forest lies in the west?', 'The wood lies there.', false],
  ])('%s / %s: lacks a rank %s', (question, sentence, expected) => {
    expect(lacksRank(question, sentence)).toBe(expected);
  });
});

describe('the answerability of a question', () => {
  test.each([
    ['Who was mayor in 1900?', 'Ann Lee was mayor in 1900.', true],
    ['Who was mayor of Bergen in 1950?', 'Ann Lee was mayor in 1900.', false],
    ['Who was the last mayor?', 'Ann Lee was mayor in 1900.', false],
    ['What does the law forbid?', 'The law permits fishing by permit.', false],
    ['Which owls hunt fish?', 'Ann Lee was mayor in 1900.', false],
  ])('%s / %s: %s', async (question, text, expected) => {
    expect(await isAnsweredBy(question, text)).toBe(expected);
  });

  test('no chunks answer no question', async () => {
    expect(await isAnsweredBy('Who was mayor?')).toBe(false);
  });

  test('similarity compensates for other words if the weights were fitted for the model', () => {
    const signals = { coverage: 0.05, chunkCoverage: 0.05, hasOpposite: false, lacksRank: false, missingNames: 0 };
    expect(isAnswered({ ...signals, similarity: null }, 'en')).toBe(false);
    expect(isAnswered({ ...signals, similarity: 0.2 }, 'en')).toBe(false);
    expect(isAnswered({ ...signals, similarity: 0.6 }, 'en')).toBe(true);
  });
});

test('the second search combines names of the best sentence with open terms of the question', async () => {
  const hits = [searchHit('The film Kiss and Tell stars Shirley Temple as Corliss Archer.')];
  const question = 'What government position did the woman hold who played Corliss Archer in Kiss and Tell?';
  const { further } = await weighEvidence(question, { hits, denseModelId: null });
  expect(further).toBe('Shirley Temple government position woman hold played');
});

describe('questions in other languages', () => {
  const rules =
    'Die Ruhezeiten gelten von 22 bis 6 Uhr. Fahrräder dürfen nicht im Treppenhaus stehen. Haustiere sind nach Absprache erlaubt.';
  const warranty =
    '本製品の保証期間は購入日から2年間です。保証の対象は製造上の欠陥に限ります。返品は30日以内に受け付けます。';
  const english = 'Employees are entitled to 28 days of paid leave. They may work from home on three days of the week.';

  test.each([
    ['Darf mein Fahrrad im Treppenhaus stehen?', true],
    ['Wie hoch ist die Kaution?', false],
    ['返品は何日以内ですか', true],
    ['社長の名前は？', false],
    ['会社の所在地はどこですか？', false],
  ])('%s: %s, in a collection of several languages', async (question, expected) => {
    expect(await isAnsweredBy(question, english, rules, warranty)).toBe(expected);
  });

  test('only the sentence that answers is quoted', async () => {
    const { selection } = await weighEvidence('返品は何日以内ですか', {
      hits: [searchHit(warranty)],
      denseModelId: null,
    });
    expect(selection.quotes.map(({ text }) => text)).toEqual(['返品は30日以内に受け付けます。']);
  });
});
