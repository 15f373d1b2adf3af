/** Chooses the documents whose figures a question is about. */
import type { SearchHit } from '../../../search/types.ts';
import { holdsTerm, type Question } from '../question.ts';
import { analyse } from '../reading.ts';
import type { TableRow } from '../table-arithmetic.ts';
import { titlesOf } from '../titles.ts';
import type { Report } from './report.ts';
import type { Sought } from './sought.ts';

/** Returns what a document is called, from its hits, one title a line. */
export const titlesTextOf = (hits: readonly SearchHit[]): string =>
  hits
    .flatMap((hit) => [...titlesOf(hit), ...hit.headings.slice(0, 1)])
    .join('\n')
    .replaceAll('_', ' ');

/** Returns the terms of what a document is called, from its hits. */
export const titleTermsOf = (hits: readonly SearchHit[], language: string | null): Set<string> =>
  new Set(analyse(titlesTextOf(hits), language));

/** Returns whether the titles of the hit's document hold all of the names; false without a name. */
export function isTitled(
  hit: SearchHit,
  names: readonly string[],
  question: Question,
  language: string | null,
): boolean {
  const titles = titleTermsOf([hit], language);
  return names.length > 0 && names.every((name) => holdsTerm(titles, name, question));
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
export function reportsAbout<Row extends TableRow>(
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
