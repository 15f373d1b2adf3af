/** Parses page ranges as users write them: `1-3,5,8-,-1`. */
import { ContentError } from '@quire/blocks/content-error';

const PART = /^(?:(-?\d{1,6})|(\d{1,6})-(\d{1,6})?)$/;

const parts = (range: string): string[] => range.split(',').map((part) => part.trim());

export const isPageRange = (range: string): boolean =>
  parts(range).every((part) => PART.test(part) && !/^-?0+$/.test(part));

/** Returns indexes from 0 in the order written, without duplicates. Throws when a page does not exist. */
export function pagesIn(range: string, pageCount: number): number[] {
  const indexes = new Set<number>();
  for (const part of parts(range)) {
    const [, single, first, last] = PART.exec(part) ?? [];
    const from = single === undefined ? Number(first) : fromEnd(Number(single), pageCount);
    const to = single === undefined ? (last === undefined ? pageCount : Number(last)) : from;
    for (const page of [from, to]) requirePage(page, pageCount);
    const step = from <= to ? 1 : -1;
    for (let page = from; page !== to + step; page += step) indexes.add(page - 1);
  }
  return [...indexes];
}

export function requirePage(page: number, pageCount: number): void {
  if (!(page >= 1 && page <= pageCount)) {
    throw new ContentError('unsupported', `There is no page ${page}: the document has ${pageCount}`);
  }
}

const fromEnd = (page: number, pageCount: number): number => (page < 0 ? pageCount + 1 + page : page);
