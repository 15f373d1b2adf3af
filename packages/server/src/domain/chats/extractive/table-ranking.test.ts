import { expect, test } from 'vitest';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { searchHit } from '../../../../test/search-hit.ts';
import { weighEvidence, type Evidence } from './evidence.ts';
import { Likenesses } from '../../search/likeness.ts';

const embedders = new LocalEmbedders();
const likenesses = new Likenesses(embedders);

/** Weighs tables of a report, each below its heading. */
const weigh = (question: string, ...tables: [heading: string, rows: string][]): Promise<Evidence> =>
  weighEvidence(
    question,
    tables.map(([heading, text]) =>
      searchHit(text, { documentId: 'report', documentName: 'Norvik 2023.pdf', chunkId: heading, headings: [heading] }),
    ),
    likenesses,
    new AbortController().signal,
  );

const SALES =
  'Segment (in millions) | 2023 | 2022\nRail | 900 | 800\nRoad | 500 | 250\nSea | 700 | 650\nTotal | 2,100 | 1,700';
const INCOME = 'Segment (in millions) | 2023 | 2022\nRail | 30 | 40\nRoad | 50 | 20\nSea | 70 | 60\nTotal | 150 | 120';
const BOTH: [string, string][] = [
  ['Net sales by segment', SALES],
  ['Operating income by segment', INCOME],
];

test.each([
  ['Which segment of Norvik brought in the most net sales in 2023?', 'Rail', '900 > 700 > 500'],
  ['Which segment of Norvik had the lowest operating income in 2023?', 'Rail', '30 < 50 < 70'],
  ["Which segment's net sales grew the most from 2022 to 2023 at Norvik?", 'Road', '250 → 500; 800 → 900; 650 → 700'],
  ['Which segment of Norvik performed best by top line growth in 2023?', 'Road', '250 → 500; 800 → 900; 650 → 700'],
  [
    'What was the worst performing segment of Norvik by growth in net sales in 2023?',
    'Sea',
    '650 → 700; 800 → 900; 250 → 500',
  ],
  ['Which segment of Norvik performed the best in 2023?', null, null],
  ['Which segment of Norvik performed best by growth in 2023?', null, null],
  ['Which segment of Norvik performed the best by net sales in 2023?', null, null],
  ['Which segment of Norvik brought in the most net sales in 2019?', null, null],
] as const)('%s is computed as %s', async (question, result, operands) => {
  const { computation } = await weigh(question, ...BOTH);
  expect(computation?.result ?? null).toBe(result);
  const texts = computation?.operands.map(
    ({ cell }, at) => (at === 0 ? '' : computation.signs[(at - 1) % computation.signs.length]) + cell.text,
  );
  expect(texts?.join('') ?? null).toBe(operands);
});

test('a table without all of its rows is not ranked', async () => {
  const part = SALES.replace('Sea | 700 | 650\n', '');
  expect(
    (await weigh('Which segment of Norvik had the most net sales in 2023?', ['Net sales by segment', part]))
      .computation,
  ).toBeNull();
});

const INCOME_STATEMENT =
  'in millions | 2023 | 2022\nNet sales | 2,000 | 1,600\nOperating income | 150 | 120\nNet income | 100 | 90';

test.each([
  ['What was the operating margin of Norvik in 2023?', '7.5 %'],
  ['What was the net profit margin of Norvik in 2022?', '5.6 %'],
  ['What was the gross margin of Norvik in 2023?', null],
  ['What was the operating margin of Norvik in 2019?', null],
] as const)('%s: %s', async (question, result) => {
  const { computation } = await weigh(question, ['Consolidated Statements of Income', INCOME_STATEMENT]);
  expect(computation?.result ?? null).toBe(result);
});

test('a margin is not computed over two different revenues', async () => {
  const other = 'in millions | 2023 | 2022\nNet sales | 700 | 650';
  const found = await weigh(
    'What was the operating margin of Norvik in 2023?',
    ['Statements of Income', INCOME_STATEMENT],
    ['Sea', other],
  );
  expect(found.computation).toBeNull();
});

test('a list is quoted whole', async () => {
  const { selection, confidence } = await weigh('Which securities of Norvik are registered?', [
    'Securities registered under the act',
    'Title | Symbol\nOrdinary shares | NV\nNotes due 2027 | NV27\nNotes due 2029 | NV29\nThese are all that the company has issued.',
  ]);
  expect(selection.quotes.map(({ text }) => text)).toEqual([
    'Ordinary shares | NV',
    'Notes due 2027 | NV27',
    'Notes due 2029 | NV29',
  ]);
  expect(confidence).toBe(0.6);
});

test('a German question for the segment with the highest value is not answered by a cell of one with the name', async () => {
  const rows = 'Segment (in Mio. EUR) | 2023 | 2022\nAntriebe | 900 | 800\nService | 950 | 250\nSumme | 1.850 | 1.050';
  const tables: [string, string][] = [['Umsatz nach Segmenten', rows]];
  const asked = async (question: string): Promise<Evidence> => weigh(question, ...tables);
  const highest = await asked('Welches Segment von Norvik hatte im Geschäftsjahr 2023 den höchsten Umsatz?');
  expect(highest.computation?.result).toBe('Service');
  const best = await asked('Welches Segment von Norvik Antriebe war 2023 am besten?');
  expect(best.confidence).toBeLessThan(0.9);
});
