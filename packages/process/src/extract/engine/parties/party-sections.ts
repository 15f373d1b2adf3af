/**
 * Finds the names in forms whose parts have a heading each: "Seller" above "Name: Holm Ltd" and "Address: …", "Buyer"
 * above the same labels.
 */
import { NAME_LABELS } from '../lexicon/lexicon.ts';
import { LABEL_WEIGHTS } from '../lexicon/weights.ts';
import { wordsOf, type PhraseBook } from '../labels/phrase-book.ts';
import type { Grid, SegmentedDocument, Segment } from '../document/segments.ts';

export interface SectionName {
  concept: 'vendorName' | 'customerName';
  segment: Segment;
  start: number;
}

/** Score of a name with a label below the heading of its party: 44 of 50 on invoices for tuning are right. */
export const IN_SECTION = 0.88;

/** Maximum number of lines from the heading of a party to its name; numbers may be between them. */
const MAX_LINES = 6;
const LINE = /^(?<label>[^:：]{2,30})[:：]\s*(?<name>\S.*)$/u;

export const sectionNames = ({ segments, grids }: SegmentedDocument, phrases: PhraseBook): SectionName[] => [
  ...grids.flatMap((grid) => inGrid(grid, segments, phrases)),
  ...inLines(segments, phrases),
];

/** Reads rows with a label and its value; the heading of a party is alone in its row, or above the table. */
function inGrid({ rows }: Grid, segments: readonly Segment[], phrases: PhraseBook): SectionName[] {
  const first = rows.flat().find((cell) => cell !== undefined);
  const above = first === undefined ? undefined : segments[first.index - 1];
  let concept = above === undefined || above.cell !== null ? null : partyOf(above.text, phrases);
  return rows.flatMap((cells): SectionName[] => {
    const [label, value] = cells.filter((cell) => cell !== undefined);
    if (label === undefined) return [];
    if (value === undefined) {
      if (cells[0] === label) concept = partyOf(label.text, phrases);
      return [];
    }
    return concept !== null && isNameLabel(label.text) ? [{ concept, segment: value, start: 0 }] : [];
  });
}

function inLines(segments: readonly Segment[], phrases: PhraseBook): SectionName[] {
  let found: { concept: SectionName['concept']; at: number } | null = null;
  return segments.flatMap((segment): SectionName[] => {
    if (segment.cell !== null) return [];
    const line = LINE.exec(segment.text)?.groups;
    if (line === undefined) {
      const concept = partyOf(segment.text, phrases);
      found = concept === null ? null : { concept, at: segment.index };
      return [];
    }
    if (found === null || segment.index - found.at > MAX_LINES || !isNameLabel(line['label'] ?? '')) return [];
    return [{ concept: found.concept, segment, start: segment.text.length - (line['name'] ?? '').length }];
  });
}

const isNameLabel = (text: string): boolean => NAME_LABELS.has(wordsOf(text).join(' '));

/** Returns the party whose name or role is the whole text. */
function partyOf(text: string, phrases: PhraseBook): SectionName['concept'] | null {
  const words = wordsOf(text);
  const match = phrases
    .find(words)
    .find(({ start, end, weight }) => start === 0 && end === words.length && weight === LABEL_WEIGHTS.labels);
  return match?.target === 'vendorName' || match?.target === 'customerName' ? match.target : null;
}
