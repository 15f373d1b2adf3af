/**
 * Answers questions about figures of reports that no cell states: ratios with their usual formulas, whether something
 * rose or fell, the year with the highest value, whether a margin is stable, and which of several items is largest.
 * Every operand is a cell, shown and cited. Nothing is computed if an item or a period is missing or ambiguous, or if
 * the question is about a part of a company.
 */
import type { SearchHit } from '../../../search/types.ts';
import { holdsTerm, type Question } from '../question.ts';
import { analyse } from '../reading.ts';
import { operationIn, type Computation, type TableRow } from '../table-arithmetic.ts';
import { titlesOf } from '../titles.ts';
import type { Quotable } from '../quotables.ts';
import {
  grown,
  isPaid,
  judged,
  judgementWords,
  paidItemIn,
  ranksYears,
  seeksConsistency,
  seeksDirection,
  seeksYear,
  steady,
  tellsPayment,
} from './judgements.ts';
import { isLabelOf, ITEM_NAMES, searchWords, statementOf, type Item, type Statement } from './items.ts';
import { chosen, optionsIn } from './options.ts';
import { calendarsOf, periodsIn, yearsOf, type Calendar, type Period } from './periods-of-columns.ts';
import { narrowingTerms, subjectTerms } from './scope.ts';
import { itemsOf, ratioIn, type Ratio } from './ratios.ts';
import type { Report } from './report.ts';
import {
  averaged,
  cellOf,
  itemIn,
  phraseOfItem,
  seriesOf,
  stated,
  subjectIn,
  yearsOfSubject,
  type Point,
  type Subject,
} from './series.ts';
import { definitionIn, isDefined } from './definitions.ts';

const MAX_QUESTION = 500;
/** Number of characters of a quote with its headings that are read. */
const MAX_STATED = 2_000;
/** Parts and variants of a company's figures, which its statements do not state. */
const QUALIFIED =
  /\b(?:segments?|divisions?|regions?|domestic|international|categor(?:y|ies)|products?|adjusted|non-gaap|pro[- ]forma|comparable|organic|per (?!cent\b|year\b|annum\b)\w+|monthly|quarterly|guidance|expected|forecast)\b|\b(?:segment|sparte|bereich|region|bereinigt|(?:je|pro) (?!jahr|prozent)\p{L})|\b(?:secteur|par action|ajusté)/iu;

/** The figure that a question seeks, apart from company and period. */
interface Sought {
  /** The first sentence of the question, without brackets. */
  text: string;
  /** The same with brackets. */
  whole: string;
  ratio: Ratio | null;
  form: 'value' | 'direction' | 'year' | 'consistency' | 'payment' | 'option' | 'average' | 'growth' | 'item';
}

/** Returns the figure that a question seeks; null for other questions. */
function soughtIn(question: string, language: string | null): Sought | null {
  const read = question.slice(0, MAX_QUESTION);
  const whole = read.replace(/(?<=\?).*/su, '');
  const text = whole.replaceAll(/\([^()]*\)/gu, ' ');
  const usual = ratioIn(text);
  const formula = definitionIn(read);
  // A formula of the question's own that cannot be read is not replaced by the usual one.
  if (isDefined(read) && formula === null) return null;
  const result = usual?.result ?? (/\bmargin\b|%|\bpercent/iu.test(text) ? 'percent' : 'ratio');
  const ratio = formula === null ? usual : { asked: usual?.asked ?? DEFINED_FIGURE, result, formulas: [formula] };
  const found = ((): Sought['form'] | null => {
    if (optionsIn(text, language) !== null) return 'option';
    if (ratio === null && paidItemIn(text, language) !== null) return 'payment';
    if (seeksYear(text, language)) return 'year';
    if (ratio !== null && seeksConsistency(text, language)) return 'consistency';
    if (seeksDirection(text, language)) return 'direction';
    if (ratio !== null) return AVERAGE.test(text) ? 'average' : 'value';
    if (seeksGrowth(text, language)) return 'growth';
    return seeksItem(text, language) ? 'item' : null;
  })();
  return found === null ? null : { text, whole, ratio, form: found };
}

/** Words for a figure that the question defines. */
const DEFINED_FIGURE = /\b(?:ratio|turnover|margin|days)\b/iu;
/** An average over several years, of a figure for each. */
const AVERAGE =
  /\b(?:two|three|four|five|\p{Nd})[- ]years? average\b|\baverage (?:over|for) the (?:last|past)\b|\bdurchschnitt der jahre\b/iu;
/** Beginnings of questions for an amount. */
const AMOUNT =
  /^\s*(?:what|how (?:much|high|large))\b|^\s*(?:wie (?:hoch|viel|groß)|welchen (?:wert|betrag))\b|^\s*(?:quel(?:le)?s?|combien|à combien)\b/iu;

/** Returns whether the question seeks a change and names one year: it is the change from the year before. */
const seeksGrowth = (text: string, language: string | null): boolean =>
  ['change', 'difference'].includes(operationIn(text, language) ?? '') && periodsIn(text, language).length === 1;

/** Returns whether the question seeks the amount of one item in one year, and no change or share of it. */
const seeksItem = (text: string, language: string | null): boolean =>
  AMOUNT.test(text) &&
  operationIn(text, language) === null &&
  periodsIn(text, language).length === 1 &&
  itemIn(text) !== null;

/**
 * Returns whether a quote may answer the question for a figure that was not computed: it says the ratio or the payment
 * by its name, is a row that the question names, or a sentence about the thing that it is about.
 */
export function mayAnswer(quote: Quotable, question: Question, hit: SearchHit, language: string | null): boolean {
  const sought = soughtIn(question.text, language);
  if (sought === null) return true;
  const { text, ratio, form } = sought;
  const stated = [quote.text, quote.header ?? '', ...hit.headings].join('\n').slice(0, MAX_STATED);
  if (ratio !== null) return ratio.asked.test(stated);
  const item = form === 'payment' ? paidItemIn(text, language) : null;
  if (item !== null) return tellsPayment(stated, item);
  const titles = titleTermsOf([hit], language);
  const judged = judgementWords(text, language);
  if (quote.header !== null) {
    // A cell of one year is no change.
    return form !== 'growth' && narrowingTerms(text, stated, titles, judged, language).length === 0;
  }
  const subject = subjectTerms(text, titles, judged, language);
  const held = new Set(analyse(stated, language));
  return subject.length === 0 || subject.some((term) => held.has(term));
}

/** Returns the terms of what a document is called, from its hits. */
const titleTermsOf = (hits: readonly SearchHit[], language: string | null): Set<string> =>
  new Set(
    analyse(
      hits
        .flatMap((hit) => [...titlesOf(hit), ...hit.headings.slice(0, 1)])
        .join('\n')
        .replaceAll('_', ' '),
      language,
    ),
  );

/** Returns whether the question names or defines a figure, so that a cell of one of its items is no answer. */
export const seeksRatio = (question: string): boolean =>
  ratioIn(question.slice(0, MAX_QUESTION)) !== null || isDefined(question.slice(0, MAX_QUESTION));

/** Returns whether the question seeks the amount of an item. */
export const seeksAmount = (question: string, language: string | null): boolean =>
  soughtIn(question, language)?.form === 'item';

/** Returns whether a row is another item than the one whose amount the question seeks. */
export function isOtherItem(row: string, question: string, language: string | null): boolean {
  const text = question.slice(0, MAX_QUESTION);
  const item = seeksItem(text, language) ? itemIn(text) : null;
  const label = row.split('|')[0] ?? '';
  return item !== null && !isLabelOf(label, item) && ITEM_NAMES.some((other) => isLabelOf(label, other));
}

/** Statements that hold the items of a figure, with the words for them. */
const STATEMENTS: Readonly<Record<Statement, readonly [en: string, de: string, fr: string]>> = {
  income: ['consolidated statements of income', 'Konzern-Gewinn- und Verlustrechnung', 'compte de résultat'],
  balance: ['consolidated balance sheets', 'Konzernbilanz', 'bilan'],
  flow: ['consolidated statements of cash flows', 'Kapitalflussrechnung', 'flux de trésorerie'],
};

/** Returns further searches, one for each statement with items of the figure that the question seeks. */
export function figureSearches(question: string, language: string | null): string[] {
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

/** Returns the computation of the figure that the question seeks, or null. `rows` are in order of rank. */
export function figureOf<Row extends TableRow>(
  question: Question,
  rows: readonly Row[],
  hits: readonly SearchHit[],
  language: string | null,
): Computation<Row> | null {
  const sought = soughtIn(question.text, language);
  if (sought === null) return null;
  const periods = periodsIn(sought.text, language);
  const reports = reportsAbout(question, sought, rows, hits, language);
  for (const calendar of calendarsFor(periods, reports)) {
    const made = reports.map((report) => ({ ...report, calendar }));
    // Without a period the latest report counts.
    if (periods.length === 0) made.sort((a, b) => lastYearOf(b) - lastYearOf(a));
    for (const report of made) {
      const computation = computationIn(sought, periods, [report], language);
      if (computation !== null) return computation;
    }
    // Periods of several reports are compared if the question names the company.
    const computation = made.length > 1 && periods.length > 1 ? computationIn(sought, periods, made, language) : null;
    if (computation !== null) return computation;
  }
  return null;
}

const lastYearOf = <Row extends TableRow>({ rows, language }: Report<Row>): number =>
  Math.max(0, ...rows.flatMap(({ header }) => (header === null ? [] : yearsOf(header, language))));

/** Returns the only calendar in which the quarters of the question are dates of columns. */
function calendarsFor<Row extends TableRow>(periods: readonly Period[], reports: readonly Report<Row>[]): Calendar[] {
  if (periods.every(({ quarter }) => quarter === null)) return [null];
  const headers = reports.flatMap(({ rows }) => rows.flatMap(({ header }) => header ?? []));
  const calendars = calendarsOf([...new Set(headers)], periods);
  return calendars.length === 1 ? calendars : [];
}

function computationIn<Row extends TableRow>(
  sought: Sought,
  periods: readonly Period[],
  reports: readonly Report<Row>[],
  language: string | null,
): Computation<Row> | null {
  const { text, whole, ratio, form } = sought;
  if (form === 'option') return chosen(text, periods, reports, language);
  if (form === 'payment') return isPaid(text, periods, reports, language);
  const item = form === 'item' ? itemIn(text) : null;
  const subject: Subject | null =
    ratio ?? (item === null ? subjectIn(text, reports, language) : { label: '', items: [item] });
  if (subject === null || isQualified(text, subject)) return null;
  if ('label' in subject && isNarrowed(text, subject, reports, language)) return null;
  if (form === 'item') return cellOf(seriesOf(subject, periods, reports, language) ?? []);
  const points = (wanted: readonly Period[]): Point<Row>[] | null => seriesOf(subject, wanted, reports, language);
  const years = yearsOfSubject(subject, reports);
  if (form === 'average') {
    const found = points(rangeOf(periods, years));
    return found === null ? null : averaged(subject, found, language);
  }
  if (form === 'value') {
    const wanted = periods.length > 0 ? periods : years.slice(0, 1);
    const found = points(inTime(wanted));
    return found === null ? null : stated(subject, found);
  }
  if (form === 'growth') {
    const found = points(pairOf(periods, years));
    return found === null ? null : grown(found, operationIn(text, language) === 'change');
  }
  if (form === 'direction') {
    const found = points(pairOf(periods, years));
    return found === null ? null : judged(text, subject, found, periods, language);
  }
  const wanted = periods.length > 1 ? periods : years;
  const found = wanted.length > 1 ? points(inTime(wanted)) : null;
  if (found === null) return null;
  return form === 'year' ? ranksYears(text, found, language) : steady(whole, subject, found, language);
}

/** Returns whether the question has content that neither the label of the item nor the title of the report has. */
function isNarrowed<Row extends TableRow>(
  text: string,
  { label, items }: Exclude<Subject, Ratio>,
  reports: readonly Report<Row>[],
  language: string | null,
): boolean {
  const judged = judgementWords(text, language);
  const called = items.length > 0 ? (phraseOfItem(text) ?? '') : label;
  return reports.every(({ titles }) => narrowingTerms(text, called, titles, judged, language).length > 0);
}

const isQualified = (text: string, subject: Subject): boolean => {
  const qualifier = QUALIFIED.exec(text)?.[0].toLowerCase();
  return qualifier !== undefined && !('label' in subject && subject.label.toLowerCase().includes(qualifier));
};

const monthsOf = ({ year, quarter }: Period): number => year * 4 + (quarter ?? 4);
const inTime = (periods: readonly Period[]): Period[] => periods.toSorted((a, b) => monthsOf(a) - monthsOf(b));

const MAX_YEARS = 5;

/** Returns all years from the first to the last one of the question, or all years there are. */
function rangeOf(periods: readonly Period[], years: readonly Period[]): Period[] {
  const [first, last] = [inTime(periods)[0], inTime(periods).at(-1)];
  if (first === undefined || last === undefined || first.year === last.year) return inTime(years);
  const length = Math.min(last.year - first.year + 1, MAX_YEARS);
  return Array.from({ length }, (_, at) => ({ year: first.year + at, quarter: null }));
}

/** Returns the two periods of the question, or the year that it names and the one before, or the latest two years. */
function pairOf(periods: readonly Period[], years: readonly Period[]): Period[] {
  const [first] = periods;
  if (periods.length >= 2) return inTime(periods).slice(0, 2);
  if (first !== undefined) return [{ ...first, year: first.year - 1 }, first];
  return inTime(years.slice(0, 2));
}

/**
 * German capitalises every noun: names are those behind "von" and "bei", those after a verb at the beginning, and
 * several capitalised words in a row.
 */
const GERMAN_NAME =
  /(?:\b(?:von|bei) |^\s*(?:Hat|Hatte|Ist|War) )(?<name>\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*)|(?<=\s)(?<row>\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)+)/gu;
const NO_GERMAN_NAME =
  /\b(?:Ende|Anfang|Mitte|Jahre?s?|Geschäftsjahre?s?|Prozent\p{L}*|Änderung(?:en)?|Mio|Euro)(?!\p{L})/gu;

const germanNames = (text: string, language: string | null): string[] =>
  language === 'de'
    ? Array.from(text.matchAll(GERMAN_NAME), ({ groups }) => groups?.['name'] ?? groups?.['row'] ?? '').flatMap(
        (name) => analyse(name.replaceAll(NO_GERMAN_NAME, ' '), language),
      )
    : [];

/** Returns the documents whose titles hold the names of the question; of all documents if it has no names. */
function reportsAbout<Row extends TableRow>(
  question: Question,
  { text, ratio }: Sought,
  rows: readonly Row[],
  hits: readonly SearchHit[],
  language: string | null,
): Report<Row>[] {
  const phrase = ratio === null ? '' : (ratio.asked.exec(text)?.[0] ?? '');
  const labels = rows.map(({ text: row }) => row.split('|')[0] ?? '').join('\n');
  const known = new Set(analyse(`${phrase}\n${labels}`, language));
  const first = new Set(analyse(text, language));
  const names = [...question.names, ...germanNames(text, language)].filter(
    (term) => first.has(term) && !known.has(term) && !/^(?:fy|gj|[qh])?\p{Nd}*$/iu.test(term),
  );
  const documents = new Map<string, Row[]>();
  for (const row of rows) {
    const id = hits[row.chunk]?.documentId ?? '';
    documents.set(id, [...(documents.get(id) ?? []), row]);
  }
  const reports = [...documents].flatMap(([documentId, own]) => {
    const chunks = hits.filter((hit) => hit.documentId === documentId);
    const held = titleTermsOf(chunks, language);
    if (!names.every((name) => holdsTerm(held, name, question))) return [];
    const around = (row: Row): { headings: readonly string[]; text: string } => ({
      headings: hits[row.chunk]?.headings ?? [],
      text: hits[row.chunk]?.text ?? '',
    });
    return [{ documentId, rows: own, titles: held, language, around, calendar: null }];
  });
  // The titles of the company's reports hold most words of the question.
  const shared = ({ titles }: Report<Row>): number =>
    [...first].filter((term) => titles.has(term) && !/\p{Nd}/u.test(term)).length;
  const most = Math.max(...reports.map(shared));
  return reports.filter((report) => shared(report) === most);
}
