/**
 * Figures that are computed from items of financial statements, with the phrases by which questions name them. Formulas
 * are those of the CFA Institute's curriculum ("Financial Analysis Techniques", 2023: margins, liquidity, turnovers and
 * returns over average balances, coverage, tax rate, payout), unless noted.
 */
import type { Item } from './items.ts';

export interface Ratio {
  /** Items in braces; `<` is the value at the end of the year before. The first whose items are all found counts. */
  formulas: readonly string[];
  result: 'percent' | 'ratio' | 'days' | 'amount';
  /** Phrases of a question, in English, German and French. */
  asked: RegExp;
}

const averageOf = (item: Item): string => `(({${item}<} + {${item}}) ÷ 2)`;

const RATIOS: readonly Ratio[] = [
  {
    asked:
      /\bgross (?:profit |income )?margins?\b|\bbrutto(?:gewinn)?margen?\b|\b(?:taux de )?marges? brutes?\b|\bmargen bruto\b/iu,
    formulas: ['{gross} ÷ {revenue}', '({revenue} − {cost}) ÷ {revenue}'],
    result: 'percent',
  },
  {
    asked:
      /\boperating (?:profit |income )?margins?\b|\b(?:operativen?[rsm]?|ebit)[ -](?:umsatz)?(?:margen?|rendite)\b|\bmarges? (?:opérationnelles?|d['’]exploitation)\b|\bmargen? operativ[ao]\b/iu,
    formulas: ['{operating} ÷ {revenue}'],
    result: 'percent',
  },
  {
    asked:
      /\bnet (?:profit |income )?margins?\b|\bnetto(?:gewinn)?margen?\b|\bumsatzrendite\b|\bmarges? nettes?\b|\bmargen neto\b/iu,
    formulas: ['{net} ÷ {revenue}'],
    result: 'percent',
  },
  {
    // EBITDA: earnings before interest, taxes, depreciation, amortization (SEC, Non-GAAP Financial Measures, 103.01).
    asked: /\bunadjusted ebitda (?:%\s?)?margins?\b/iu,
    formulas: ['({operating} + {depreciation}) ÷ {revenue}'],
    result: 'percent',
  },
  {
    // Ross, Westerfield and Jaffe, "Corporate Finance", chapter 3.
    asked:
      /\b(?:quick|acid[- ]test) ratio\b|\bliquidität (?:2\. grades|zweiten grades)\b|\bquick[- ]ratio\b|\bratio de liquidité réduite\b/iu,
    formulas: ['({currentAssets} − {inventories}) ÷ {currentLiabilities}'],
    result: 'ratio',
  },
  {
    asked:
      /\bcurrent ratio\b|\bworking capital ratio\b|\bliquidität (?:3\. grades|dritten grades)\b|\bratio de liquidité générale\b/iu,
    formulas: ['{currentAssets} ÷ {currentLiabilities}'],
    result: 'ratio',
  },
  {
    // Without securities, as those are no row of many balance sheets.
    asked: /\bcash ratio\b|\bliquidität (?:1\. grades|ersten grades)\b/iu,
    formulas: ['{cash} ÷ {currentLiabilities}'],
    result: 'ratio',
  },
  {
    asked: /\b(?:net )?working capital\b|\bnettoumlaufvermögen\b|\bfonds de roulement\b/iu,
    formulas: ['{currentAssets} − {currentLiabilities}'],
    result: 'amount',
  },
  {
    // Days are over balances at the end of the year, as in Ross, Westerfield and Jaffe; averages are common, too.
    asked:
      /\b[Dd]ays (?:of )?(?:payables?|accounts payable)(?: outstanding)?\b|\bDPO\b|\b[Kk]reditoren(?:laufzeit|ziel)\b/u,
    formulas: ['{payables} ÷ {cost} × 365'],
    result: 'days',
  },
  {
    asked: /\b[Dd]ays (?:of )?(?:sales|receivables?) outstanding\b|\bDSO\b|\b(?:[Dd]ebitoren|[Ff]orderungs)laufzeit\b/u,
    formulas: ['{receivables} ÷ {revenue} × 365'],
    result: 'days',
  },
  {
    asked: /\b[Dd]ays (?:of )?inventory(?: outstanding| on hand)?\b|\bDIO\b|\b[Ll]agerdauer\b/u,
    formulas: ['{inventories} ÷ {cost} × 365'],
    result: 'days',
  },
  {
    asked: /\binventory turnover\b|\blagerumschlag\b|\brotation des stocks\b/iu,
    formulas: [`{cost} ÷ ${averageOf('inventories')}`],
    result: 'ratio',
  },
  {
    asked: /\bfixed[- ]asset turnover\b/iu,
    formulas: [`{revenue} ÷ ${averageOf('plant')}`],
    result: 'ratio',
  },
  {
    asked: /(?<!fixed[- ])\bassets? turnover\b|\bkapitalumschlag\b/iu,
    formulas: [`{revenue} ÷ ${averageOf('assets')}`],
    result: 'ratio',
  },
  {
    asked: /\b[Rr]eturn on (?:total )?assets\b|\bROA\b|\b[Gg]esamtkapitalrendite\b/u,
    formulas: [`{net} ÷ ${averageOf('assets')}`],
    result: 'percent',
  },
  {
    asked: /\b[Rr]eturn on (?:shareholders['’]? |stockholders['’]? )?equity\b|\bROE\b|\b[Ee]igenkapitalrendite\b/u,
    formulas: [`{net} ÷ ${averageOf('equity')}`],
    result: 'percent',
  },
  {
    // Spending on fixed assets for each unit of revenue; the question gets the figure, and no verdict.
    asked:
      /\bcapital[- ]intensi(?:ve|ty)\b|\b(?:capex|capital expenditures?) as a (?:percentage|percent|%|share) of (?:revenue|sales)\b|\bkapitalintensi(?:v|tät)|\binvestitionsquote\b|\bintensité capitalistique\b/iu,
    formulas: ['{capital} ÷ {revenue}'],
    result: 'percent',
  },
  {
    asked: /\binterest coverage(?: ratio)?\b|\bzinsdeckung(?:sgrad)?\b/iu,
    formulas: ['{operating} ÷ {interest}'],
    result: 'ratio',
  },
  {
    asked:
      /\beffective (?:income )?tax rate\b|\b(?:effektive[rn]? steuersatz|steuerquote)\b|\btaux d['’]impôt effectif\b/iu,
    formulas: ['{tax} ÷ {pretax}'],
    result: 'percent',
  },
  {
    asked: /\b(?:dividend )?payout ratio\b|\bausschüttungsquote\b|\btaux de distribution\b/iu,
    formulas: ['{dividends} ÷ {net}'],
    result: 'percent',
  },
  {
    // Mills and Yamamura, "The Power of Cash Flow Ratios", Journal of Accountancy, 1998.
    asked: /\boperating cash flow ratio\b/iu,
    formulas: ['{operatingCash} ÷ {currentLiabilities}'],
    result: 'ratio',
  },
  {
    // As companies define it to the SEC (Non-GAAP Financial Measures, 102.07).
    asked: /\bfree cash ?flow\b|\bfreie[rn]? cash ?flow\b/iu,
    formulas: ['{operatingCash} − {capital}'],
    result: 'amount',
  },
];

/** Returns the figure that a question names; null if it names none or several. */
export function ratioIn(question: string): Ratio | null {
  const found = RATIOS.filter(({ asked }) => asked.test(question));
  return found.length === 1 ? (found[0] ?? null) : null;
}

const MAX_LABEL = 500;

/** Returns whether the label of a row is the figure that the question names. */
export const isOwnRow = (row: string, question: string): boolean =>
  ratioIn(question)?.asked.test((row.split('|')[0] ?? '').slice(0, MAX_LABEL)) === true;

/** Items of a formula. */
export const itemsOf = (formula: string): Item[] => [
  ...new Set(Array.from(formula.matchAll(/\{(\w+)<?\}/gu), ([, item = '']) => item as Item)),
];
