/** Further searches for the statements that a figure is computed from: no word of the question is in them. */
import { seeksAdjusted } from './adjusted.ts';
import { paidItemIn } from './judgements.ts';
import { searchWords, statementOf, type Item, type Statement } from './items.ts';
import { optionsIn } from './options.ts';
import { periodsIn } from './periods-of-columns.ts';
import { QUALIFIED } from './qualified.ts';
import { itemsOf } from './ratios.ts';
import { itemIn, subjectIn } from './series.ts';
import { soughtIn, type Sought } from './sought.ts';

/** Statements that hold the items of a figure, with the words for them. */
const STATEMENTS: Readonly<Record<Statement, readonly [en: string, de: string, fr: string]>> = {
  income: ['consolidated statements of income', 'Konzern-Gewinn- und Verlustrechnung', 'compte de résultat'],
  balance: ['consolidated balance sheets', 'Konzernbilanz', 'bilan'],
  flow: ['consolidated statements of cash flows', 'Kapitalflussrechnung', 'flux de trésorerie'],
};

/** Returns further searches, one for each statement with items of the figure that the question seeks. */
export function figureSearches(question: string, language: string | null): string[] {
  if (seeksAdjusted(question, language)) return [`${question} Reconciliation of non-GAAP measures, adjusted results`];
  const sought = soughtIn(question, language);
  if (sought === null || QUALIFIED.test(sought.text)) return [];
  const items = itemsFor(sought, language);
  const names = Array.from(sought.text.matchAll(/(?<=\s)\p{Lu}[\p{L}\p{Nd}&.-]*/gu), ([name]) =>
    name.replace(/['’]s$/u, ''),
  ).filter((name) => !/^(?:FY|GJ|Q[1-4])/u.test(name));
  const years = [...new Set(periodsIn(sought.text, language).map(({ year }) => year))];
  const about = [...names, ...years].join(' ');
  return (Object.keys(STATEMENTS) as Statement[]).flatMap((statement) => {
    const own = items.filter((item) => statementOf(item) === statement).map((item) => searchWords(item, language));
    const [en, de, fr] = STATEMENTS[statement];
    const title = language === 'de' ? de : language === 'fr' ? fr : en;
    return own.length === 0 ? [] : [`${about}, ${title}: ${own.join(', ')}`];
  });
}

function itemsFor({ text, ratio, form }: Sought, language: string | null): readonly Item[] {
  if (ratio !== null) return itemsOf(ratio.formulas.join(' '));
  if (form === 'payment') return [paidItemIn(text, language)].flatMap((item) => item ?? []);
  if (form === 'option') return (optionsIn(text, language)?.options ?? []).flatMap(({ item }) => item ?? []);
  if (form === 'item') return [itemIn(text)].flatMap((item) => item ?? []);
  return subjectIn(text, [], language)?.items ?? [];
}
