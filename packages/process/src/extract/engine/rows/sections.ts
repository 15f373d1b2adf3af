/** Finds the section of a document that holds a list, and splits it into records, as in a curriculum vitae. */
import { findPeriods, type Period } from '../values/periods.ts';
import { wordsOf, wordsOfName } from '../labels/phrase-book.ts';
import { SECTIONS, type SectionName } from '../lexicon/language.ts';
import { LANGUAGES } from '../lexicon/languages.ts';
import { GENERIC_WORDS } from '../lexicon/lexicon.ts';
import { phrasesIn } from '../lexicon/phrase-lists.ts';
import type { Segment } from '../document/segments.ts';

/** A record of a section: short lines that name it, its period, and the texts and list items below them. */
export interface SectionRecord {
  heads: Segment[];
  period: { segment: Segment; period: Period } | null;
  body: Segment[];
}

const MAX_HEADING_WORDS = 5;
const MAX_HEAD_LENGTH = 120;
const MAX_SEGMENTS = 400;
const DEEPEST = 7;

/** Returns the segments below the heading that names the list, up to the next heading of its level. */
export function sectionOf(name: string, segments: readonly Segment[], siblings: readonly string[]): Segment[] {
  const heading = segments.find((segment) => isHeadingOf(name, segment));
  if (heading === undefined) return [];
  const level = heading.level ?? DEEPEST;
  const rest = segments.slice(heading.index + 1, heading.index + 1 + MAX_SEGMENTS);
  const end = rest.findIndex(
    (segment) =>
      (segment.kind === 'heading' && (segment.level ?? DEEPEST) <= level) ||
      siblings.some((sibling) => sibling !== name && isHeadingOf(sibling, segment)),
  );
  return end < 0 ? rest : rest.slice(0, end);
}

/** Returns whether the segment is a heading, or a line in capitals, that names the same section as the list. */
function isHeadingOf(name: string, { kind, text }: Segment): boolean {
  const words = wordsOf(text);
  const isHeading = kind === 'heading' || (kind === 'text' && text === text.toUpperCase());
  if (!isHeading || words.length > MAX_HEADING_WORDS || /\p{N}/u.test(text)) return false;
  const own = wordsOfName(name);
  const sections = sectionsIn(own);
  if (sections.size > 0) return [...sectionsIn(words)].some((section) => sections.has(section));
  const head = singular(own.findLast((word) => !GENERIC_WORDS.has(word) && !LIST_WORDS.has(word)) ?? '');
  return head !== '' && words.some((word) => singular(word) === head);
}

const PHRASES = LANGUAGES.flatMap(({ sections }) =>
  SECTIONS.flatMap((section) => phrasesIn(sections?.[section]).map((phrase) => ({ section, phrase: ` ${phrase} ` }))),
);

/** Returns the sections that the words of a heading or of a list's name mean. */
function sectionsIn(words: readonly string[]): ReadonlySet<SectionName> {
  const text = ` ${words.join(' ')} `;
  return new Set(PHRASES.filter(({ phrase }) => text.includes(phrase)).map(({ section }) => section));
}

const LIST_WORDS: ReadonlySet<string> = new Set(['list', 'entries', 'items', 'history', 'liste']);
const singular = (word: string): string => (word.length > 4 ? word.replace(/(?<!s)s$/u, '') : word);

/** Splits a section at headings below its own, else at periods, else into list items. */
export function recordsOf(section: readonly Segment[]): SectionRecord[] {
  const levels = section.flatMap(({ level }) => level ?? []);
  const top = Math.min(...levels);
  const atHeadings = section.some(({ kind, level }) => kind === 'heading' && level === top);
  const records = atHeadings
    ? splitAt(section, ({ kind, level }) => kind === 'heading' && level === top)
    : splitAtPeriods(section);
  if (records.length > 0) return records.map(withPeriod);
  const items = section.filter(({ kind }) => kind === 'listItem');
  return items.length < 2 ? [] : items.map((item) => withPeriod({ heads: [item], period: null, body: [] }));
}

function splitAt(section: readonly Segment[], starts: (segment: Segment) => boolean): SectionRecord[] {
  const records: SectionRecord[] = [];
  for (const segment of section) {
    if (starts(segment)) records.push(newRecord());
    const record = records.at(-1);
    if (record !== undefined) add(record, segment);
  }
  return records;
}

/** A record begins at the first line behind the texts of the one before it, or at the next period. */
function splitAtPeriods(section: readonly Segment[]): SectionRecord[] {
  const records: SectionRecord[] = [];
  let periods = 0;
  // Number of lines before the period of the first record, which the others have too.
  let before = 0;
  for (const segment of section) {
    const current = records.at(-1);
    const [period] = isHead(segment) ? findPeriods(segment.text) : [];
    const isNext = current !== undefined && period !== undefined && holdsPeriod(current);
    if (current === undefined || (isHead(segment) && current.body.length > 0)) records.push(newRecord());
    else if (isNext) {
      const moved = before === 0 ? [] : current.heads.splice(-before);
      records.push({ ...newRecord(), heads: moved });
    }
    const record = records.at(-1);
    if (record === undefined) continue;
    if (period !== undefined) {
      periods += 1;
      if (periods === 1) before = record.heads.length;
    }
    add(record, segment);
  }
  return periods === 0 ? [] : records.filter(holdsPeriod);
}

const newRecord = (): SectionRecord => ({ heads: [], period: null, body: [] });

const holdsPeriod = ({ heads }: SectionRecord): boolean => heads.some(({ text }) => findPeriods(text).length > 0);

function add(record: SectionRecord, segment: Segment): void {
  if (isHead(segment) && record.body.length === 0) record.heads.push(segment);
  else record.body.push(segment);
}

const isHead = ({ kind, text }: Segment): boolean =>
  kind !== 'listItem' && text.length <= MAX_HEAD_LENGTH && !/\p{Ll}[.!]\s*$/u.test(text);

function withPeriod(record: SectionRecord): SectionRecord {
  for (const segment of record.heads) {
    const [period] = findPeriods(segment.text).toSorted((a, b) => Number(b.to !== null) - Number(a.to !== null));
    if (period !== undefined) return { ...record, period: { segment, period } };
  }
  return record;
}
