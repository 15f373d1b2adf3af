/**
 * Generated reports of made-up companies with tables by segment, a list of securities and amounts in sentences, and
 * questions about extremes, growth, lists and things that cannot be computed. Halves as in `statement-files.ts`: they
 * differ in companies, seeds, layouts, names and wordings. They were written before the rules that answer them.
 */
import { pdfOf, widthOf, wrapped, type PlacedText } from '../forms/pdf-page.ts';
import { Random } from '../forms/random.ts';
import type { Half, Report, StatementQuestion } from './statement-files.ts';

interface Wording {
  company: string;
  format: 'html' | 'pdf';
  group: string;
  segments: readonly string[];
  total: string;
  unit: string;
  sales: string;
  income: string;
  header: (year: number) => string;
  securities: { title: string; header: readonly string[]; names: readonly string[] };
  repurchases: (company: string, amount: string, year: number) => string;
  asks: {
    most: (company: string, year: number) => string;
    least: (company: string, year: number) => string;
    growth: (company: string, from: number, to: number) => string;
    vague: (company: string, year: number) => string;
    list: (company: string) => string;
    text: (company: string, year: number) => string;
    open: (company: string) => string;
  };
}

const english = (company: string, format: Wording['format'], rest: Partial<Wording> = {}): Wording => ({
  company,
  format,
  group: 'Segment',
  segments: ['Flexible Packaging', 'Rigid Containers', 'Specialty Cartons', 'Closures'],
  total: 'Total',
  unit: 'in millions',
  sales: 'Net sales by segment',
  income: 'Operating income by segment',
  header: String,
  securities: {
    title: 'Securities registered pursuant to Section 12(b)',
    header: ['Title of each class', 'Trading symbol', 'Exchange'],
    names: [
      'Ordinary shares',
      '1.125% Senior Notes due 2027',
      '3.750% Senior Notes due 2029',
      '4.400% Senior Notes due 2033',
    ],
  },
  repurchases: (name, amount, year) =>
    `During fiscal ${year}, ${name} repurchased ordinary shares for $${amount} million under the program approved by the board.`,
  asks: {
    most: (name, year) => `Which segment of ${name} brought in the most net sales in FY${year}?`,
    least: (name, year) => `Which segment of ${name} had the lowest operating income in FY${year}?`,
    growth: (name, from, to) => `Which segment's net sales grew the most between FY${from} and FY${to} at ${name}?`,
    vague: (name, year) => `Which segment of ${name} performed the best in FY${year}?`,
    list: (name) => `Which securities of ${name} are registered?`,
    text: (name, year) => `How much did ${name} spend to repurchase shares in FY${year}?`,
    open: (name) => `Is ${name} a capital-intensive business?`,
  },
  ...rest,
});

const GERMAN: Omit<Wording, 'company' | 'format'> = {
  group: 'Segment',
  segments: ['Antriebe', 'Werkzeuge', 'Förderanlagen', 'Service'],
  total: 'Summe',
  unit: 'in Mio. EUR',
  sales: 'Umsatz nach Segmenten',
  income: 'Betriebsergebnis nach Segmenten',
  header: String,
  securities: {
    title: 'Börsennotierte Wertpapiere',
    header: ['Wertpapier', 'Kürzel', 'Börse'],
    names: ['Stammaktien', 'Anleihe 1,5 % 2027', 'Anleihe 2,75 % 2030', 'Anleihe 4 % 2034'],
  },
  repurchases: (name, amount, year) =>
    `Im Geschäftsjahr ${year} kaufte ${name} eigene Aktien für ${amount} Mio. EUR zurück.`,
  asks: {
    most: (name, year) => `Welches Segment von ${name} hatte im Geschäftsjahr ${year} den höchsten Umsatz?`,
    least: (name, year) => `Welches Segment von ${name} hatte ${year} das niedrigste Betriebsergebnis?`,
    growth: (name, from, to) => `In welchem Segment von ${name} wuchs der Umsatz von ${from} auf ${to} am stärksten?`,
    vague: (name, year) => `Welches Segment von ${name} war ${year} am besten?`,
    list: (name) => `Welche Wertpapiere von ${name} sind börsennotiert?`,
    text: (name, year) => `Wie viel gab ${name} im Jahr ${year} für den Rückkauf eigener Aktien aus?`,
    open: (name) => `Ist ${name} ein kapitalintensives Unternehmen?`,
  },
};

const CHECKING_ASKS: Wording['asks'] = {
  most: (name, year) => `What was ${name}'s largest division by revenue in fiscal ${year}?`,
  least: (name, year) => `Which of ${name}'s divisions reported the smallest segment profit for fiscal ${year}?`,
  growth: (name, from, to) =>
    `Which division of ${name} achieved the highest revenue growth from fiscal ${from} to fiscal ${to}?`,
  vague: (name, year) => `What was ${name}'s strongest division in fiscal ${year}?`,
  list: (name) => `List the debt securities that ${name} has registered on an exchange.`,
  text: (name, year) => `What amount did ${name} pay for buybacks of its common stock in fiscal ${year}?`,
  open: (name) => `Does ${name} run a business that needs a lot of capital?`,
};

const CHECKING: Partial<Wording> = {
  group: 'Division',
  segments: ['Retail', 'Wholesale', 'Online', 'Franchise', 'Licensing'],
  total: 'Consolidated',
  unit: '$ in thousands',
  sales: 'Revenue by division',
  income: 'Segment profit by division',
  securities: {
    title: 'Debt securities registered on an exchange',
    header: ['Security', 'Symbol', 'Name of exchange'],
    names: ['2.100% Notes due 2026', '0.875% Notes due 2028', '5.250% Notes due 2031'],
  },
  repurchases: (name, amount, year) =>
    `In fiscal ${year}, ${name} paid $${amount} million for buybacks of its common stock.`,
  asks: CHECKING_ASKS,
};

const WORDINGS: Readonly<Record<Half, readonly Wording[]>> = {
  tuning: [
    english('Larkfield Packaging', 'html'),
    english('Osmund Containers', 'pdf', { header: (year) => `June 30, ${year}` }),
    english('Trellis Group', 'html', { header: (year) => `FY${year}` }),
    { company: 'Kolbe Antriebe', format: 'html', ...GERMAN },
  ],
  checking: [
    english('Fenwright Stores', 'pdf', CHECKING),
    english('Abbot Apparel', 'html', { ...CHECKING, header: (year) => `Fiscal ${year}` }),
    english('Marlow Home', 'html', CHECKING),
    { company: 'Ziegler Fördertechnik', format: 'pdf', ...GERMAN },
  ],
};
const SEEDS: Readonly<Record<Half, number>> = { tuning: 5_021, checking: 77_003 };

interface Table {
  title: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Returns the files and questions of a half. */
export function segmentReportsOf(half: Half): Report[] {
  const random = new Random(SEEDS[half]);
  return WORDINGS[half].map((wording) => reportOf(wording, random));
}

function reportOf(wording: Wording, random: Random): Report {
  const last = random.whole(2020, 2023);
  const years = [last, last - 1];
  const valuesOf = (size: number): number[][] =>
    wording.segments.map(() => years.map(() => Math.round(size * (0.5 + random.next())) + random.whole(1, 90)));
  const [sales, income] = [valuesOf(3_000), valuesOf(400)];
  const amount = String(random.whole(120, 890));
  const isGerman = wording.sales === GERMAN.sales;
  const written = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, isGerman ? '.' : ',');
  const tableOf = (title: string, values: readonly number[][]): Table => ({
    title,
    header: [`${wording.group} (${wording.unit})`, ...years.map(wording.header)],
    rows: [
      ...wording.segments.map((name, at) => [name, ...(values[at] ?? []).map(written)]),
      [wording.total, ...years.map((_, at) => written(values.reduce((sum, each) => sum + (each[at] ?? 0), 0)))],
    ],
  });
  const { securities } = wording;
  const listed: Table = {
    title: securities.title,
    header: securities.header,
    rows: securities.names.map((name, at) => [name, `${wording.company.slice(0, 2).toUpperCase()}${26 + at}`, 'NYSE']),
  };
  const tables = [tableOf(wording.sales, sales), tableOf(wording.income, income), listed];
  const text = wording.repurchases(wording.company, amount, last);
  const name = `${wording.company} ${last}`;
  return {
    file: `${name.replaceAll(' ', '_')}_segments.${wording.format}`,
    content: wording.format === 'html' ? htmlOf(name, tables, text) : pdfFileOf(name, tables, text),
    contentType: wording.format === 'html' ? 'text/html' : 'application/pdf',
    questions: questionsOf(wording, last, { sales, income, amount }),
  };
}

function questionsOf(
  { company, segments, securities, asks }: Wording,
  last: number,
  { sales, income, amount }: { sales: number[][]; income: number[][]; amount: string },
): StatementQuestion[] {
  const best = (of: (at: number) => number): string =>
    segments.toSorted((a, b) => of(segments.indexOf(b)) - of(segments.indexOf(a)))[0] ?? '';
  return [
    { kind: 'most', question: asks.most(company, last), gold: best((at) => sales[at]?.[0] ?? 0) },
    { kind: 'least', question: asks.least(company, last), gold: best((at) => -(income[at]?.[0] ?? 0)) },
    {
      kind: 'growth',
      question: asks.growth(company, last - 1, last),
      gold: best((at) => (sales[at]?.[0] ?? 0) / (sales[at]?.[1] ?? 1)),
    },
    { kind: 'not computed', question: asks.vague(company, last), gold: null },
    { kind: 'not computed', question: asks.open(company), gold: null },
    { kind: 'most', question: asks.most(company, last - 6), gold: null },
    { kind: 'list', question: asks.list(company), gold: [...securities.names] },
    { kind: 'text', question: asks.text(company, last), gold: [amount] },
  ];
}

function htmlOf(name: string, tables: readonly Table[], text: string): Buffer {
  const rowOf = (tag: string, cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const parts = tables.map(
    ({ title, header, rows }) =>
      `<h2>${title}</h2><table>${rowOf('th', header)}${rows.map((row) => rowOf('td', row)).join('')}</table>`,
  );
  const head = `<head><meta charset="utf-8"><title>${name}</title></head>`;
  return Buffer.from(`<html>${head}<body><h1>${name}</h1>${parts.join('')}<p>${text}</p></body></html>`);
}

const LEFT = 50;
const COLUMN_ENDS = [390, 490];
const LINE = 16;
const SIZE = 9;

function pdfFileOf(name: string, tables: readonly Table[], text: string): Buffer {
  const pages = tables.map(({ title, header, rows }, page) => {
    const texts: PlacedText[] = [
      { text: name, x: LEFT, y: 50, size: 9 },
      { text: title, x: LEFT, y: 80, size: 14, bold: true },
    ];
    for (const [line, cells] of [header, ...rows].entries()) {
      const y = 115 + line * LINE;
      for (const [at, cell] of cells.entries()) {
        const end = COLUMN_ENDS[at - 1];
        texts.push({
          text: cell,
          x: end === undefined ? LEFT : end - widthOf(cell, SIZE),
          y,
          size: SIZE,
          bold: line === 0,
        });
      }
    }
    if (page === 0) {
      const lines = wrapped(text, 480, 10);
      texts.push(...lines.map((part, line) => ({ text: part, x: LEFT, y: 320 + line * 14, size: 10 })));
    }
    return texts;
  });
  return pdfOf(pages);
}
