/**
 * Generated reports of made-up companies: an income statement, a balance sheet and a cash flow statement in several
 * layouts, as HTML or PDF, in English, German and French, with questions over their cells. The tuning half serves to
 * find causes, the checking half to decide: they differ in seeds, companies, layouts and most wordings.
 */
import { pdfOf, widthOf, type PlacedText } from '../forms/pdf-page.ts';
import { Random } from '../forms/random.ts';

export type Half = 'tuning' | 'checking';

export const STATEMENT_SETS = { 'statements-tuning': 'tuning', 'statements-checking': 'checking' } as const;

export interface StatementQuestion {
  kind:
    | 'cell'
    | 'change'
    | 'difference'
    | 'ratio'
    | 'two statements'
    | 'missing'
    | 'margin'
    | 'most'
    | 'least'
    | 'growth'
    | 'not computed'
    | 'list'
    | 'text'
    | 'formula'
    | 'direction'
    | 'best year'
    | 'steady'
    | 'options'
    | 'payment'
    | 'two reports'
    | 'other name'
    | 'definition'
    | 'near miss'
    | 'adjusted'
    | 'without currency'
    | 'best or worst'
    | 'acquisitions'
    | 'margins of years';
  question: string;
  /**
   * The result, without grouping, or the name of a row; the texts that the answer must hold; null for a question that
   * the report does not answer.
   */
  gold: number | string | string[] | null;
}

export interface Report {
  /** Name of the file with its extension. */
  file: string;
  content: Buffer;
  contentType: string;
  questions: StatementQuestion[];
}

type Item =
  | 'revenue'
  | 'cost'
  | 'gross'
  | 'research'
  | 'selling'
  | 'operating'
  | 'tax'
  | 'net'
  | 'cash'
  | 'receivables'
  | 'inventories'
  | 'currentAssets'
  | 'plant'
  | 'assets'
  | 'payables'
  | 'currentLiabilities'
  | 'debt'
  | 'operations'
  | 'depreciation'
  | 'capital'
  | 'dividends';
type Language = 'en' | 'de' | 'fr';

const STATEMENTS: readonly { name: 'income' | 'balance' | 'flow'; items: readonly Item[] }[] = [
  { name: 'income', items: ['revenue', 'cost', 'gross', 'research', 'selling', 'operating', 'tax', 'net'] },
  {
    name: 'balance',
    items: [
      'cash',
      'receivables',
      'inventories',
      'currentAssets',
      'plant',
      'assets',
      'payables',
      'currentLiabilities',
      'debt',
    ],
  },
  { name: 'flow', items: ['depreciation', 'operations', 'capital', 'dividends'] },
];

/** Labels in the report and words of a question, by language and half. */
const LABELS: Readonly<Record<Language, Readonly<Record<Half, Readonly<Record<Item, readonly [string, string]>>>>>> = {
  en: {
    tuning: {
      revenue: ['Net sales', 'net sales'],
      cost: ['Cost of sales', 'cost of sales'],
      gross: ['Gross profit', 'gross profit'],
      research: ['Research and development', 'R&D expenses'],
      selling: ['Selling, general and administrative expenses', 'SG&A expenses'],
      operating: ['Operating income', 'operating income'],
      tax: ['Income tax expense', 'income tax expense'],
      net: ['Net income', 'net income'],
      cash: ['Cash and cash equivalents', 'cash and cash equivalents'],
      receivables: ['Trade receivables, net', 'trade receivables'],
      inventories: ['Inventories', 'inventories'],
      currentAssets: ['Total current assets', 'total current assets'],
      plant: ['Property, plant and equipment, net', 'PP&E'],
      assets: ['Total assets', 'total assets'],
      payables: ['Trade payables', 'trade payables'],
      currentLiabilities: ['Total current liabilities', 'total current liabilities'],
      debt: ['Long-term debt, less current portion', 'long-term debt'],
      depreciation: ['Depreciation and amortization', 'D&A'],
      operations: ['Net cash provided by operating activities', 'net cash from operating activities'],
      capital: ['Payments for property, plant and equipment', 'payments for property, plant and equipment'],
      dividends: ['Dividends paid', 'dividends paid'],
    },
    checking: {
      revenue: ['Total revenues', 'revenue'],
      cost: ['Cost of goods sold', 'COGS'],
      gross: ['Gross margin', 'gross margin'],
      research: ['Product research & development', 'product R&D'],
      selling: ['Marketing and administration', 'marketing and administration costs'],
      operating: ['Earnings from operations', 'earnings from operations'],
      tax: ['Provision for income taxes', 'provision for income taxes'],
      net: ['Net earnings', 'net earnings'],
      cash: ['Cash and equivalents', 'cash and equivalents'],
      receivables: ['Accounts receivable', 'accounts receivable'],
      inventories: ['Merchandise inventories', 'merchandise inventories'],
      currentAssets: ['Current assets, total', 'total current assets'],
      plant: ['Property and equipment, net', 'property and equipment'],
      assets: ['Total assets', 'total assets'],
      payables: ['Accounts payable', 'accounts payable'],
      currentLiabilities: ['Current liabilities, total', 'total current liabilities'],
      debt: ['Long-term borrowings', 'long-term borrowings'],
      depreciation: ['Depreciation', 'depreciation'],
      operations: ['Cash generated from operations', 'cash generated from operations'],
      capital: ['Capital expenditures', 'capital expenditures'],
      dividends: ['Cash dividends', 'cash dividends'],
    },
  },
  de: {
    tuning: {
      revenue: ['Umsatzerlöse', 'Umsatzerlöse'],
      cost: ['Umsatzkosten', 'Umsatzkosten'],
      gross: ['Bruttoergebnis', 'Bruttoergebnis'],
      research: ['Forschung und Entwicklung', 'Kosten für Forschung und Entwicklung'],
      selling: ['Vertriebskosten', 'Vertriebskosten'],
      operating: ['Betriebsergebnis', 'Betriebsergebnis'],
      tax: ['Ertragsteuern', 'Ertragsteuern'],
      net: ['Jahresüberschuss', 'Jahresüberschuss'],
      cash: ['Zahlungsmittel', 'Zahlungsmittel'],
      receivables: ['Forderungen aus Lieferungen und Leistungen', 'Forderungen aus Lieferungen und Leistungen'],
      inventories: ['Vorräte', 'Vorräte'],
      currentAssets: ['Summe kurzfristige Vermögenswerte', 'kurzfristige Vermögenswerte'],
      plant: ['Sachanlagen', 'Sachanlagen'],
      assets: ['Bilanzsumme', 'Bilanzsumme'],
      payables: ['Verbindlichkeiten aus Lieferungen', 'Verbindlichkeiten aus Lieferungen'],
      currentLiabilities: ['Summe kurzfristige Schulden', 'kurzfristige Schulden'],
      debt: ['Langfristige Finanzschulden', 'langfristige Finanzschulden'],
      depreciation: ['Abschreibungen', 'Abschreibungen'],
      operations: ['Cashflow aus laufender Geschäftstätigkeit', 'Cashflow aus laufender Geschäftstätigkeit'],
      capital: ['Investitionen in Sachanlagen', 'Investitionen in Sachanlagen'],
      dividends: ['Gezahlte Dividenden', 'gezahlte Dividenden'],
    },
    checking: {
      revenue: ['Umsatz', 'Umsatz'],
      cost: ['Herstellungskosten', 'Herstellungskosten'],
      gross: ['Rohertrag', 'Rohertrag'],
      research: ['Entwicklungsaufwand', 'Entwicklungsaufwand'],
      selling: ['Vertrieb und Verwaltung', 'Aufwand für Vertrieb und Verwaltung'],
      operating: ['Operatives Ergebnis', 'operatives Ergebnis'],
      tax: ['Steuern vom Einkommen', 'Steuern vom Einkommen'],
      net: ['Konzernergebnis', 'Konzernergebnis'],
      cash: ['Liquide Mittel', 'liquide Mittel'],
      receivables: ['Kundenforderungen', 'Kundenforderungen'],
      inventories: ['Warenbestand', 'Warenbestand'],
      currentAssets: ['Umlaufvermögen', 'Umlaufvermögen'],
      plant: ['Anlagevermögen', 'Anlagevermögen'],
      assets: ['Summe Aktiva', 'Summe der Aktiva'],
      payables: ['Lieferantenschulden', 'Lieferantenschulden'],
      currentLiabilities: ['Kurzfristige Verbindlichkeiten', 'kurzfristige Verbindlichkeiten'],
      debt: ['Langfristige Darlehen', 'langfristige Darlehen'],
      depreciation: ['Abschreibungen auf Anlagen', 'Abschreibungen auf Anlagen'],
      operations: ['Mittelzufluss aus dem Betrieb', 'Mittelzufluss aus dem Betrieb'],
      capital: ['Auszahlungen für Investitionen', 'Auszahlungen für Investitionen'],
      dividends: ['Ausschüttung an Aktionäre', 'Ausschüttung an Aktionäre'],
    },
  },
  fr: {
    tuning: {
      revenue: ['Chiffre d’affaires', 'chiffre d’affaires'],
      cost: ['Coût des ventes', 'coût des ventes'],
      gross: ['Marge brute', 'marge brute'],
      research: ['Recherche et développement', 'frais de R&D'],
      selling: ['Frais commerciaux', 'frais commerciaux'],
      operating: ['Résultat opérationnel', 'résultat opérationnel'],
      tax: ['Impôt sur les bénéfices', 'impôt sur les bénéfices'],
      net: ['Résultat net', 'résultat net'],
      cash: ['Trésorerie', 'trésorerie'],
      receivables: ['Créances clients', 'créances clients'],
      inventories: ['Stocks', 'stocks'],
      currentAssets: ['Total des actifs courants', 'total des actifs courants'],
      plant: ['Immobilisations corporelles', 'immobilisations corporelles'],
      assets: ['Total de l’actif', 'total de l’actif'],
      payables: ['Dettes fournisseurs', 'dettes fournisseurs'],
      currentLiabilities: ['Total des passifs courants', 'total des passifs courants'],
      debt: ['Emprunts à long terme', 'emprunts à long terme'],
      depreciation: ['Amortissements', 'amortissements'],
      operations: ['Flux des activités opérationnelles', 'flux des activités opérationnelles'],
      capital: ['Acquisitions d’immobilisations', 'acquisitions d’immobilisations'],
      dividends: ['Dividendes versés', 'dividendes versés'],
    },
    checking: {
      revenue: ['Produits des ventes', 'produits des ventes'],
      cost: ['Coût des produits vendus', 'coût des produits vendus'],
      gross: ['Profit brut', 'profit brut'],
      research: ['Frais de développement', 'frais de développement'],
      selling: ['Frais généraux', 'frais généraux'],
      operating: ['Résultat d’exploitation', 'résultat d’exploitation'],
      tax: ['Charge d’impôt', 'charge d’impôt'],
      net: ['Bénéfice net', 'bénéfice net'],
      cash: ['Disponibilités', 'disponibilités'],
      receivables: ['Comptes clients', 'comptes clients'],
      inventories: ['Marchandises en stock', 'marchandises en stock'],
      currentAssets: ['Actif circulant', 'actif circulant'],
      plant: ['Installations techniques', 'installations techniques'],
      assets: ['Total du bilan', 'total du bilan'],
      payables: ['Comptes fournisseurs', 'comptes fournisseurs'],
      currentLiabilities: ['Passif à court terme', 'passif à court terme'],
      debt: ['Dettes à long terme', 'dettes à long terme'],
      depreciation: ['Dotations aux amortissements', 'dotations aux amortissements'],
      operations: ['Trésorerie issue de l’exploitation', 'trésorerie issue de l’exploitation'],
      capital: ['Dépenses d’investissement', 'dépenses d’investissement'],
      dividends: ['Dividendes payés', 'dividendes payés'],
    },
  },
};

const TITLES = {
  en: {
    income: 'Consolidated Statements of Income',
    balance: 'Consolidated Balance Sheets',
    flow: 'Consolidated Statements of Cash Flows',
  },
  de: { income: 'Gewinn- und Verlustrechnung', balance: 'Bilanz', flow: 'Kapitalflussrechnung' },
  fr: { income: 'Compte de résultat', balance: 'Bilan', flow: 'Tableau des flux de trésorerie' },
} as const;
const UNITS = { en: 'in millions', de: 'in Mio. EUR', fr: 'en millions d’euros' } as const;
const COMPANIES: Readonly<Record<Half, readonly (readonly [string, Language])[]>> = {
  tuning: [
    ['Orvane Industries', 'en'],
    ['Halbrook Foods', 'en'],
    ['Tessaly Robotics', 'en'],
    ['Quendal Paper', 'en'],
    ['Vemmer Maschinenbau', 'de'],
    ['Aubrelle Cosmétiques', 'fr'],
  ],
  checking: [
    ['Pelmora Stores', 'en'],
    ['Dunwick Energy', 'en'],
    ['Casterly Chemicals', 'en'],
    ['Norrvik Lagertechnik', 'de'],
    ['Maison Vaudry', 'fr'],
    ['Brightmoor Airlines', 'en'],
  ],
};
const SEEDS: Readonly<Record<Half, number>> = { tuning: 411, checking: 90_127 };
const SIZES: Readonly<Partial<Record<Item, number>>> = {
  gross: 0,
  operating: 0,
  net: 0,
  revenue: 8_000,
  cost: 4_000,
  assets: 20_000,
  currentAssets: 9_000,
  currentLiabilities: 6_000,
};

type Values = ReadonlyMap<Item, readonly number[]>;

/** Returns the values of each item, one for each year. */
function valuesOf(random: Random, years: number): Values {
  const values = new Map<Item, number[]>();
  for (const { items } of STATEMENTS) {
    for (const item of items) {
      const size = SIZES[item] ?? 900;
      values.set(
        item,
        Array.from({ length: years }, () => Math.round(size * (0.6 + 0.8 * random.next())) + random.whole(1, 99)),
      );
    }
  }
  const at = (item: Item, year: number): number => values.get(item)?.[year] ?? 0;
  const fill = (item: Item, of: (year: number) => number): void => {
    values.set(
      item,
      Array.from({ length: years }, (_, year) => of(year)),
    );
  };
  fill('gross', (year) => at('revenue', year) - at('cost', year));
  fill('operating', (year) => at('gross', year) - at('research', year) - at('selling', year));
  fill('net', (year) => at('operating', year) - at('tax', year));
  return values;
}

const GROUPING: Readonly<Record<Language, string>> = { en: ',', de: '.', fr: ' ' };

function written(value: number, language: Language, isOutflow: boolean): string {
  const digits = String(Math.abs(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, GROUPING[language]);
  return value < 0 || isOutflow ? `(${digits})` : digits;
}

interface Layout {
  format: 'html' | 'pdf';
  /** Returns the header above a year. */
  header: (year: number, isBalance: boolean) => string;
  /** Whether the currency has cells of its own. */
  currencyCells: boolean;
  ascending: boolean;
  fiscal: (year: number) => string;
}

const english = (format: Layout['format'], header: Layout['header'], rest: Partial<Layout> = {}): Layout => ({
  format,
  header,
  currencyCells: false,
  ascending: false,
  fiscal: (year) => `FY${year}`,
  ...rest,
});

const LAYOUTS: Readonly<Record<Half, Readonly<Record<Language, readonly Layout[]>>>> = {
  tuning: {
    en: [
      english('html', (year) => String(year)),
      english('pdf', (year) => `June 30, ${year}`, { fiscal: (year) => `FY ${year}` }),
      english('html', (year) => `Year ended December 31, ${year}`, {
        currencyCells: true,
        fiscal: (year) => `fiscal ${year}`,
      }),
      english('pdf', (year) => String(year), { ascending: true, fiscal: (year) => `fiscal year ${year}` }),
    ],
    de: [english('html', (year) => String(year), { fiscal: (year) => `GJ ${year}` })],
    fr: [english('html', (year) => `31 décembre ${year}`, { fiscal: (year) => `l’exercice ${year}` })],
  },
  checking: {
    en: [
      english('pdf', (year) => `January 28, ${year}`, { fiscal: (year) => `FY${year}` }),
      english('html', (year) => `FY${year}`, { fiscal: (year) => `fiscal ${year}`, ascending: true }),
      english('html', (year) => `Fiscal ${year}`, { currencyCells: true, fiscal: (year) => `FY ${year}` }),
      english('pdf', (year) => `December 31, ${year}`, { fiscal: (year) => `FY${String(year).slice(2)}` }),
    ],
    de: [english('pdf', (year) => `31.12.${year}`, { fiscal: (year) => `Geschäftsjahr ${year}` })],
    fr: [english('html', (year) => `Exercice ${year}`, { fiscal: (year) => `l’exercice ${year}` })],
  },
};

const OUTFLOWS: ReadonlySet<Item> = new Set(['capital', 'dividends']);

/** Returns the files and questions of a half. */
export function reportsOf(half: Half): Report[] {
  const random = new Random(SEEDS[half]);
  const counts: Record<Language, number> = { en: 0, de: 0, fr: 0 };
  return COMPANIES[half].map(([company, language]) => {
    const layouts = LAYOUTS[half][language];
    const layout = layouts[counts[language]++ % layouts.length] as Layout;
    const last = random.whole(2019, 2023);
    const years = [last, last - 1, last - 2];
    if (layout.ascending) years.reverse();
    const values = valuesOf(random, years.length);
    const tables = STATEMENTS.map(({ name, items }) => ({
      title: TITLES[language][name],
      header: [`(${UNITS[language]})`, ...years.map((year) => layout.header(year, name === 'balance'))],
      rows: items.map((item) => [
        LABELS[language][half][item][0],
        ...(values.get(item) ?? []).map((value) => written(value, language, OUTFLOWS.has(item))),
      ]),
    }));
    const name = `${company} ${last}`;
    const content = layout.format === 'html' ? htmlOf(name, tables, layout) : pdfFileOf(name, tables, random);
    return {
      file: `${name.replaceAll(' ', '_')}.${layout.format}`,
      content,
      contentType: layout.format === 'html' ? 'text/html' : 'application/pdf',
      questions: questionsOf({ company, language, half, layout, years, values }),
    };
  });
}

interface Table {
  title: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

function htmlOf(name: string, tables: readonly Table[], { currencyCells }: Layout): Buffer {
  const cell = (tag: string, text: string): string => `<${tag}>${text.replaceAll('&', '&amp;')}</${tag}>`;
  const spread = (cells: readonly string[], sign: string): string[] =>
    cells.flatMap((text, at) => (at === 0 || !currencyCells ? [text] : [sign, text]));
  const parts = tables.map(({ title, header, rows }) => {
    const head = currencyCells
      ? header.map((text, at) => (at === 0 ? cell('th', text) : `<th colspan="2">${text}</th>`)).join('')
      : header.map((text) => cell('th', text)).join('');
    const body = rows.map((row, at) => {
      const cells = spread(row, at === 0 ? '$' : '').map((text) => cell('td', text));
      return `<tr>${cells.join('')}</tr>`;
    });
    return `<h2>${title}</h2><table><tr>${head}</tr>${body.join('')}</table>`;
  });
  return Buffer.from(`<html><head><title>${name}</title></head><body><h1>${name}</h1>${parts.join('')}</body></html>`);
}

const LEFT = 50;
const COLUMN_ENDS = [390, 470, 550];
const LINE = 16;

function pdfFileOf(name: string, tables: readonly Table[], random: Random): Buffer {
  const pages = tables.map(({ title, header, rows }) => {
    const texts: PlacedText[] = [
      { text: name, x: LEFT, y: 50, size: 9 },
      { text: title, x: LEFT, y: 80, size: 14, bold: true },
    ];
    const size = random.pick([8, 9]);
    for (const [line, cells] of [header, ...rows].entries()) {
      const y = 115 + line * LINE;
      for (const [at, text] of cells.entries()) {
        const end = COLUMN_ENDS[at - 1];
        texts.push({ text, x: end === undefined ? LEFT : end - widthOf(text, size), y, size, bold: line === 0 });
      }
    }
    return texts;
  });
  return pdfOf(pages);
}

interface Asked {
  company: string;
  language: Language;
  half: Half;
  layout: Layout;
  years: readonly number[];
  values: Values;
}

const PHRASES: Readonly<
  Record<
    Language,
    Readonly<
      Record<
        Half,
        {
          cell: (company: string, item: string, year: string) => string;
          change: (company: string, item: string, from: string, to: string) => string;
          difference: (company: string, item: string, from: string, to: string) => string;
          ratio: (company: string, item: string, by: string, year: string) => string;
          share: (company: string, item: string, by: string, year: string) => string;
        }
      >
    >
  >
> = {
  en: {
    tuning: {
      cell: (company, item, year) => `What were ${company}'s ${item} in ${year}?`,
      change: (company, item, from, to) => `By what percentage did ${company}'s ${item} change from ${from} to ${to}?`,
      difference: (company, item, from, to) => `How much did ${item} of ${company} rise between ${from} and ${to}?`,
      ratio: (company, item, by, year) => `What is the ratio of ${item} to ${by} of ${company} for ${year}?`,
      share: (company, item, by, year) => `What percentage of ${by} were ${company}'s ${item} in ${year}?`,
    },
    checking: {
      cell: (company, item, year) => `How much ${item} did ${company} report for ${year}?`,
      change: (company, item, from, to) =>
        `What is the year-over-year growth rate of ${company}'s ${item} from ${from} to ${to}?`,
      difference: (company, item, from, to) =>
        `What is the change in ${item} of ${company} between ${from} and ${to}, in absolute terms?`,
      ratio: (company, item, by, year) => `What was ${company}'s ${item} divided by ${by} in ${year}?`,
      share: (company, item, by, year) => `${company}'s ${item} as a percentage of ${by} in ${year}?`,
    },
  },
  de: {
    tuning: {
      cell: (company, item, year) => `Wie hoch waren die ${item} von ${company} im ${year}?`,
      change: (company, item, from, to) => `Um wie viel Prozent stieg ${item} von ${company} von ${from} auf ${to}?`,
      difference: (company, item, from, to) =>
        `Wie groß ist der Unterschied bei ${item} von ${company} zwischen ${from} und ${to}?`,
      ratio: (company, item, by, year) => `Wie ist das Verhältnis von ${item} zu ${by} bei ${company} im ${year}?`,
      share: (company, item, by, year) => `Wie viel Prozent von ${by} waren ${item} bei ${company} im ${year}?`,
    },
    checking: {
      cell: (company, item, year) => `Welchen Wert hatte ${item} bei ${company} im ${year}?`,
      change: (company, item, from, to) =>
        `Wie groß war die prozentuale Veränderung von ${item} bei ${company} vom ${from} zum ${to}?`,
      difference: (company, item, from, to) => `Um wie viel stieg ${item} bei ${company} vom ${from} zum ${to}?`,
      ratio: (company, item, by, year) => `Was ergibt ${item} geteilt durch ${by} bei ${company} im ${year}?`,
      share: (company, item, by, year) => `Welchen Anteil in Prozent hatte ${item} an ${by} bei ${company} im ${year}?`,
    },
  },
  fr: {
    tuning: {
      cell: (company, item, year) => `Quel était le ${item} de ${company} pour ${year} ?`,
      change: (company, item, from, to) =>
        `De quel pourcentage le ${item} de ${company} a-t-il varié de ${from} à ${to} ?`,
      difference: (company, item, from, to) =>
        `Quelle est la différence du ${item} de ${company} entre ${from} et ${to} ?`,
      ratio: (company, item, by, year) => `Quel est le rapport entre ${item} et ${by} de ${company} pour ${year} ?`,
      share: (company, item, by, year) =>
        `Quel pourcentage du ${by} représente le ${item} de ${company} pour ${year} ?`,
    },
    checking: {
      cell: (company, item, year) => `À combien s’élève le ${item} de ${company} pour ${year} ?`,
      change: (company, item, from, to) =>
        `Quel est le taux de croissance du ${item} de ${company} entre ${from} et ${to} ?`,
      difference: (company, item, from, to) =>
        `De combien le ${item} de ${company} a-t-il augmenté entre ${from} et ${to} ?`,
      ratio: (company, item, by, year) => `Que donne ${item} divisé par ${by} chez ${company} pour ${year} ?`,
      share: (company, item, by, year) =>
        `Quelle part en pour cent du ${by} le ${item} de ${company} représente-t-il pour ${year} ?`,
    },
  },
};

/** Questions about margins, which have no row of their own. */
const MARGINS: Readonly<
  Record<
    Language,
    Readonly<Record<Half, Readonly<Record<'operating' | 'net', (company: string, year: string) => string>>>>
  >
> = {
  en: {
    tuning: {
      operating: (company, year) => `What is the operating margin of ${company} for ${year}?`,
      net: (company, year) => `What was ${company}'s net profit margin in ${year}?`,
    },
    checking: {
      operating: (company, year) => `How high was ${company}'s operating profit margin in ${year}?`,
      net: (company, year) => `Which net margin did ${company} reach in ${year}?`,
    },
  },
  de: {
    tuning: {
      operating: (company, year) => `Wie hoch war die operative Marge von ${company} im ${year}?`,
      net: (company, year) => `Wie hoch war die Nettomarge von ${company} im ${year}?`,
    },
    checking: {
      operating: (company, year) => `Welche EBIT-Marge erzielte ${company} im ${year}?`,
      net: (company, year) => `Welche Nettomarge hatte ${company} im ${year}?`,
    },
  },
  fr: {
    tuning: {
      operating: (company, year) => `Quelle est la marge opérationnelle de ${company} pour ${year} ?`,
      net: (company, year) => `Quelle était la marge nette de ${company} pour ${year} ?`,
    },
    checking: {
      operating: (company, year) => `À combien s’élève la marge d’exploitation de ${company} pour ${year} ?`,
      net: (company, year) => `Quelle marge nette ${company} a-t-elle réalisée pour ${year} ?`,
    },
  },
};

function questionsOf({ company, language, half, layout, years, values }: Asked): StatementQuestion[] {
  const phrases = PHRASES[language][half];
  const word = (item: Item): string => LABELS[language][half][item][1];
  const at = (item: Item, year: number): number => values.get(item)?.[years.indexOf(year)] ?? 0;
  const last = Math.max(...years);
  const [now, before] = [layout.fiscal(last), layout.fiscal(last - 1)];
  const cells: readonly (readonly [Item, number])[] = [
    ['revenue', last],
    ['research', last - 1],
    ['net', last - 2],
    ['plant', last],
    ['inventories', last - 1],
    ['depreciation', last],
  ];
  const found: StatementQuestion[] = cells.map(([item, year]) => ({
    kind: 'cell',
    question: phrases.cell(company, word(item), layout.fiscal(year)),
    gold: at(item, year),
  }));
  for (const item of ['revenue', 'selling'] as const) {
    const gold = (at(item, last) / at(item, last - 1) - 1) * 100;
    found.push({ kind: 'change', question: phrases.change(company, word(item), before, now), gold });
  }
  for (const item of ['receivables', 'debt'] as const) {
    const gold = Math.abs(at(item, last) - at(item, last - 1));
    found.push({ kind: 'difference', question: phrases.difference(company, word(item), before, now), gold });
  }
  found.push(
    {
      kind: 'ratio',
      question: phrases.ratio(company, word('currentAssets'), word('currentLiabilities'), now),
      gold: at('currentAssets', last) / at('currentLiabilities', last),
    },
    {
      kind: 'ratio',
      question: phrases.share(company, word('research'), word('revenue'), now),
      gold: (100 * at('research', last)) / at('revenue', last),
    },
    {
      kind: 'two statements',
      question: phrases.ratio(company, word('operations'), word('currentLiabilities'), now),
      gold: at('operations', last) / at('currentLiabilities', last),
    },
    {
      kind: 'two statements',
      question: phrases.ratio(company, word('revenue'), word('assets'), before),
      gold: at('revenue', last - 1) / at('assets', last - 1),
    },
    {
      kind: 'margin',
      question: MARGINS[language][half].operating(company, now),
      gold: (100 * at('operating', last)) / at('revenue', last),
    },
    {
      kind: 'margin',
      question: MARGINS[language][half].net(company, before),
      gold: (100 * at('net', last - 1)) / at('revenue', last - 1),
    },
    { kind: 'missing', question: phrases.cell(company, word('revenue'), layout.fiscal(last - 7)), gold: null },
    { kind: 'missing', question: phrases.change(company, word('net'), layout.fiscal(last - 6), now), gold: null },
  );
  return found;
}
