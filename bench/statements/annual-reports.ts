/**
 * Generated annual reports of made-up companies, two for each, with statements, a table by segment and notes, and
 * questions about figures that no cell states: ratios, whether something rose, the best year, stability, options,
 * payments, and changes between two reports. Near misses are about items, years and segments that the reports lack.
 * Halves as in `statement-files.ts`: they differ in companies, seeds, layouts, labels and wordings, and were written
 * together.
 */
import { pdfOf, widthOf, wrapped, type PlacedText } from '../forms/pdf-page.ts';
import { Random } from '../forms/random.ts';
import type { Half, Report, StatementQuestion } from './statement-files.ts';

type Item =
  | 'revenue'
  | 'cost'
  | 'operating'
  | 'interest'
  | 'pretax'
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
  | 'equity'
  | 'depreciation'
  | 'operatingCash'
  | 'capital'
  | 'investingCash'
  | 'dividends'
  | 'financingCash';
type Language = 'en' | 'de';
type Name = (company: string, year: string, other: string) => string;

const LAYOUT: readonly {
  statement: 'income' | 'balance' | 'flow';
  rows: readonly (Item | `:${string}` | `~${Item}`)[];
}[] = [
  { statement: 'income', rows: ['revenue', 'cost', 'operating', 'interest', 'pretax', 'tax', 'net'] },
  {
    statement: 'balance',
    rows: [
      ':assets',
      'cash',
      'receivables',
      'inventories',
      'currentAssets',
      'plant',
      'assets',
      ':liabilities',
      'payables',
      'currentLiabilities',
      'equity',
    ],
  },
  {
    statement: 'flow',
    rows: [
      ':operating',
      'depreciation',
      '~receivables',
      '~inventories',
      '~payables',
      'operatingCash',
      ':investing',
      'capital',
      'investingCash',
      ':financing',
      'dividends',
      'financingCash',
    ],
  },
];

interface Wording {
  titles: Readonly<Record<'income' | 'balance' | 'flow', string>>;
  labels: Readonly<Record<Item, string>>;
  sections: Readonly<Record<string, string>>;
  unit: string;
  segments: { title: string; rows: readonly string[]; measure: readonly string[] };
  note: (company: string, year: string) => string;
  yes: string;
  no: string;
  asks: Readonly<Record<keyof ReturnType<typeof goldsOf>, Name>>;
  misses: readonly Name[];
}

const ENGLISH: Wording = {
  titles: {
    income: 'Consolidated Statements of Income',
    balance: 'Consolidated Balance Sheets',
    flow: 'Consolidated Statements of Cash Flows',
  },
  labels: {
    revenue: 'Net sales',
    cost: 'Cost of goods sold',
    operating: 'Operating income',
    interest: 'Interest expense',
    pretax: 'Income before income taxes',
    tax: 'Provision for income taxes',
    net: 'Net income',
    cash: 'Cash and cash equivalents',
    receivables: 'Accounts receivable, net',
    inventories: 'Inventories',
    currentAssets: 'Total current assets',
    plant: 'Property, plant and equipment, net',
    assets: 'Total assets',
    payables: 'Accounts payable',
    currentLiabilities: 'Total current liabilities',
    equity: 'Total shareholders’ equity',
    depreciation: 'Depreciation and amortization',
    operatingCash: 'Net cash provided by operating activities',
    capital: 'Purchases of property, plant and equipment',
    investingCash: 'Net cash used in investing activities',
    dividends: 'Dividends paid',
    financingCash: 'Net cash used in financing activities',
  },
  sections: {
    ':assets': 'Current assets:',
    ':liabilities': 'Current liabilities:',
    ':operating': 'Operating activities',
    ':investing': 'Investing activities',
    ':financing': 'Financing activities',
  },
  unit: 'in millions',
  segments: {
    title: 'Results by segment',
    rows: ['Coatings', 'Adhesives'],
    measure: ['Net sales', 'Operating income'],
  },
  note: (company, year) =>
    `${company} operates in two segments. Management reviews margins, liquidity and working capital each quarter. In fiscal ${year} demand was affected by the weather, and the company opened two plants.`,
  yes: 'Yes',
  no: 'No',
  asks: {
    quick: (company, year) => `What is the quick ratio of ${company} for FY${year}?`,
    liquidity: (company, year) =>
      `Does ${company} have a healthy liquidity profile based on its quick ratio for FY${year}?`,
    current: (company, year) => `What was ${company}'s current ratio in FY${year}?`,
    workingCapital: (company, year) => `How much working capital did ${company} have at the end of FY${year}?`,
    payableDays: (company, year) => `What is the days payable outstanding of ${company} for FY${year}?`,
    receivableDays: (company, year) => `What is ${company}'s days sales outstanding in FY${year}?`,
    inventoryTurnover: (company, year) => `What was the inventory turnover of ${company} in FY${year}?`,
    grossMargin: (company, year) => `What is the gross margin of ${company} for FY${year}?`,
    assetReturn: (company, year) => `What is the return on assets of ${company} in FY${year}?`,
    assetTurnover: (company, year) => `What is ${company}'s asset turnover for FY${year}?`,
    intensity: (company, year) => `Is ${company} a capital-intensive business based on FY${year} data?`,
    taxRate: (company, year) => `What was the effective tax rate of ${company} in FY${year}?`,
    payout: (company, year) => `What is the dividend payout ratio of ${company} for FY${year}?`,
    coverage: (company, year) => `What is ${company}'s interest coverage ratio for FY${year}?`,
    freeCash: (company, year) => `How much free cash flow did ${company} generate in FY${year}?`,
    risen: (company, year, other) => `Did net income of ${company} grow between FY${other} and FY${year}?`,
    dropped: (company, year, other) =>
      `Was there any drop in accounts payable between FY${other} and FY${year} at ${company}?`,
    higher: (company, year, other) => `Was ${company}'s net sales higher in FY${year} than in FY${other}?`,
    improved: (company, year) => `Does ${company} have an improving gross margin profile as of FY${year}?`,
    bestYear: (company) => `In which year was the operating income of ${company} the highest?`,
    steady: (company) =>
      `Are ${company}'s operating margins historically consistent (not fluctuating more than roughly 3% each year)? If they are not a relevant metric, please state that.`,
    activities: (company, year) =>
      `Among operations, investing, and financing activities, which brought in the most (or lost the least) cash flow for ${company} in FY${year}?`,
    options: (company, year) =>
      `Which was higher for ${company} at the end of FY${year}: inventories or accounts receivable?`,
    paid: (company, year) => `Did ${company} pay any dividends in FY${year}?`,
    reports: (company, year, other) => `Did the total assets of ${company} increase between FY${other} and FY${year}?`,
    synonym: (company, year) => `What is the FY${year} capital expenditure amount (in USD millions) for ${company}?`,
    otherName: (company, year) => `How much revenue did ${company} report for FY${year}?`,
    defined: (company, year, other) =>
      `What is the FY${year} fixed asset turnover ratio for ${company}? Fixed asset turnover ratio is defined as: FY${year} revenue / (average PP&E between FY${other} and FY${year}).`,
    definedDays: (company, year, other) =>
      `What is ${company}'s FY${year} days payable outstanding (DPO)? DPO is defined as: 365 * (average accounts payable between FY${other} and FY${year}) / (FY${year} COGS + change in inventories between FY${other} and FY${year}). Round your answer to two decimal places.`,
    mean: (company, year, other) =>
      `What is the FY${Number(other) - 1} - FY${year} 3 year average of capex as a % of revenue for ${company}?`,
    grown: (company, year) => `What is the FY${year} year-over-year change in net sales of ${company}?`,
    margins: (company, year) =>
      `What were the operating margins of ${company} in each of the last three years up to FY${year}?`,
  },
  misses: [
    (company, year) => `What is the return on equity of ${company} for FY${Number(year) - 9}?`,
    (company, year) => `What is the gross margin of the Sealants segment of ${company} in FY${year}?`,
    (company, year) => `What was the quick ratio of ${company} in FY${Number(year) - 8}?`,
    (company, year) => `Did the goodwill of ${company} increase in FY${year}?`,
    (company, year) => `What is the adjusted operating margin of ${company} for FY${year}?`,
    (company, year) => `What were the free cash flow and the current ratio of Bexley Foundries in FY${year}?`,
    (company, year) => `Did ${company} repurchase any shares in FY${year}?`,
    (company, year) => `Was net income of ${company} higher in FY${year} than in FY${Number(year) - 10}?`,
    (company, year) => `Did the deferred net sales of ${company} grow in FY${year}?`,
    (company, year) => `How much revenue from licensing did ${company} report for FY${year}?`,
    (company, year) =>
      `What is ${company}'s FY${year} burn ratio? It is defined as: FY${year} revenue / (average headcount in FY${year}).`,
    (company, year) => `What is the FY${Number(year) - 3} year-over-year change in net sales of ${company}?`,
  ],
};

const CHECKING_ENGLISH: Wording = {
  ...ENGLISH,
  titles: {
    income: 'Consolidated Statements of Operations',
    balance: 'Consolidated Statements of Financial Position',
    flow: 'Consolidated Cash Flow Statements',
  },
  labels: {
    revenue: 'Total revenues',
    cost: 'Cost of sales',
    operating: 'Income from operations',
    interest: 'Interest expense',
    pretax: 'Earnings before income tax expense',
    tax: 'Income tax expense',
    net: 'Net earnings',
    cash: 'Cash and equivalents',
    receivables: 'Trade receivables (net)',
    inventories: 'Merchandise inventories',
    currentAssets: 'Current assets, total',
    plant: 'Property and equipment, net',
    assets: 'Total assets',
    payables: 'Trade payables',
    currentLiabilities: 'Current liabilities, total',
    equity: 'Total stockholders’ equity',
    depreciation: 'Depreciation & amortization',
    operatingCash: 'Cash flows from operating activities',
    capital: 'Capital expenditures',
    investingCash: 'Cash flows used for investing activities',
    dividends: 'Cash dividends paid',
    financingCash: 'Cash flows used for financing activities',
  },
  unit: '$ in thousands',
  segments: {
    title: 'Segment information',
    rows: ['Northern stores', 'Southern stores'],
    measure: ['Revenues', 'Income from operations'],
  },
  note: (company, year) =>
    `The stores of ${company} are leased. Liquidity is managed centrally, and the board looks at days outstanding and turnover. During ${year} the remodelling of the stores went on as planned.`,
  asks: {
    quick: (company, year) => `Calculate ${company}'s acid-test ratio at the end of fiscal ${year}.`,
    liquidity: (company, year) => `Is the quick ratio of ${company} above one at fiscal year-end ${year}?`,
    current: (company, year) => `How high was the current ratio at ${company} in fiscal ${year}?`,
    workingCapital: (company, year) => `What amount of net working capital did ${company} report for fiscal ${year}?`,
    payableDays: (company, year) => `Compute the DPO of ${company} for fiscal ${year}.`,
    receivableDays: (company, year) => `How many days of sales outstanding did ${company} have in fiscal ${year}?`,
    inventoryTurnover: (company, year) => `Fiscal ${year} inventory turnover ratio of ${company}?`,
    grossMargin: (company, year) => `How large was ${company}'s gross profit margin in fiscal ${year}?`,
    assetReturn: (company, year) => `Which return on total assets did ${company} achieve in fiscal ${year}?`,
    assetTurnover: (company, year) => `How high is the total asset turnover of ${company} for fiscal ${year}?`,
    intensity: (company, year) => `How high was the capital intensity of ${company} in fiscal ${year}?`,
    taxRate: (company, year) => `Which effective income tax rate did ${company} have in fiscal ${year}?`,
    payout: (company, year) => `How high was the payout ratio of ${company} in fiscal ${year}?`,
    coverage: (company, year) => `Compute the interest coverage of ${company} in fiscal ${year}.`,
    freeCash: (company, year) => `What was the free cash flow of ${company} for fiscal ${year}?`,
    risen: (company, year, other) =>
      `Has ${company}'s net earnings figure increased from fiscal ${other} to fiscal ${year}?`,
    dropped: (company, year, other) =>
      `Did trade payables decline at ${company} from fiscal ${other} to fiscal ${year}?`,
    higher: (company, year, other) =>
      `Were the total revenues of ${company} lower in fiscal ${year} than in fiscal ${other}?`,
    improved: (company, year) => `Has the gross margin of ${company} improved in fiscal ${year}?`,
    bestYear: (company) => `Which fiscal year saw ${company}'s largest income from operations?`,
    steady: (company) =>
      `Has ${company}'s operating margin been stable, with changes of at most 3 percentage points a year?`,
    activities: (company, year) =>
      `Which activities generated the most cash at ${company} in fiscal ${year}: operating, investing or financing?`,
    options: (company, year) =>
      `Between merchandise inventories and trade payables, which was larger at ${company} at the end of fiscal ${year}?`,
    paid: (company, year) => `Has ${company} distributed dividends to its shareholders in fiscal ${year}?`,
    reports: (company, year, other) =>
      `Has ${company}'s total assets figure grown from fiscal ${other} to fiscal ${year}?`,
    synonym: (company, year) => `How much capex did ${company} have in fiscal ${year}?`,
    otherName: (company, year) => `How high was net income at ${company} in fiscal ${year}?`,
    defined: (company, year, other) =>
      `Calculate the fixed asset turnover of ${company} for fiscal ${year}, which is calculated as fiscal ${year} sales divided by the average PP&E between fiscal ${other} and fiscal ${year}.`,
    definedDays: (company, year, other) =>
      `How high was the days payable outstanding of ${company} in fiscal ${year}? DPO is calculated as: 365 * (average accounts payable between fiscal ${other} and fiscal ${year}) / fiscal ${year} cost of goods sold.`,
    mean: (company, year, other) =>
      `What was the three-year average operating margin of ${company} from fiscal ${Number(other) - 1} to fiscal ${year}?`,
    grown: (company, year) => `By what percentage did total revenues of ${company} grow in fiscal ${year}?`,
    margins: (company, year) =>
      `How did the gross margin of ${company} develop from fiscal ${Number(year) - 2} to fiscal ${year}?`,
  },
  misses: [
    (company, year) => `How high was the return on equity at ${company} in fiscal ${Number(year) - 9}?`,
    (company, year) => `What gross margin did the division Western stores of ${company} have in fiscal ${year}?`,
    (company, year) => `Compute ${company}'s current ratio for fiscal ${Number(year) - 8}.`,
    (company, year) => `Have the intangible assets of ${company} decreased in fiscal ${year}?`,
    (company, year) => `How high was ${company}'s non-GAAP operating margin in fiscal ${year}?`,
    (company, year) => `How high is the inventory turnover of Tarrant Hotels in fiscal ${year}?`,
    (company, year) => `Has ${company} bought back stock in fiscal ${year}?`,
    (company, year) => `Did ${company}'s total assets grow from fiscal ${Number(year) - 10} to fiscal ${year}?`,
    (company, year) => `Has the restricted cash and equivalents balance of ${company} dropped in fiscal ${year}?`,
    (company, year) => `What were the total revenues from franchising at ${company} in fiscal ${year}?`,
    (company, year) =>
      `What is the store productivity ratio of ${company}? It is calculated as: fiscal ${year} total revenues / square feet.`,
    (company, year) => `By what percentage did total revenues of ${company} grow in fiscal ${Number(year) - 3}?`,
  ],
};

const GERMAN: Wording = {
  titles: {
    income: 'Konzern-Gewinn- und Verlustrechnung',
    balance: 'Konzernbilanz',
    flow: 'Konzern-Kapitalflussrechnung',
  },
  labels: {
    revenue: 'Umsatzerlöse',
    cost: 'Umsatzkosten',
    operating: 'Betriebsergebnis',
    interest: 'Zinsaufwand',
    pretax: 'Ergebnis vor Steuern',
    tax: 'Ertragsteuern',
    net: 'Jahresüberschuss',
    cash: 'Zahlungsmittel',
    receivables: 'Forderungen aus Lieferungen und Leistungen',
    inventories: 'Vorräte',
    currentAssets: 'Summe kurzfristige Vermögenswerte',
    plant: 'Sachanlagen',
    assets: 'Bilanzsumme',
    payables: 'Verbindlichkeiten aus Lieferungen und Leistungen',
    currentLiabilities: 'Summe kurzfristige Schulden',
    equity: 'Eigenkapital',
    depreciation: 'Abschreibungen',
    operatingCash: 'Cashflow aus laufender Geschäftstätigkeit',
    capital: 'Investitionen in Sachanlagen',
    investingCash: 'Cashflow aus Investitionstätigkeit',
    dividends: 'Gezahlte Dividenden',
    financingCash: 'Cashflow aus Finanzierungstätigkeit',
  },
  sections: {
    ':assets': 'Kurzfristige Vermögenswerte:',
    ':liabilities': 'Kurzfristige Schulden:',
    ':operating': 'Laufende Geschäftstätigkeit',
    ':investing': 'Investitionstätigkeit',
    ':financing': 'Finanzierungstätigkeit',
  },
  unit: 'in Mio. EUR',
  segments: {
    title: 'Ergebnisse nach Segmenten',
    rows: ['Pumpen', 'Ventile'],
    measure: ['Umsatzerlöse', 'Betriebsergebnis'],
  },
  note: (company, year) =>
    `${company} ist in zwei Segmenten tätig. Der Vorstand achtet auf Marge, Liquidität und Kapitalbindung. Im Jahr ${year} wurden zwei Werke eröffnet.`,
  yes: 'Ja',
  no: 'Nein',
  asks: {
    quick: (company, year) => `Wie hoch war die Liquidität 2. Grades von ${company} im Jahr ${year}?`,
    liquidity: (company, year) => `Wie hoch ist die Quick Ratio von ${company} für ${year}?`,
    current: (company, year) => `Wie hoch war die Liquidität 3. Grades von ${company} im Jahr ${year}?`,
    workingCapital: (company, year) => `Wie hoch war das Working Capital von ${company} Ende ${year}?`,
    payableDays: (company, year) => `Wie lang war die Kreditorenlaufzeit von ${company} im Jahr ${year}?`,
    receivableDays: (company, year) => `Wie lang war die Debitorenlaufzeit von ${company} im Jahr ${year}?`,
    inventoryTurnover: (company, year) => `Wie hoch war der Lagerumschlag von ${company} im Jahr ${year}?`,
    grossMargin: (company, year) => `Wie hoch war die Bruttomarge von ${company} im Jahr ${year}?`,
    assetReturn: (company, year) => `Welche Gesamtkapitalrendite hatte ${company} im Jahr ${year}?`,
    assetTurnover: (company, year) => `Wie hoch war der Kapitalumschlag von ${company} im Jahr ${year}?`,
    intensity: (company, year) => `Ist ${company} nach den Zahlen von ${year} kapitalintensiv?`,
    taxRate: (company, year) => `Wie hoch war die Steuerquote von ${company} im Jahr ${year}?`,
    payout: (company, year) => `Wie hoch war die Ausschüttungsquote von ${company} im Jahr ${year}?`,
    coverage: (company, year) => `Wie hoch war die Zinsdeckung von ${company} im Jahr ${year}?`,
    freeCash: (company, year) => `Wie hoch war der freie Cashflow von ${company} im Jahr ${year}?`,
    risen: (company, year, other) => `Ist der Jahresüberschuss von ${company} von ${other} auf ${year} gestiegen?`,
    dropped: (company, year, other) => `Sind die Vorräte von ${company} von ${other} auf ${year} gesunken?`,
    higher: (company, year, other) => `Waren die Umsatzerlöse von ${company} im Jahr ${year} höher als ${other}?`,
    improved: (company, year) => `Hat sich die Bruttomarge von ${company} im Jahr ${year} verbessert?`,
    bestYear: (company) => `In welchem Jahr war das Betriebsergebnis von ${company} am höchsten?`,
    steady: (company) => `War die EBIT-Marge von ${company} stabil, mit höchstens 3 Prozentpunkten Änderung im Jahr?`,
    activities: (company, year) =>
      `Unter laufender Geschäftstätigkeit, Investitionstätigkeit und Finanzierungstätigkeit, welche brachte ${company} im Jahr ${year} am meisten Cashflow?`,
    options: (company, year) => `Was war bei ${company} Ende ${year} höher: Vorräte oder Zahlungsmittel?`,
    paid: (company, year) => `Hat ${company} im Jahr ${year} Dividenden gezahlt?`,
    reports: (company, year, other) => `Ist die Bilanzsumme von ${company} von ${other} auf ${year} gestiegen?`,
    synonym: (company, year) => `Wie hoch waren die Investitionen von ${company} im Jahr ${year}?`,
    otherName: (company, year) => `Wie hoch war der Umsatz von ${company} im Jahr ${year}?`,
    defined: (company, year) => `Wie hoch war der Nettogewinn von ${company} im Jahr ${year}?`,
    definedDays: (company, year) => `Wie lang war die Debitorenlaufzeit von ${company} ${year}?`,
    mean: (company, year) => `Welche Nettomarge hatte ${company} ${year}?`,
    grown: (company, year) => `Um wie viel Prozent stiegen die Umsatzerlöse von ${company} im Jahr ${year}?`,
    margins: (company, year) =>
      `Wie entwickelte sich die EBIT-Marge von ${company} von ${Number(year) - 2} bis ${year}?`,
  },
  misses: [
    (company, year) => `Wie hoch war die Eigenkapitalrendite von ${company} im Jahr ${Number(year) - 9}?`,
    (company, year) => `Wie hoch war die Bruttomarge im Segment Filter von ${company} im Jahr ${year}?`,
    (company, year) => `Wie hoch war die Liquidität 3. Grades von ${company} im Jahr ${Number(year) - 8}?`,
    (company, year) => `Ist der Firmenwert von ${company} im Jahr ${year} gestiegen?`,
    (company, year) => `Wie hoch war die bereinigte EBIT-Marge von ${company} im Jahr ${year}?`,
    (company, year) => `Wie hoch war die Bruttomarge von Haldern Stahlbau im Jahr ${year}?`,
    (company, year) => `Hat ${company} im Jahr ${year} eigene Aktien zurückgekauft?`,
    (company, year) => `Ist der Jahresüberschuss von ${company} von ${Number(year) - 10} auf ${year} gestiegen?`,
    (company, year) => `Ist der passive Zinsaufwand von ${company} im Jahr ${year} gestiegen?`,
    (company, year) => `Wie hoch war der Umsatz mit Lizenzen von ${company} im Jahr ${year}?`,
    (company, year) => `Wie hoch war die Umsatzrendite je Mitarbeiter von ${company} im Jahr ${year}?`,
    (company, year) => `Um wie viel Prozent stiegen die Umsatzerlöse von ${company} im Jahr ${Number(year) - 3}?`,
  ],
};

interface Layout {
  company: string;
  wording: Wording;
  language: Language;
  format: 'html' | 'pdf';
  header: (year: number) => string;
  /** Whether the currency has cells of its own, in HTML. */
  currencyCells?: true;
  /** Whether the earliest year is the first column. */
  ascending?: true;
  /** Whether outflows have brackets. */
  brackets?: true;
}

const COMPANIES: Readonly<Record<Half, readonly Layout[]>> = {
  tuning: [
    { company: 'Wexcombe Coatings', wording: ENGLISH, language: 'en', format: 'html', header: String, brackets: true },
    {
      company: 'Alderin Polymers',
      wording: ENGLISH,
      language: 'en',
      format: 'pdf',
      header: (year) => `June 30, ${year}`,
      brackets: true,
    },
    {
      company: 'Sturrock Adhesives',
      wording: ENGLISH,
      language: 'en',
      format: 'html',
      header: (year) => `December 31, ${year}`,
      currencyCells: true,
      ascending: true,
    },
    { company: 'Falkenau Pumpen', wording: GERMAN, language: 'de', format: 'html', header: String, brackets: true },
  ],
  checking: [
    {
      company: 'Hollis Outfitters',
      wording: CHECKING_ENGLISH,
      language: 'en',
      format: 'pdf',
      header: (year) => `Fiscal ${year}`,
      brackets: true,
    },
    {
      company: 'Penhallow Stores',
      wording: CHECKING_ENGLISH,
      language: 'en',
      format: 'html',
      header: (year) => `January 31, ${year}`,
      currencyCells: true,
      brackets: true,
    },
    {
      company: 'Garrick Markets',
      wording: CHECKING_ENGLISH,
      language: 'en',
      format: 'pdf',
      header: (year) => `FY${year}`,
      ascending: true,
    },
    {
      company: 'Rothenfels Armaturen',
      wording: GERMAN,
      language: 'de',
      format: 'pdf',
      header: (year) => `31.12.${year}`,
    },
  ],
};
const SEEDS: Readonly<Record<Half, number>> = { tuning: 31_117, checking: 90_203 };
const OUTFLOWS: ReadonlySet<Item> = new Set(['interest', 'capital', 'dividends', 'investingCash', 'financingCash']);
/** Items that are negative in cash flow statements in any case. */
const NEGATIVE: ReadonlySet<Item> = new Set(['investingCash', 'financingCash']);
const YEARS = 4;
const INCOME_YEARS = 3;
const BALANCE_YEARS = 2;

type Values = ReadonlyMap<number, Readonly<Record<Item, number>>>;

/** Returns values for each year in which totals are the sums of their parts. */
function valuesOf(random: Random, last: number): Values {
  const near = (size: number): number => Math.round(size * (0.75 + 0.5 * random.next())) + random.whole(1, 9);
  return new Map(
    Array.from({ length: YEARS }, (_, back) => {
      const revenue = near(9_000);
      const cost = near(5_200);
      const operating = revenue - cost - near(1_900);
      const interest = near(90);
      const pretax = operating - interest;
      const tax = Math.max(20, Math.round(pretax * (0.18 + 0.08 * random.next())));
      const [cash, receivables, inventories] = [near(1_100), near(1_300), near(1_400)];
      const currentAssets = cash + receivables + inventories + near(200);
      const plant = near(2_600);
      const payables = near(900);
      const [capital, dividends] = [near(420), near(210)];
      const year: Record<Item, number> = {
        revenue,
        cost,
        operating,
        interest,
        pretax,
        tax,
        net: pretax - tax,
        cash,
        receivables,
        inventories,
        currentAssets,
        plant,
        assets: currentAssets + plant + near(800),
        payables,
        currentLiabilities: payables + near(1_500),
        equity: near(3_000),
        depreciation: near(310),
        operatingCash: near(1_200),
        capital,
        investingCash: capital + near(80),
        dividends,
        financingCash: dividends + near(150),
      };
      return [last - back, year] as const;
    }),
  );
}

/** Returns the answer to each question about the year and the one before. */
function goldsOf(values: Values, last: number, { yes, no, labels }: Wording, language: Language) {
  const at = (item: Item, back = 0): number => values.get(last - back)?.[item] ?? 0;
  const average = (item: Item): number => (at(item) + at(item, 1)) / 2;
  const answer = (isYes: boolean): string => (isYes ? yes : no);
  const margin = (back: number): number => 1 - at('cost', back) / at('revenue', back);
  const quick = (at('currentAssets') - at('inventories')) / at('currentLiabilities');
  const years = [0, 1, 2];
  const operating = years.map((back) => at('operating', back) / at('revenue', back));
  const steps = [0, 1].map((back) => Math.abs((operating[back] ?? 0) - (operating[back + 1] ?? 0)));
  const isChecking = labels.revenue === CHECKING_ENGLISH.labels.revenue;
  const larger = (a: Item, b: Item): string => labels[at(a) > at(b) ? a : b];
  const best = years.toSorted((a, b) => at('operating', b) - at('operating', a))[0] ?? 0;
  return {
    quick,
    liquidity: quick,
    current: at('currentAssets') / at('currentLiabilities'),
    workingCapital: at('currentAssets') - at('currentLiabilities'),
    payableDays: (at('payables') / at('cost')) * 365,
    receivableDays: (at('receivables') / at('revenue')) * 365,
    inventoryTurnover: at('cost') / average('inventories'),
    grossMargin: margin(0) * 100,
    assetReturn: (at('net') / average('assets')) * 100,
    assetTurnover: at('revenue') / average('assets'),
    intensity: (at('capital') / at('revenue')) * 100,
    taxRate: (at('tax') / at('pretax')) * 100,
    payout: (at('dividends') / at('net')) * 100,
    coverage: at('operating') / at('interest'),
    freeCash: at('operatingCash') - at('capital'),
    risen: answer(at('net') > at('net', 1)),
    dropped: answer(language === 'de' ? at('inventories') < at('inventories', 1) : at('payables') < at('payables', 1)),
    higher: answer(at('revenue') > at('revenue', 1) !== isChecking),
    improved: answer(margin(0) > margin(1)),
    bestYear: String(last - best),
    steady: answer(Math.max(...steps) <= 0.03),
    activities: labels.operatingCash,
    options:
      language === 'de'
        ? larger('inventories', 'cash')
        : larger('inventories', isChecking ? 'payables' : 'receivables'),
    paid: yes,
    reports: answer(at('assets') > at('assets', 2)),
    grown: (at('revenue') / at('revenue', 1) - 1) * 100,
    margins: years.toReversed().map((back) => {
      const profit = isChecking ? at('revenue', back) - at('cost', back) : at('operating', back);
      return `${((profit / at('revenue', back)) * 100).toFixed(1).replace('-', '−')} %`;
    }),
    synonym: at('capital'),
    otherName: isChecking ? at('net') : at('revenue'),
    defined: language === 'de' ? at('net') : at('revenue') / average('plant'),
    definedDays:
      language === 'de'
        ? (at('receivables') / at('revenue')) * 365
        : (365 * average('payables')) / (at('cost') + (isChecking ? 0 : at('inventories') - at('inventories', 1))),
    mean:
      language === 'de'
        ? (at('net') / at('revenue')) * 100
        : (years.reduce((sum, back) => sum + at(isChecking ? 'operating' : 'capital', back) / at('revenue', back), 0) /
            3) *
          100,
  };
}

const KINDS: Partial<Record<keyof ReturnType<typeof goldsOf>, StatementQuestion['kind']>> = {
  risen: 'direction',
  dropped: 'direction',
  higher: 'direction',
  improved: 'direction',
  bestYear: 'best year',
  steady: 'steady',
  activities: 'options',
  options: 'options',
  paid: 'payment',
  reports: 'two reports',
  grown: 'change',
  margins: 'margins of years',
  synonym: 'other name',
  otherName: 'other name',
  defined: 'definition',
  definedDays: 'definition',
  mean: 'definition',
};

/** Returns the files and questions of a half. */
export function annualReportsOf(half: Half): Report[] {
  const random = new Random(SEEDS[half]);
  return COMPANIES[half].flatMap((layout) => {
    const last = random.whole(2020, 2023);
    const values = valuesOf(random, last);
    const golds = goldsOf(values, last, layout.wording, layout.language);
    const { asks, misses } = layout.wording;
    const questions = (Object.keys(golds) as (keyof typeof golds)[]).map((name): StatementQuestion => {
      const other = String(name === 'reports' ? last - 2 : last - 1);
      const question = asks[name](layout.company, String(last), other);
      return { kind: KINDS[name] ?? 'formula', question, gold: golds[name] };
    });
    const near = misses.map((miss): StatementQuestion => ({
      kind: 'near miss',
      question: miss(layout.company, String(last), ''),
      gold: null,
    }));
    return [
      fileOf(layout, values, last, [...questions, ...near], random),
      fileOf(layout, values, last - 1, [], random),
    ];
  });
}

interface Table {
  title: string;
  rows: readonly (readonly string[])[];
}

function fileOf(layout: Layout, values: Values, last: number, questions: StatementQuestion[], random: Random): Report {
  const { company, wording, language, format, header } = layout;
  const written = (value: number, item?: Item): string => {
    const digits = String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, language === 'de' ? '.' : ',');
    const isBracketed = item !== undefined && (NEGATIVE.has(item) || (OUTFLOWS.has(item) && layout.brackets === true));
    return isBracketed ? `(${digits})` : digits;
  };
  const inOrder = <T>(cells: readonly T[]): T[] => (layout.ascending === true ? cells.toReversed() : [...cells]);
  const yearsOf = (count: number): number[] =>
    inOrder(Array.from({ length: count }, (_, back) => last - back).filter((year) => values.has(year)));
  const statements = LAYOUT.map(({ statement, rows }): Table => {
    const years = yearsOf(statement === 'balance' ? BALANCE_YEARS : INCOME_YEARS);
    const lines = rows.map((row) => {
      const section = wording.sections[row];
      if (section !== undefined) return [section, ...years.map(() => '')];
      // Cash flow statements list changes of balances under their names.
      const changed = row.startsWith('~') ? (row.slice(1) as Item) : null;
      if (changed !== null) return [wording.labels[changed], ...years.map(() => written(random.whole(11, 190)))];
      const item = row as Item;
      return [wording.labels[item], ...years.map((year) => written(values.get(year)?.[item] ?? 0, item))];
    });
    return { title: wording.titles[statement], rows: [[`(${wording.unit})`, ...years.map(header)], ...lines] };
  });
  const years = yearsOf(BALANCE_YEARS);
  const shares = wording.segments.rows.map(() => 0.3 + 0.3 * random.next());
  const segments = wording.segments.rows.flatMap((name, at) => [
    [name, ...years.map(() => '')],
    ...wording.segments.measure.map((measure, line) => [
      measure,
      ...years.map((year) =>
        written(Math.round((values.get(year)?.[line === 0 ? 'revenue' : 'operating'] ?? 0) * (shares[at] ?? 0.5))),
      ),
    ]),
  ]);
  const tables = [
    { title: wording.segments.title, rows: [[`(${wording.unit})`, ...years.map(header)], ...segments] },
    ...statements,
  ];
  const name = `${company} ${last}`;
  const note = wording.note(company, String(last));
  return {
    file: `${name.replaceAll(' ', '_')}_annual_report.${format}`,
    content: format === 'html' ? htmlOf(name, note, tables, layout) : pdfFileOf(name, note, tables),
    contentType: format === 'html' ? 'text/html' : 'application/pdf',
    questions,
  };
}

function htmlOf(name: string, note: string, tables: readonly Table[], { currencyCells }: Layout): Buffer {
  const cell = (tag: string, text: string): string => `<${tag}>${text.replaceAll('&', '&amp;')}</${tag}>`;
  const parts = tables.map(({ title, rows: [header = [], ...rows] }) => {
    const isSpread = currencyCells === true;
    const head = header.map((text, at) => (at > 0 && isSpread ? `<th colspan="2">${text}</th>` : cell('th', text)));
    const body = rows.map((row, line) => {
      const cells = row.flatMap((text, at) => (at > 0 && isSpread ? [line === 0 ? '$' : '', text] : [text]));
      return `<tr>${cells.map((text) => cell('td', text)).join('')}</tr>`;
    });
    return `<h2>${title}</h2><table><tr>${head.join('')}</tr>${body.join('')}</table>`;
  });
  return Buffer.from(
    `<html><head><title>${name}</title></head><body><h1>${name}</h1><p>${note}</p>${parts.join('')}</body></html>`,
  );
}

const LEFT = 50;
const COLUMN_ENDS = [390, 470, 550];
const LINE = 16;
const SIZE = 9;

function pdfFileOf(name: string, note: string, tables: readonly Table[]): Buffer {
  const pages = tables.map(({ title, rows }, page) => {
    const texts: PlacedText[] = [
      { text: name, x: LEFT, y: 50, size: 9 },
      { text: title, x: LEFT, y: 80, size: 14, bold: true },
    ];
    for (const [line, cells] of rows.entries()) {
      for (const [at, text] of cells.entries()) {
        const end = COLUMN_ENDS[at - 1];
        if (text === '') continue;
        const x = end === undefined ? LEFT : end - widthOf(text, SIZE);
        texts.push({ text, x, y: 115 + line * LINE, size: SIZE, bold: line === 0 });
      }
    }
    if (page === 0) {
      const lines = wrapped(note, 480, 10);
      texts.push(...lines.map((part, line) => ({ text: part, x: LEFT, y: 420 + line * 14, size: 10 })));
    }
    return texts;
  });
  return pdfOf(pages);
}
