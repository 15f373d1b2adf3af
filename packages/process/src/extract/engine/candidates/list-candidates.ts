/** Finds lists of single values: text after a label, items under a heading, a column, or all values of a kind. */
import { partiesOfAgreement } from '../agreements/agreement-parties.ts';
import type { Candidate } from './candidate.ts';
import type { Place } from './place.ts';
import { convert, type Conventions } from '../values/convert.ts';
import type { Field } from '../fields/fields.ts';
import type { Labels } from '../labels/labels.ts';
import { wordsOf } from '../labels/phrase-book.ts';
import type { SegmentedDocument } from '../document/segments.ts';
import type { LabelScorer } from '../labels/label-scorer.ts';
import type { LabelledText } from '../labels/labelled-texts.ts';
import type { Shape } from '../../schema/shape.ts';
import type { ValueKind } from '../lexicon/concepts.ts';
import { variantsOf } from '../fields/variants.ts';

export interface ListDeps {
  document: SegmentedDocument;
  labels: Labels;
  labelledTexts: readonly LabelledText[];
  scorer: LabelScorer;
  conventions: Conventions;
}

/** Kinds of which every value in the document belongs to a list of that kind. */
const COLLECTED_KINDS: ReadonlySet<ValueKind> = new Set<ValueKind>(['email', 'url', 'phone', 'iban', 'date']);
const MIN_SIMILARITY = 0.5;
/** Maximum number of words before a colon that count as a label. */
const MAX_LABEL_WORDS = 5;
/** Maximum number of characters of a segment that is a list after a label; longer ones are prose. */
const MAX_LIST_LENGTH = 500;
const MAX_ITEMS = 1_000;

export function listCandidates(field: Field, deps: ListDeps): Candidate[] {
  const item = field.shape.items === null ? undefined : variantsOf(field.shape.items)[0];
  if (item === undefined) return [];
  const sources = [parties, underHeading, inColumn, afterLabel, byForm];
  for (const source of sources) {
    const places = source(field, deps).filter(
      (place) => source === parties || !isOfParties(field) || isNameLike(place),
    );
    const found = unique(places.flatMap((place) => candidateOf(place, field, item, deps.conventions)));
    if (found.length > 0) return found.slice(0, MAX_ITEMS);
  }
  return [];
}

function candidateOf(place: Place, field: Field, item: Shape, conventions: Conventions): Candidate[] {
  const { segment, start, end, score } = place;
  const span = segment.spans.find((one) => one.start === start && one.end === end) ?? null;
  const value = convert(segment.text.slice(start, end), span, item, conventions);
  return value === undefined ? [] : [{ field, value, segment, start, end, score, shared: true }];
}

/** Finds list items after a heading or a label that names the field. */
function underHeading(field: Field, { document, labels, scorer }: ListDeps): Place[] {
  for (const segment of document.segments) {
    if (segment.kind === 'cell' || !labels.isLabel(segment)) continue;
    const score = scorer.score({ words: labels.words(segment), distance: 0, weight: 1 }, field);
    if (score < MIN_SIMILARITY) continue;
    const items: Place[] = [];
    for (const next of document.segments.slice(segment.index + 1)) {
      if (next.kind !== 'listItem') break;
      items.push({ segment: next, start: 0, end: next.text.length, score: score * 0.9 });
    }
    if (items.length > 0) return items;
  }
  return [];
}

function inColumn(field: Field, { document, scorer }: ListDeps): Place[] {
  for (const grid of document.grids) {
    const [header = []] = grid.rows;
    if (grid.rows.length < 3) continue;
    for (const [column, cell] of header.entries()) {
      if (cell === undefined) continue;
      const score = scorer.score({ words: wordsOf(cell.text), distance: 0, weight: 1 }, field);
      if (score < 0.6) continue;
      const cells = grid.rows.slice(1).flatMap((row) => row[column] ?? []);
      return cells.map((segment) => ({ segment, start: 0, end: segment.text.length, score: score * 0.85 }));
    }
  }
  return [];
}

/** Finds lists of the form `Label: one, two; three`. */
function afterLabel(field: Field, { labelledTexts, scorer }: ListDeps): Place[] {
  const rated = labelledTexts
    .map((labelled) => ({
      labelled,
      score: scorer.score({ words: labelled.words, distance: 0.12, weight: labelled.weight }, field),
    }))
    .filter(
      ({ score, labelled }) =>
        score >= MIN_SIMILARITY &&
        labelled.words.length <= MAX_LABEL_WORDS &&
        labelled.segment.text.length <= MAX_LIST_LENGTH,
    )
    .toSorted((a, b) => b.score - a.score);
  const [best] = rated;
  if (best === undefined) return [];
  const { segment, start, end } = best.labelled;
  return [...segment.text.slice(start, end).matchAll(/[^,;•|\n]+/g)].flatMap((match) => {
    const text = match[0].trim();
    if (text === '') return [];
    const at = start + match.index + match[0].indexOf(text);
    return [{ segment, start: at, end: at + text.length, score: best.score * 0.85 }];
  });
}

const isOfParties = ({ targets }: Field): boolean => (targets.get('parties') ?? 0) >= 0.5;

/** Returns whether the text may be a name: it begins with a capital and is not a sentence. */
function isNameLike({ segment, start, end }: Place): boolean {
  const text = segment.text.slice(start, end);
  return /^[\p{Lu}\p{Lo}\p{N}]/u.test(text) && text.split(/\s+/u).length <= MAX_NAME_WORDS;
}

const MAX_NAME_WORDS = 12;

function parties(field: Field, { document, labelledTexts }: ListDeps): Place[] {
  return isOfParties(field) ? partiesOfAgreement(document, labelledTexts) : [];
}

function byForm(field: Field, { document }: ListDeps): Place[] {
  const kind = field.kinds[0];
  if (kind === undefined || !COLLECTED_KINDS.has(kind)) return [];
  return document.segments.flatMap((segment) =>
    segment.spans
      .filter((span) => span.kind === kind && span.certainty > 0.5)
      .map((span) => ({ segment, start: span.start, end: span.end, score: 0.5 })),
  );
}

function unique(candidates: readonly Candidate[]): Candidate[] {
  const known = new Set<unknown>();
  return candidates.filter(({ value }) => !known.has(value) && known.add(value));
}
