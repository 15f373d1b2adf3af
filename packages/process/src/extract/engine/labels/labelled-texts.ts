/** Finds free texts that follow a label: `Label: value`, or the cell beside or below the label's cell. */
import type { Labels } from './labels.ts';
import { companiesIn } from '../parties/company-names.ts';
import { wordsOf, type PhraseBook } from './phrase-book.ts';
import type { Segment } from '../document/segments.ts';

export interface LabelledText {
  words: readonly string[];
  weight: number;
  segment: Segment;
  start: number;
  end: number;
}

/** A colon after a label, but not in times, addresses or ratios. */
const COLON = /(?<=[\p{L}\p{N})#°.\]])\s*[:：](?!\/\/)(?=\s|$|[\p{Lu}\p{N}])/gu;
const WORD = /[\p{L}\p{M}\p{N}'’./#&()-]+/gu;
const MAX_LABEL_WORDS = 6;
const MAX_VALUE_LENGTH = 400;

export function findLabelledTexts(segments: readonly Segment[], labels: Labels, phrases: PhraseBook): LabelledText[] {
  return segments.flatMap((segment) => {
    const inside = textsAfterColons(segment, phrases);
    return [...inside, ...textsInNeighbours(segment, labels, inside.length > 0)];
  });
}

function textsAfterColons(segment: Segment, phrases: PhraseBook): LabelledText[] {
  const { text } = segment;
  const colons = [...text.matchAll(COLON)]
    .filter(
      (match) => !/\d$/.test(text.slice(0, match.index)) || !/^\d/.test(text.slice(match.index + match[0].length)),
    )
    .slice(0, 200);
  let from = 0;
  const parts = colons.map((match) => {
    const start = labelStart(text.slice(from, match.index), phrases) + from;
    from = match.index + match[0].length;
    return { start, colon: match.index, value: from };
  });
  return parts.flatMap(({ start, colon, value }, index) => {
    const end = parts[index + 1]?.start ?? text.length;
    const region = trim(text, value, end);
    if (region === null) return [];
    return [{ words: wordsOf(text.slice(start, colon)), weight: 1, segment, ...region }];
  });
}

/**
 * Returns where the label before a colon begins: at a known phrase, at the start of the line, else at the last three
 * words.
 */
function labelStart(before: string, phrases: PhraseBook): number {
  const words = [...before.matchAll(WORD)];
  const last = words.slice(-MAX_LABEL_WORDS);
  if (words.length <= MAX_LABEL_WORDS && !/[.,;]\s/.test(before) && !/\p{N}/u.test(before)) return 0;
  for (const [index, word] of last.entries()) {
    const tail = wordsOf(before.slice(word.index));
    const match = phrases.find(tail).find((found) => found.start === 0 && tail.length - found.end <= 1);
    if (match !== undefined && last[index] !== undefined) return word.index;
  }
  const fallback = last.slice(-3).find((word) => /^\p{Lu}/u.test(word[0])) ?? last.at(-1);
  return fallback?.index ?? 0;
}

/** Finds the text beside or below a segment that is a label as a whole or ends with a colon. */
function textsInNeighbours(segment: Segment, labels: Labels, hasInside: boolean): LabelledText[] {
  const ends = /[:：]\s*$/.test(segment.text);
  if ((hasInside && !ends) || !labels.isLabel(segment) || isCompany(segment.text)) return [];
  const words = labels.words(segment).slice(-MAX_LABEL_WORDS - 2);
  if (words.length > MAX_LABEL_WORDS + 2) return [];
  const { neighbours } = labels;
  const places: [Segment | undefined, number][] = [
    [neighbours.rightOf(segment)[0], 0.95],
    [
      neighbours.below(segment)[0],
      segment.kind === 'heading' ? 0.75 : ends || segment.cell?.header === true ? 0.9 : 0.8,
    ],
  ];
  if (segment.bbox === null && segment.cell === null) places.push([neighbours.after(segment)[0], ends ? 0.9 : 0.7]);
  if (ends || segment.kind === 'heading' || segment.cell?.header === true)
    places.push([firstBehindLabels(segment, labels), BEHIND_LABELS]);
  return places.flatMap(([target, weight]) => {
    if (target === undefined || isLabelOrLabelled(target, labels) || areHeaders(segment, target)) return [];
    const region = trim(target.text, 0, target.text.length);
    return region === null ? [] : [{ words, weight, segment: target, ...region }];
  });
}

/** Returns whether the text is a company's name, which is no label also if it holds the word for a customer. */
function isCompany(text: string): boolean {
  const [company] = companiesIn(text);
  return company?.start === 0 && company.end >= text.trimEnd().length;
}

/** Weight of the first line of a block that begins with lines that have labels of their own. */
const BEHIND_LABELS = 0.85;
const MAX_LABELLED_LINES = 4;

/** Returns the first line without a label in a block that begins with labelled lines, such as numbers of a customer. */
function firstBehindLabels(segment: Segment, labels: Labels): Segment | undefined {
  const lines = labels.neighbours.linesAfter(segment, MAX_LABELLED_LINES + 1);
  const first = lines.findIndex((line) => !isLabelOrLabelled(line, labels));
  return first > 0 ? lines[first] : undefined;
}

const isValueOfLabel = ({ text }: Segment): boolean => /^\s*[:：]/u.test(text);

function isLabelOrLabelled(target: Segment, { neighbours }: Labels): boolean {
  if (hasOwnLabel(target.text) || isValueOfLabel(target)) return true;
  const [next] = target.cell === null ? neighbours.linesAfter(target, 1) : neighbours.rightOf(target);
  return next !== undefined && isValueOfLabel(next);
}

/** Returns whether the text is a label or begins with its own, as in `Invoice number: 12` or `GLN 4012345000009`. */
export const hasOwnLabel = (text: string): boolean =>
  /[:：]\s*$|^\p{L}[^:：\p{N}]{1,40}[:：]\s|^\p{L}[\p{L}.-]{1,14}\s\p{N}[\p{N} -]{4,}$/u.test(text);

/** Returns whether both segments are column names of one table. */
function areHeaders(a: Segment, b: Segment): boolean {
  if (a.cell?.header !== true || b.cell?.header !== true || a.cell.row !== b.cell.row) return false;
  const row = a.cell.grid.rows[a.cell.row] ?? [];
  return row.filter((cell) => cell !== undefined).length >= 3 && !/\p{N}/u.test(b.text);
}

function trim(text: string, start: number, end: number): { start: number; end: number } | null {
  const part = text.slice(start, end);
  const lead = /^[\s:.,;–-]*/.exec(part)?.[0].length ?? 0;
  const trail = /[\s,;:|–-]*$/.exec(part)?.[0].length ?? 0;
  const last = Math.min(end - trail, start + lead + MAX_VALUE_LENGTH);
  return start + lead < last ? { start: start + lead, end: last } : null;
}
