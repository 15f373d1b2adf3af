/**
 * Generated earnings releases of made-up companies: results with and without adjustments, growth without currency
 * effects, sales by category in two years, and acquisitions of three years in sentences. Near misses are about years,
 * categories and measures that the releases lack. Halves as in `statement-files.ts`: they differ in companies, seeds,
 * names, layouts and wordings. They were written before the rules that answer them.
 */
import { Random } from '../forms/random.ts';
import type { Half, Report, StatementQuestion } from './statement-files.ts';

interface Wording {
  stated: string;
  adjusted: string;
  /** Whether the rows of the adjusted table say so themselves. */
  prefix: string;
  rows: readonly [sales: string, ebitda: string, operating: string, net: string];
  header: (year: number) => string;
  reported: string;
  constant: string;
  corner: string;
  categories: { title: string; names: readonly string[]; total: string };
  acquisitions: { title: string; names: readonly string[]; text: (name: string, year: number) => string };
  asks: {
    adjusted: (company: string, year: number) => string;
    adjustedNet: (company: string, year: number) => string;
    plainNet: (company: string, year: number) => string;
    constant: (company: string, year: number) => string;
    constantOperating: (company: string, year: number) => string;
    best: (company: string, year: number) => string;
    worst: (company: string, year: number) => string;
    vague: (company: string, year: number) => string;
    acquired: (company: string, year: number) => string;
    misses: readonly ((company: string, year: number) => string)[];
  };
}

const TUNING: Wording = {
  stated: 'GAAP results',
  adjusted: 'Adjusted non-GAAP results',
  prefix: '',
  rows: ['Net sales', 'EBITDA', 'Operating income', 'Net income'],
  header: String,
  reported: 'Reported change %',
  constant: 'Comparable constant currency change %',
  corner: '(in millions)',
  categories: {
    title: 'Net sales by product category',
    names: ['Appliances', 'Computing', 'Entertainment', 'Services'],
    total: 'Total',
  },
  acquisitions: {
    title: 'Acquisitions',
    names: ['Brightwell Care', 'Pelham Furniture', 'Nortek Labs'],
    text: (name, year) => `In fiscal ${year}, the company acquired all outstanding shares of ${name}.`,
  },
  asks: {
    adjusted: (company, year) => `What was ${company}'s adjusted non-GAAP EBITDA for FY${year}?`,
    adjustedNet: (company, year) => `How much was the adjusted net income of ${company} in FY${year}?`,
    plainNet: (company, year) => `What was the net income of ${company} in FY${year}?`,
    constant: (company, year) =>
      `How much did the net sales of ${company} change in FY${year}, if we exclude the impact of currency movements?`,
    constantOperating: (company, year) =>
      `What was the constant currency change in adjusted operating income of ${company} in FY${year}?`,
    best: (company, year) =>
      `Which product category of ${company} performed the best (by top line growth) in FY${year}?`,
    worst: (company, year) =>
      `Which product category of ${company} performed the worst by net sales growth in FY${year}?`,
    vague: (company, year) => `Which product category of ${company} performed the best in FY${year}?`,
    acquired: (company, year) =>
      `What are the major acquisitions that ${company} has done in FY${year}, FY${year - 1} and FY${year - 2}?`,
    misses: [
      (company, year) => `What was ${company}'s adjusted EBITDA for FY${year - 6}?`,
      (company, year) => `How much did net sales of ${company} change in FY${year - 5} without currency effects?`,
      (company, year) => `What was the adjusted gross profit of ${company} in FY${year}?`,
      (company, year) => `What was the pro forma EBITDA of ${company} for FY${year}?`,
    ],
  },
};

const CHECKING: Wording = {
  ...TUNING,
  stated: 'Results in accordance with GAAP',
  adjusted: 'Non-GAAP measures',
  prefix: 'Adjusted ',
  rows: ['Revenue', 'EBITDA', 'Operating profit', 'Net earnings'],
  header: (year) => `Fiscal ${year}`,
  reported: 'Change as reported (%)',
  constant: 'Change excluding currency (%)',
  corner: '($ in thousands)',
  categories: {
    title: 'Revenue by product line',
    names: ['Footwear', 'Outerwear', 'Accessories', 'Swimwear', 'Workwear'],
    total: 'Total revenue',
  },
  acquisitions: {
    title: 'Business combinations',
    names: ['Tamarind Apparel', 'Oakhurst Logistics', 'Verity Textiles'],
    text: (name, year) => `The purchase of ${name} was completed in the second quarter of fiscal ${year}.`,
  },
  asks: {
    adjusted: (company, year) => `How high was non-GAAP EBITDA at ${company} in fiscal ${year}?`,
    adjustedNet: (company, year) => `State the adjusted net earnings of ${company} for fiscal ${year}.`,
    plainNet: (company, year) => `How high were the net earnings of ${company} in fiscal ${year}?`,
    constant: (company, year) =>
      `At constant exchange rates, how much did ${company}'s revenue grow in fiscal ${year}?`,
    constantOperating: (company, year) =>
      `Without currency effects, what was the percentage change of ${company}'s adjusted operating profit in fiscal ${year}?`,
    best: (company, year) =>
      `What was the best performing product line of ${company} by revenue growth in fiscal ${year}?`,
    worst: (company, year) =>
      `Which of ${company}'s product lines did worst in fiscal ${year}, measured by growth in revenue?`,
    vague: (company, year) => `Which product line of ${company} was the weakest in fiscal ${year}?`,
    acquired: (company, year) => `Which businesses did ${company} buy from fiscal ${year - 2} to fiscal ${year}?`,
    misses: [
      (company, year) => `How high was the non-GAAP EBITDA of ${company} in fiscal ${year - 6}?`,
      (company, year) => `By how much did revenue at ${company} grow in fiscal ${year - 5} at constant currency?`,
      (company, year) => `State the adjusted gross profit of ${company} for fiscal ${year}.`,
      (company, year) => `How high was ${company}'s organic EBITDA in fiscal ${year}?`,
    ],
  },
};

const COMPANIES: Readonly<Record<Half, readonly string[]>> = {
  tuning: ['Calloway Brands', 'Dunmore Electronics', 'Rusper Holdings'],
  checking: ['Fairlight Clothing', 'Stanwick Outfitters', 'Hexham Mills'],
};
const WORDINGS: Readonly<Record<Half, Wording>> = { tuning: TUNING, checking: CHECKING };
const SEEDS: Readonly<Record<Half, number>> = { tuning: 61_331, checking: 8_117 };

type Table = readonly (readonly string[])[];

/** Returns the files and questions of a half. */
export function releasesOf(half: Half): Report[] {
  const random = new Random(SEEDS[half]);
  // The adjusted figures of the last company are in tables with columns that are grouped by period.
  return COMPANIES[half].map((company, at) => releaseOf(company, WORDINGS[half], random, at === 2));
}

const percent = (value: number): string => (value < 0 ? `(${Math.abs(value)})` : String(value));
const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

function releaseOf(company: string, wording: Wording, random: Random, isGrouped: boolean): Report {
  const { rows, header, prefix, corner, categories, acquisitions } = wording;
  const last = random.whole(2020, 2023);
  const sizes = [9_000, 1_500, 1_000, 700];
  const years = [last, last - 1];
  const near = (size: number): number => Math.round(size * (0.8 + 0.4 * random.next())) + random.whole(1, 99);
  const values = sizes.map((size) => years.map(() => near(size)));
  const adjusted = values.map((own) => own.map((value) => value + random.whole(110, 190)));
  const constants = sizes.map(() => random.whole(-9, 12));
  const headings = years.map(header);
  const reported = (own: readonly number[]): string => percent(Math.round(((own[0] ?? 0) / (own[1] ?? 1) - 1) * 100));
  const stated: Table = [[corner, ...headings], ...rows.map((row, at) => [row, ...(values[at] ?? []).map(grouped)])];
  const without: Table = [
    [corner, ...headings, wording.reported, wording.constant],
    ...rows.slice(0, isGrouped ? 1 : rows.length).map((row, at) => {
      const own = at === 0 ? (values[0] ?? []) : (adjusted[at] ?? []);
      return [(at === 0 ? '' : prefix) + row, ...own.map(grouped), reported(own), percent(constants[at] ?? 0)];
    }),
  ];
  const sales = categories.names.map(() => years.map(() => near(2_000)));
  const sums = years.map((_, at) => sales.reduce((sum, own) => sum + (own[at] ?? 0), 0));
  const byCategory: Table = [
    [corner, ...headings],
    ...categories.names.map((name, at) => [name, ...(sales[at] ?? []).map(grouped)]),
    [categories.total, ...sums.map(grouped)],
  ];
  const bought = acquisitions.names.map((name, back) => acquisitions.text(name, last - back));
  const growth = (name: string): number => {
    const [now = 0, before = 1] = sales[categories.names.indexOf(name)] ?? [];
    return now / before;
  };
  const ordered = categories.names.toSorted((a, b) => growth(b) - growth(a));
  const name = `${company} ${last}`;
  const { asks } = wording;
  const questions: StatementQuestion[] = [
    { kind: 'adjusted', question: asks.adjusted(company, last), gold: adjusted[1]?.[0] ?? 0 },
    { kind: 'adjusted', question: asks.adjustedNet(company, last - 1), gold: adjusted[3]?.[1] ?? 0 },
    { kind: 'cell', question: asks.plainNet(company, last), gold: values[3]?.[0] ?? 0 },
    { kind: 'without currency', question: asks.constant(company, last), gold: constants[0] ?? 0 },
    {
      kind: 'without currency',
      question: asks.constantOperating(company, last),
      gold: isGrouped ? null : (constants[2] ?? 0),
    },
    { kind: 'best or worst', question: asks.best(company, last), gold: ordered[0] ?? '' },
    { kind: 'best or worst', question: asks.worst(company, last), gold: ordered.at(-1) ?? '' },
    { kind: 'not computed', question: asks.vague(company, last), gold: null },
    { kind: 'acquisitions', question: asks.acquired(company, last), gold: [...acquisitions.names] },
    ...asks.misses.map((miss): StatementQuestion => ({
      kind: 'near miss',
      question: miss(company, last),
      gold: null,
    })),
  ];
  const parts: readonly (readonly [title: string, html: string])[] = [
    [wording.stated, htmlOf(stated)],
    [wording.adjusted, htmlOf(without)],
    ...(isGrouped ? reconciliationsOf(wording, adjusted, values, last, random) : []),
    [categories.title, htmlOf(byCategory)],
    [acquisitions.title, bought.map((text) => `<p>${text}</p>`).join('')],
  ];
  const body = parts.map(([title, html]) => `<h2>${title}</h2>${html}`).join('');
  return {
    file: `${name.replaceAll(' ', '_')}_release.html`,
    content: Buffer.from(
      `<html><head><meta charset="utf-8"><title>${name} results</title></head><body><h1>${name} results</h1>${body}</body></html>`,
    ),
    contentType: 'text/html',
    questions,
  };
}

/** Returns tables from stated to adjusted figures, for the years and for their last quarters. */
function reconciliationsOf(
  { rows, corner }: Wording,
  adjusted: readonly (readonly number[])[],
  values: readonly (readonly number[])[],
  last: number,
  random: Random,
): (readonly [title: string, html: string])[] {
  const measures = rows.slice(1);
  return ['Three', 'Twelve'].map((length) => {
    const value = (of: readonly (readonly number[])[], at: number, back: number): string =>
      grouped(length === 'Twelve' ? (of[at + 1]?.[back] ?? 0) : random.whole(110, 400));
    const periods = [1, 0].map(
      (back) => `<th colspan="${measures.length}">${length} Months Ended June 30, ${last - back}</th>`,
    );
    const cells = (of: readonly (readonly number[])[]): string[] =>
      [1, 0].flatMap((back) => measures.map((_, at) => value(of, at, back)));
    const table: Table = [
      [corner, ...measures, ...measures],
      [`${measures.join(', ')} as reported`, ...cells(values)],
      [`Adjusted ${measures.slice(0, -1).join(', ')} and ${measures.at(-1) ?? ''}`, ...cells(adjusted)],
    ];
    const html = htmlOf(table).replace('<table>', `<table><tr><th></th>${periods.join('')}</tr>`);
    return [`Reconciliation of non-GAAP measures, ${length.toLowerCase()} months`, html] as const;
  });
}

function htmlOf([header = [], ...rows]: Table): string {
  const rowOf = (tag: string, cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table>${rowOf('th', header)}${rows.map((cells) => rowOf('td', cells)).join('')}</table>`;
}
