/** Reads lists of objects from sections without tables, such as the jobs and degrees of a curriculum vitae. */
import type { Shape } from '../../schema/shape.ts';
import type { Findings } from '../assignment/fill.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { SegmentedDocument, Segment } from '../document/segments.ts';
import { rowFields, type Field } from '../fields/fields.ts';
import { isObjectShape, variantsOf } from '../fields/variants.ts';
import { PhraseBook, wordsOfName } from '../labels/phrase-book.ts';
import { alternatives, wordPattern } from '../lexicon/lexicon.ts';
import { companiesIn } from '../parties/company-names.ts';
import { countryIn } from '../parties/addresses.ts';
import { convert, type Conventions } from '../values/convert.ts';
import type { FoundRows } from './nested-rows.ts';
import { recordsOf, sectionOf, type SectionRecord } from './sections.ts';

/** A part of a line between separators. */
interface Piece {
  segment: Segment;
  start: number;
  end: number;
  /** Whether a word such as "at" is before it. */
  isEmployer: boolean;
}

/** A part of a line that stays within the text of its segment. */
interface Place {
  segment: Segment;
  start: number;
  end: number;
  /** The value, when it continues in the following segments. */
  whole?: string;
}

type Role = 'from' | 'to' | 'period' | 'title' | 'organisation' | 'place' | 'texts';

const ROLES: readonly (readonly [Role, RegExp])[] = [
  ['texts', /^(?:description|summary|responsibilities|highlights|achievements|details|tasks|notes|duties|bullets)$/u],
  ['from', /^(?:start|from|begin|since|beginn)$/u],
  ['to', /^(?:end|to|until|till|ende)$/u],
  ['period', /^(?:period|dates?|duration|years?|timeframe|zeitraum)$/u],
  [
    'organisation',
    /^(?:company|employer|organi[sz]ation|institution|school|university|college|firm|issuer|publisher|arbeitgeber|firma)$/u,
  ],
  ['place', /^(?:location|place|city|ort)$/u],
  ['title', /^(?:title|position|role|job|degree|qualification|name|award|certification|project|program)$/u],
];
const SCORES: Readonly<Record<Role, number>> = {
  from: 0.8,
  to: 0.8,
  period: 0.75,
  title: 0.6,
  organisation: 0.6,
  place: 0.6,
  texts: 0.7,
};
/** Score of a name that only its place shows. */
const BY_ORDER = 0.5;
const SEPARATOR = new RegExp(
  String.raw`\s*[|·•\t\n]\s*|\s+[-–—]\s+|[,;]\s+|\s+(?<at>${alternatives(({ employedAt }) => employedAt)})\s+(?=\p{Lu})`,
  'gu',
);
const ORGANISATION = wordPattern(
  alternatives(({ companies }) => companies?.businessWords),
  alternatives(({ schools }) => schools),
);

/** Returns the records of the section with the list's name; undefined without at least two values in each. */
export function readSection(
  list: Field,
  siblings: readonly Field[],
  { segments }: SegmentedDocument,
  conventions: Conventions,
): FoundRows | undefined {
  const names = siblings.map(({ name }) => name);
  const records = recordsOf(sectionOf(list.name, segments, names));
  for (const item of list.shape.items === null ? [] : variantsOf(list.shape.items).filter(isObjectShape)) {
    const fields = fieldsByRole(rowFields(item, new PhraseBook()));
    const rows = valuesOf(records, fields, conventions);
    if (rows.length > 0) return { item, rows };
  }
  return undefined;
}

/** Returns the first field of each role, by the words of its name. */
function fieldsByRole(fields: readonly Field[]): ReadonlyMap<Role, Field> {
  const found = new Map<Role, Field>();
  for (const field of fields) {
    const words = wordsOfName(field.name);
    const role = ROLES.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
    if (role !== undefined && !found.has(role) && field.list === (role === 'texts' && field.list))
      found.set(role, field);
  }
  return found;
}

function valuesOf(
  records: readonly SectionRecord[],
  fields: ReadonlyMap<Role, Field>,
  conventions: Conventions,
): Findings[] {
  const named = records.map((record) => namesOf(record, fields));
  // The order that most records show by their names decides where names do not.
  const shown = named.flatMap(({ organisation, title }) =>
    organisation === undefined || title === undefined ? [] : [isBefore(organisation, title)],
  );
  const organisationFirst = shown.filter(Boolean).length * 2 > shown.length;
  return records.flatMap((record, at) => {
    const names = named[at] ?? { rest: [] };
    const values = new Map<Shape, Candidate>();
    const add = (role: Role, place: Place | undefined, score = SCORES[role]): void => {
      const field = fields.get(role);
      if (field === undefined || place === undefined || field.list) return;
      const { segment, start, end, whole } = place;
      const text = segment.text.slice(start, end);
      // A year in brackets is no negative number.
      const span = segment.spans.find((one) => one.kind === 'date' && one.start === start && one.end === end) ?? null;
      const value = convert(whole ?? text, span, field.shape, conventions);
      if (value !== undefined) values.set(field.shape, { field, value, segment, start, end, score, shared: true });
    };
    for (const [role, place] of datesOf(record)) add(role, place);
    const [first, second] = names.rest;
    if (names.organisation === undefined && fields.has('organisation') && fields.has('title')) {
      add('title', organisationFirst ? (second ?? first) : first, BY_ORDER);
      if (second !== undefined) add('organisation', organisationFirst ? first : second, BY_ORDER);
    } else {
      add('organisation', names.organisation ?? (fields.has('title') ? undefined : first));
      add('title', names.title);
    }
    add('place', names.place);
    add('texts', joined(record.body));
    const lists = listsOf(record, fields.get('texts'), conventions);
    return values.size + lists.size >= 2 ? [{ values, lists, rows: new Map() }] : [];
  });
}

/** Number of names before a town. */
const MIN_NAMES = 2;

const isBefore = (a: Piece, b: Piece): boolean =>
  a.segment.index < b.segment.index || (a.segment === b.segment && a.start < b.start);

interface Names {
  organisation?: Piece;
  title?: Piece;
  place?: Piece;
  /** Pieces without a role, in order. */
  rest: readonly Piece[];
}

/** Finds the names in the head of a record: an organisation by its form, a place by its country, and a title. */
function namesOf(record: SectionRecord, fields: ReadonlyMap<Role, Field>): Names {
  const pieces = record.heads.flatMap((segment) => piecesOf(segment, record));
  const textOf = ({ segment, start, end }: Piece): string => segment.text.slice(start, end);
  const organisation = fields.has('organisation')
    ? pieces.find((piece) => piece.isEmployer || isOrganisation(textOf(piece)))
    : undefined;
  const others = pieces.filter((piece) => piece !== organisation);
  const country = others.findIndex((piece) => isPlace(textOf(piece)));
  const last = others[country];
  const town = country < MIN_NAMES ? undefined : others[country - 1];
  // The town is before the country: `Engineer, Holm, London, UK`.
  const hasTown = last !== undefined && town?.segment === last.segment;
  const place = last === undefined ? undefined : { ...last, start: hasTown ? town.start : last.start };
  const rest = others.filter((piece) => piece !== last && !(hasTown && piece === town));
  const [title] = rest;
  return {
    ...(organisation === undefined ? {} : { organisation }),
    ...(title === undefined ? {} : { title }),
    ...(place === undefined ? {} : { place }),
    rest,
  };
}

function isOrganisation(text: string): boolean {
  const [company] = companiesIn(text);
  return company?.start === 0 || ORGANISATION.test(text);
}

const isPlace = (text: string): boolean => countryIn(text)?.name.length === text.length || /^[A-Z]{2}$/u.test(text);

/** Returns the parts of a line without its period. */
function piecesOf(segment: Segment, { period }: SectionRecord): Piece[] {
  const { text } = segment;
  const own = period?.segment === segment ? period.period : null;
  const parts =
    own === null
      ? [[0, text.length]]
      : [
          [0, own.start],
          [own.end, text.length],
        ];
  return parts.flatMap(([from = 0, to = 0]) => {
    const pieces: Piece[] = [];
    let start = from;
    let isEmployer = false;
    const close = (end: number): void => {
      const raw = text.slice(start, end);
      const lead = /^[\s(,;:–—|-]*/u.exec(raw)?.[0].length ?? 0;
      const part = raw.slice(lead).replace(/[\s(),;:–—|-]+$/u, '');
      if (/\p{L}{2}/u.test(part))
        pieces.push({ segment, start: start + lead, end: start + lead + part.length, isEmployer });
    };
    for (const match of text.slice(from, to).matchAll(SEPARATOR)) {
      // A comma before a legal form belongs to the name.
      if (/^(?:inc|ltd|llc)\b/iu.test(text.slice(from + match.index + match[0].length))) continue;
      close(from + match.index);
      start = from + match.index + match[0].length;
      isEmployer = match.groups?.['at'] !== undefined;
    }
    close(to);
    return pieces;
  });
}

function datesOf({ period }: SectionRecord): [Role, Place][] {
  if (period === null) return [];
  const { segment, period: found } = period;
  const at = (part: { start: number; end: number }): Place => ({ segment, start: part.start, end: part.end });
  const whole: [Role, Place] = ['period', at(found)];
  if (found.to === null) return [['to', at(found)], whole];
  return [['from', at(found.from)], ['to', at(found.to)], whole];
}

/** Returns the texts below a record as one place. */
function joined(body: readonly Segment[]): Place | undefined {
  const [segment] = body;
  if (segment === undefined) return undefined;
  const place = { segment, start: 0, end: segment.text.length };
  return body.length === 1 ? place : { ...place, whole: body.map(({ text }) => text).join('\n') };
}

function listsOf(
  { body }: SectionRecord,
  field: Field | undefined,
  conventions: Conventions,
): ReadonlyMap<Shape, readonly Candidate[]> {
  const item = field?.list === true && field.shape.items !== null ? variantsOf(field.shape.items)[0] : undefined;
  if (field === undefined || item === undefined) return new Map();
  const found = body.flatMap((segment): Candidate[] => {
    const end = segment.text.length;
    const value = convert(segment.text, null, item, conventions);
    return value === undefined ? [] : [{ field, value, segment, start: 0, end, score: SCORES.texts, shared: true }];
  });
  return found.length === 0 ? new Map() : new Map([[field.shape, found]]);
}
