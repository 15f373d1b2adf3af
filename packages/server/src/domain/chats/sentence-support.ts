/** Divides the text of an answer into sentences and reports which of them rest on a citation. */
import { sentences } from '@quire/text/language/sentences';
import type { MessageContent, SentenceSupport } from '../../database/tables.ts';

/** Matches white space, citation marks and the marker of a list or quotation before a sentence. */
const LEAD = /^(?:\s|\[\d+\]|[-*+>]\s|\d{1,3}[.)]\s)*/u;
/** Matches a line that begins a block of its own in Markdown, which no line break joins with the line before. */
const OWN_LINE = /^\s*(?:[-*+>|#]|\d{1,3}[.)]\s)/u;
const HEADING = /^\s*#{1,6}\s/u;
const HAS_WORDS = /[\p{L}\p{N}]/u;

/** Returns the sentences of all text parts in order, each with whether a citation's span overlaps it. */
export function supportOf({ parts, citations }: Pick<MessageContent, 'parts' | 'citations'>): SentenceSupport[] {
  const spans = citations.flatMap((citation) => citation.spans);
  return parts.flatMap((part, at) => {
    if (part.type !== 'text') return [];
    const own = spans.filter((span) => span.part === at);
    return sentenceRanges(part.text).map(({ start, end }) => {
      const supported = own.some((span) => span.start < end && span.end > start);
      return { part: at, start, end, supported };
    });
  });
}

interface Range {
  start: number;
  end: number;
}

function sentenceRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let at = 0;
  for (const piece of joinedLines(sentences(text))) {
    const start = at + (LEAD.exec(piece)?.[0].length ?? 0);
    const end = at + endWithoutMarks(piece);
    at += piece.length;
    if (end > start && HAS_WORDS.test(text.slice(start, end)) && !HEADING.test(piece)) ranges.push({ start, end });
  }
  return ranges;
}

/** Joins a line with the next one if a single line break, which Markdown shows as a space, parts them. */
function joinedLines(pieces: readonly string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const piece of pieces) {
    const last = joined.length - 1;
    if (isOpen && !OWN_LINE.test(piece)) joined[last] += piece;
    else joined.push(piece);
    isOpen = endsWithinSentence(piece) && !OWN_LINE.test(piece);
  }
  return joined;
}

/** Returns whether the piece ends with one line break and without the punctuation of a sentence's end. */
function endsWithinSentence(piece: string): boolean {
  if (!piece.endsWith('\n')) return false;
  let at = piece.length - 2;
  while (at >= 0 && `"'”’»)]`.includes(piece.charAt(at))) at -= 1;
  return at >= 0 && !/[\s.!?…。！？]/u.test(piece.charAt(at));
}

/** Returns the length of the sentence without the marks and the white space at its end. */
function endWithoutMarks(piece: string): number {
  let end = piece.trimEnd().length;
  while (piece[end - 1] === ']') {
    const open = piece.lastIndexOf('[', end - 1);
    if (open < 0 || !/^\d+$/.test(piece.slice(open + 1, end - 1))) break;
    end = piece.slice(0, open).trimEnd().length;
  }
  return end;
}
