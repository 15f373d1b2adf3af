/**
 * Finds the values of a model's answer in the document. A value that does not occur gets no quote and a low confidence.
 */
import type { DocumentTree } from '@quire/blocks/block';
import { Labels } from '../engine/labels/labels.ts';
import { decimalSign, numericValue } from '../engine/values/numbers.ts';
import { wordsOfName } from '../engine/labels/phrase-book.ts';
import { segmentBoxes, segmentDocument, type Segment } from '../engine/document/segments.ts';
import type { Evidence } from '../extraction.ts';
import { jsonPointer } from '../schema/schema-problem.ts';

interface Leaf {
  path: readonly (string | number)[];
  value: unknown;
}

interface Place {
  segment: Segment;
  start: number;
  end: number;
}

const EXACT = 0.9;
/** Confidence of a value with several positions and no matching label. */
const AMBIGUOUS = 0.7;
const NOT_FOUND: Evidence = { page: null, bbox: null, boxes: [], quote: null, confidence: 0.1 };
/** Maximum number of characters searched; longer texts are searched by their beginning. */
const MAX_NEEDLE_LENGTH = 200;
const MAX_PLACES = 50;

export function locate(tree: DocumentTree, data: unknown): Record<string, Evidence> {
  const document = segmentDocument(tree);
  const labels = new Labels(document);
  const decimal = decimalSign(document.segments.flatMap(({ spans }) => spans.flatMap(({ number }) => number ?? [])));
  const texts = document.segments.map((segment) => ({ segment, folded: fold(segment.text) }));
  const found: Record<string, Evidence> = {};
  for (const { path, value } of leavesOf(data)) {
    const places =
      typeof value === 'number' ? numberPlaces(value, document.segments, decimal) : textPlaces(String(value), texts);
    found[jsonPointer(path)] = evidenceAt(places, path, labels);
  }
  return found;
}

/** Returns the scalars that are neither null nor empty. */
function leavesOf(data: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const open: Leaf[] = [{ path: [], value: data }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next;
    if (Array.isArray(value))
      value.forEach((member: unknown, index) => open.push({ path: [...path, index], value: member }));
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) open.push({ path: [...path, name], value: member });
    else if (value !== null && value !== '') leaves.push(next);
  }
  return leaves.toReversed();
}

function numberPlaces(value: number, segments: readonly Segment[], decimal: '.' | ','): Place[] {
  const places: Place[] = [];
  for (const segment of segments)
    for (const { kind, number, start, end } of segment.spans) {
      if (number === undefined || kind === 'number' || places.length >= MAX_PLACES) continue;
      const printed = numericValue(number, decimal);
      // A share may be requested as 0.19 and printed as 19 %.
      const same = printed === value || (number.percent && printed !== null && Math.abs(printed / 100 - value) < 1e-9);
      if (same) places.push({ segment, start, end });
    }
  return places;
}

function textPlaces(value: string, texts: readonly { segment: Segment; folded: Folded }[]): Place[] {
  const needle = fold(value.slice(0, MAX_NEEDLE_LENGTH)).text.trim();
  const places: Place[] = [];
  for (const { segment, folded } of texts) {
    if (places.length >= MAX_PLACES) break;
    const at = needle === '' ? -1 : folded.text.indexOf(needle);
    if (at >= 0) {
      const start = folded.places[at] ?? 0;
      const end = (folded.places[at + needle.length - 1] ?? segment.text.length - 1) + 1;
      places.push({ segment, start, end });
      continue;
    }
    const date = segment.spans.find((span) => span.date?.readings.some((date) => value.startsWith(date)) === true);
    if (date !== undefined) places.push({ segment, start: date.start, end: date.end });
  }
  return places;
}

/** Chooses the position whose label has most words of the property's name. */
function evidenceAt(places: readonly Place[], path: Leaf['path'], labels: Labels): Evidence {
  const name = path.findLast((segment) => typeof segment === 'string') ?? '';
  const wanted = new Set(wordsOfName(name));
  const rated = places.map((place) => {
    const near = labels.of(place.segment, place).flatMap(({ words }) => words);
    return { place, shared: near.filter((word) => wanted.has(word)).length };
  });
  const best = rated.toSorted((a, b) => b.shared - a.shared)[0];
  if (best === undefined) return NOT_FOUND;
  const { segment, start, end } = best.place;
  const confidence = places.length === 1 || best.shared > 0 ? EXACT : AMBIGUOUS;
  const boxes = segmentBoxes(segment, start, end);
  return { page: segment.page, bbox: segment.bbox, boxes, quote: segment.text.slice(start, end), confidence };
}

interface Folded {
  text: string;
  /** Position of each character in the original. */
  places: readonly number[];
}

/** Folds case, white space, quotation marks and dashes. */
function fold(text: string): Folded {
  let folded = '';
  const places: number[] = [];
  for (const match of text.matchAll(/\s+|[^\s]/gu)) {
    const plain = /^\s/.test(match[0]) ? ' ' : (PLAIN[match[0]] ?? match[0].toLowerCase());
    for (const unit of plain.split('')) {
      folded += unit;
      places.push(match.index);
    }
  }
  return { text: folded, places };
}

const PLAIN: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '‐': '-',
};
