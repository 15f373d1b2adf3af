import { describe, expect, test } from 'vitest';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { searchHit } from '../../../../../test/search-hit.ts';
import { weighEvidence, type Evidence } from '../evidence.ts';
import { Likenesses } from '../../../search/likeness.ts';
import { figureSearches } from './figure-searches.ts';

const embedders = new LocalEmbedders();
const likenesses = new Likenesses(embedders);

interface Table {
  heading: string;
  rows: string;
  file?: string;
}

const weigh = (question: string, ...tables: Table[]): Promise<Evidence> =>
  weighEvidence(
    question,
    tables.map(({ heading, rows, file = 'Norvik 2023.pdf' }) =>
      searchHit(rows, { documentId: file, documentName: file, chunkId: `${file} ${heading}`, headings: [heading] }),
    ),
    likenesses,
    new AbortController().signal,
  );

const INCOME: Table = {
  heading: 'Consolidated Statements of Income',
  rows: `in millions | 2023 | 2022 | 2021
Net sales | 2,000 | 1,600 | 1,500
Cost of sales | 1,200 | 1,000 | 930
Operating income | 150 | 160 | 120
Net income | 100 | 90 | 95`,
};
const BALANCE: Table = {
  heading: 'Consolidated Balance Sheets',
  rows: `in millions | 2023 | 2022
Cash and cash equivalents | 80 | 95
Accounts receivable, net | 110 | 90
Inventories | 150 | 130
Total current assets | 400 | 350
Total assets | 900 | 860
Accounts payable | 60 | 70
Total current liabilities | 250 | 200`,
};
const CASH: Table = {
  heading: 'Consolidated Statements of Cash Flows',
  rows: `in millions | 2023 | 2022 | 2021
Net cash provided by operating activities | 180 | 170 | 160
Capital expenditures | (40) | (35) | (30)
Net cash used in investing activities | (45) | (40) | (33)
Inventories | (20) | 11 | 9
Dividends paid | (20) | (20) | (20)
Net cash used in financing activities | (70) | (60) | (50)`,
};
const REPORT = [INCOME, BALANCE, CASH];

/** The computation as the answer shows it, without marks. */
function shownIn({ computation }: Evidence): string | null {
  if (computation === null) return null;
  const { result, link = ' = ', operands, around = [] } = computation;
  return `${result}${link}${around[0] ?? ''}${operands.map(({ cell }, at) => cell.text + (around[at + 1] ?? '')).join('')}`;
}

describe('figures without a cell', () => {
  test.each([
    ["What is Norvik's quick ratio for FY2023?", '1.00 = (400 − 150) ÷ 250'],
    ['What was the current ratio of Norvik in 2022?', '1.75 = 350 ÷ 200'],
    ['How much working capital did Norvik have in 2023?', '150 = 400 − 250'],
    ['What is the days payable outstanding of Norvik for 2023?', '18.3 days = 60 ÷ 1,200 × 365'],
    ['What was the inventory turnover of Norvik in 2023?', '8.57 = 1,200 ÷ ((130 + 150) ÷ 2)'],
    ['What is the gross margin of Norvik for 2023?', '40.0 % = (2,000 − 1,200) ÷ 2,000'],
    ['Is Norvik a capital-intensive business based on 2023 data?', '2.0 % = |(40)| ÷ 2,000'],
    [
      'What is the 2023 capital expenditure amount (in USD millions) for Norvik?',
      '(40) (Capital expenditures, 2023): (40)',
    ],
    ['How high was revenue at Norvik in 2022?', '1,600 (Net sales, 2022): 1,600'],
    [
      'What is the 2023 days payable outstanding (DPO) of Norvik? DPO is defined as: 365 * (average accounts payable between 2022 and 2023) / 2023 COGS.',
      '19.8 days = 365 × (((70 + 60) ÷ 2)) ÷ 1,200',
    ],
    [
      'What is the 2021 - 2023 3 year average of the net profit margin of Norvik?',
      '5.7 %: 95 ÷ 1,500 = 6.3 % → 90 ÷ 1,600 = 5.6 % → 100 ÷ 2,000 = 5.0 %',
    ],
    ['How much free cash flow did Norvik generate in 2023?', '140 = 180 − |(40)|'],
  ] as const)('%s', async (question, shown) => {
    const found = await weigh(question, ...REPORT);
    expect(shownIn(found)).toBe(shown);
    expect(found.confidence).toBe(0.9);
  });

  test.each([
    ['What is the quick ratio of Norvik for 2015?'],
    ['What is the quick ratio of the Rail segment of Norvik for 2023?'],
    ['What is the adjusted operating margin of Norvik for 2023?'],
    ['What is the return on equity of Norvik for 2023?'],
    ['What is the quick ratio of Bexley Foundries for 2023?'],
    ['Did the goodwill of Norvik increase in 2023?'],
    ['Did net sales of Norvik grow by more than 40 % in 2023?'],
    ['Was net income of Norvik higher in 2023 than in 2014?'],
    ['By what percentage did net sales of Norvik grow in 2021?'],
    ['Did the intangible assets of Norvik grow in 2023?'],
    ['How much revenue from licensing did Norvik report for 2023?'],
    ['What is the net profit margin per employee of Norvik for 2023?'],
    ['What is the burn ratio of Norvik? It is defined as: 2023 revenue / (average headcount in 2023).'],
  ])('nothing is computed: %s', async (question) => {
    const { computation } = await weigh(question, ...REPORT);
    expect(computation).toBeNull();
  });

  test('a German question is not answered from the report of another company', async () => {
    const table = (company: string, sales: string): Table => ({
      heading: 'Gewinn- und Verlustrechnung',
      file: `${company} 2023.pdf`,
      rows: `in Mio. EUR | 2023 | 2022\nUmsatzerlöse | ${sales} | 80\nBetriebsergebnis | 10 | 8`,
    });
    const tables = [table('Haldern Pumpen', '100'), table('Norvik Lagertechnik', '200')];
    const asked = async (company: string): Promise<string | null> =>
      shownIn(await weigh(`Welche EBIT-Marge erzielte ${company} im Jahr 2023?`, ...tables));
    expect(await asked('Norvik Lagertechnik')).toBe('5.0 % = 10 ÷ 200');
    expect(await asked('Bexley Stahlbau')).toBeNull();
  });

  test('items in different units are not computed with each other', async () => {
    const thousands = { ...INCOME, rows: INCOME.rows.replace('in millions', '(in thousands)') };
    const { computation } = await weigh('What is the days payable outstanding of Norvik for 2023?', thousands, {
      ...BALANCE,
      rows: BALANCE.rows.replace('in millions', '(in millions)'),
    });
    expect(computation).toBeNull();
  });

  test('a row of a part of the company does not count against the consolidated statement', async () => {
    const rail = {
      heading: 'Rail',
      rows: 'in millions | 2023 | 2022\nNet sales | 900 | 800\nOperating income | 60 | 50',
    };
    expect(shownIn(await weigh('What was the operating margin of Norvik in 2023?', rail, ...REPORT))).toBe(
      '7.5 % = 150 ÷ 2,000',
    );
  });
});

const ADJUSTED: Table = {
  heading: 'Adjusted non-GAAP results',
  rows: `in millions | 2023 | 2022 | Reported change % | Comparable constant currency change %
Net sales | 2,000 | 1,600 | 25 | (3)
Operating income | 190 | 170 | 12 | 7`,
};

const RECONCILIATION: Table = {
  heading: 'Reconciliation of non-GAAP measures',
  rows: `| Twelve Months Ended June 30, 2022 | | Twelve Months Ended June 30, 2023 |
(in millions) | EBITDA | Net income | EBITDA | Net income
Net income | 90 | 90 | 100 | 100
Adjusted EBITDA and Net income | 310 | 115 | 330 | 125
Adjusted EBITDA | 310 | | 330 |
% growth - Adjusted EBITDA and Net income | | | (5) | (4)`,
};
const QUARTER: Table = {
  heading: 'Reconciliation of non-GAAP measures of the quarter',
  rows: `| Three Months Ended June 30, 2022 | | Three Months Ended June 30, 2023 |
(in millions) | EBITDA | Net income | EBITDA | Net income
Adjusted EBITDA and Net income | 71 | 25 | 72 | 26`,
};

describe('adjusted figures', () => {
  test.each([
    ['What was the adjusted EBITDA of Norvik in 2023?', '330'],
    ['How high was the non-GAAP net income of Norvik in 2022?', '115'],
    ['What was the adjusted EBIT of Norvik in 2023?', null],
    ['What was the adjusted EBITDA of Norvik in 2021?', null],
    ['What was the adjusted EBITDA of Bexley in 2023?', null],
  ] as const)('%s', async (question, value) => {
    const { computation } = await weigh(question, ...REPORT, RECONCILIATION, QUARTER);
    expect(computation?.operands[0]?.cell.text ?? null).toBe(value);
  });

  test('tables that differ are not decided between', async () => {
    const other = {
      ...RECONCILIATION,
      heading: 'Other non-GAAP measures',
      rows: RECONCILIATION.rows.replaceAll('330', '340'),
    };
    const { computation } = await weigh('What was the adjusted EBITDA of Norvik in 2023?', RECONCILIATION, other);
    expect(computation).toBeNull();
  });
});

describe('growth without currency effects', () => {
  test.each([
    [
      'How much did net sales of Norvik change in 2023, if we exclude the impact of currency movements?',
      '−3 % (Net sales, Comparable constant currency change %): (3)',
    ],
    [
      'At constant exchange rates, how much did the adjusted operating income of Norvik grow in 2023?',
      '7 % (Operating income, Comparable constant currency change %): 7',
    ],
    ['How much did net sales of Norvik change in 2022 without currency effects?', null],
    ['At constant exchange rates, how much did the operating income of Norvik grow in 2023?', null],
    ['At constant exchange rates, how much did the inventories of Norvik grow in 2023?', null],
  ] as const)('%s', async (question, shown) => {
    expect(shownIn(await weigh(question, ...REPORT, ADJUSTED))).toBe(shown);
  });

  test('nothing is computed from the figures as reported', async () => {
    const { computation } = await weigh(
      'How much did net sales of Norvik change in 2023 at constant currency?',
      INCOME,
    );
    expect(computation).toBeNull();
  });
});

test.each([
  [
    'What were the operating margins of Norvik in each of the last three years up to 2023?',
    '8.0 % → 10.0 % → 7.5 %: 120 ÷ 1,500 = 8.0 % → 160 ÷ 1,600 = 10.0 % → 150 ÷ 2,000 = 7.5 %',
  ],
  [
    'How did the net margin of Norvik develop from 2021 to 2023?',
    '6.3 % → 5.6 % → 5.0 %: 95 ÷ 1,500 = 6.3 % → 90 ÷ 1,600 = 5.6 % → 100 ÷ 2,000 = 5.0 %',
  ],
  ['What were the operating margins of Norvik in the last five years?', null],
] as const)('margins of several years: %s', async (question, shown) => {
  expect(shownIn(await weigh(question, ...REPORT))).toBe(shown);
});

test('the companies that were acquired in several years are quoted from all sentences about them', async () => {
  const rows = [
    'In fiscal 2021, the company acquired all outstanding shares of Lumen Care.',
    'The purchase of Arden Mills was completed in May 2023.',
    'In fiscal 2022 the company acquired all of the equipment of a mill.',
    'In 2015 the company acquired all shares of Old Quay.',
  ];
  const { selection } = await weigh('Which businesses did Norvik buy from 2021 to 2023?', ...REPORT, {
    heading: 'Business combinations',
    rows: rows.join(' '),
  });
  expect(selection.quotes.map(({ text }) => text)).toEqual([rows[0], rows[1]]);
});

describe('judgements', () => {
  test.each([
    ['Did net income of Norvik grow between 2022 and 2023?', 'Yes: 90 → 100 (+11.1 %)'],
    ['Was there any drop in accounts payable between 2022 and 2023 at Norvik?', 'Yes: 70 → 60 (−14.3 %)'],
    ['Were net sales of Norvik lower in 2023 than in 2022?', 'No: 1,600 → 2,000 (+25.0 %)'],
    ['Was net income of Norvik higher in 2021 than in 2022?', 'Yes: 95 → 90 (−5.3 %)'],
    [
      'Does Norvik have an improving gross margin profile as of 2023?',
      'Yes: (1,600 − 1,000) ÷ 1,600 = 37.5 % → (2,000 − 1,200) ÷ 2,000 = 40.0 %',
    ],
    ['In which year was the operating income of Norvik the highest?', '2022: 160 (2022) > 150 (2023) > 120 (2021)'],
    [
      'Are the operating margins of Norvik historically consistent (not fluctuating more than 1% each year)?',
      'No: 120 ÷ 1,500 = 8.0 % → 160 ÷ 1,600 = 10.0 % → 150 ÷ 2,000 = 7.5 %',
    ],
    [
      'Among operations, investing, and financing activities, which brought in the most cash flow for Norvik in 2023?',
      'Net cash provided by operating activities = 180 > (45) > (70)',
    ],
    ['Which was lower for Norvik in 2023: inventories or accounts receivable?', 'Accounts receivable, net = 110 < 150'],
    ['Did Norvik pay any dividends in 2023?', 'Yes: (20)'],
    ['By what percentage did net sales of Norvik grow in 2023?', '+25.0 %: 1,600 → 2,000'],
    ['How much did the net income of Norvik rise in 2023?', '10: 90 → 100 (+11.1 %)'],
  ] as const)('%s', async (question, shown) => {
    expect(shownIn(await weigh(question, ...REPORT))).toBe(shown);
  });

  test('years of two reports of a company are compared', async () => {
    const older = { ...BALANCE, file: 'Norvik 2021.pdf', rows: 'in millions | 2021 | 2020\nTotal assets | 950 | 800' };
    const found = await weigh('Did the total assets of Norvik increase between 2021 and 2023?', BALANCE, older);
    expect(shownIn(found)).toBe('No: 950 → 900 (−5.3 %)');
  });

  test('a quarter is the column that ends with it', async () => {
    const quarter = {
      heading: 'Condensed Consolidated Balance Sheets',
      rows: '| July 29, 2023 | January 28, 2023 | July 30, 2022\nInventories | 565 | 514 | 604',
    };
    const asked = (period: string): Promise<Evidence> =>
      weigh(`Was there any drop in inventories of Norvik between FY2023 and ${period}?`, quarter);
    expect(shownIn(await asked('Q2 of FY2024'))).toBe('No: 514 → 565 (+9.9 %)');
    expect(shownIn(await asked('Q3 of FY2024'))).toBeNull();
  });
});

test.each([
  ['Did the goodwill of Norvik increase in 2023?', 'Norvik is active in two regions since 2023.', 0.1],
  ['Did Norvik repurchase any shares in 2023?', 'Norvik is active in two regions since 2023.', 0.1],
])('a sentence about something else is no answer: %s', async (question, rows, confidence) => {
  const found = await weigh(question, { heading: 'Notes', rows });
  expect(found.confidence).toBeLessThanOrEqual(confidence);
});

test('items of a figure are searched by their names', () => {
  expect(figureSearches("What is Norvik's quick ratio for 2023?", 'en')).toEqual([
    'Norvik 2023, consolidated balance sheets: total current assets, inventories, total current liabilities',
  ]);
  expect(figureSearches('Wie hoch war die Bruttomarge von Norvik im Jahr 2023?', 'de')).toEqual([
    'Bruttomarge Norvik Jahr 2023, Konzern-Gewinn- und Verlustrechnung: Bruttoergebnis, Umsatzerlöse, Umsatzkosten',
  ]);
  expect(figureSearches('Who founded Norvik?', 'en')).toEqual([]);
});
