import { expect, test } from 'vitest';
import type { Citation, MessageContent } from '../../database/tables.ts';
import { ERASED, withoutQuotes } from './erased-quotes.ts';

const citation = (documentId: string, snippet: string, ...spans: [number, number][]): Citation => ({
  index: 1,
  collectionId: 'c',
  documentId,
  documentName: `${documentId}.md`,
  documentDeleted: false,
  snippet,
  chunkId: 'c',
  revision: 1,
  headings: ['Terms'],
  boxes: [],
  blocks: [],
  spans: spans.map(([start, end]) => ({ part: 1, start, end })),
});

const content = (text: string, ...citations: Citation[]): MessageContent => ({
  parts: [
    { type: 'reasoning', text: 'The lease says so.' },
    { type: 'text', text },
  ],
  citations,
  usage: null,
  error: null,
});

const textOf = ({ parts: [, text] }: MessageContent) => (text?.type === 'text' ? text.text : '');

test('quotes of a purged document are erased, and the spans of other citations still mark the same words', () => {
  const before = content(
    'Rent is 900. Notice is 3 months. Pets are fine.',
    citation('a', 'Rent is 900', [0, 12]),
    citation('b', 'Notice is 3 months', [13, 32]),
    citation('a', 'Pets are fine', [33, 47]),
  );
  const after = withoutQuotes(before, new Set(['a']));
  expect(textOf(after)).toBe(`${ERASED} Notice is 3 months. ${ERASED}`);
  const marked = after.citations.map(({ spans: [span] }) => textOf(after).slice(span!.start, span!.end));
  expect(marked).toEqual([ERASED, 'Notice is 3 months.', ERASED]);
  expect(after.citations[0]).toMatchObject({ documentId: 'a', documentName: ERASED, snippet: '', headings: [] });
  expect(after.citations[1]).toMatchObject({ documentName: 'b.md', snippet: 'Notice is 3 months' });
  expect(after.parts[0]).toEqual({ type: 'reasoning', text: ERASED });
});

test('a snippet that the answer repeats outside of its marked span is erased too', () => {
  const quote = 'The rent is due on the first day.';
  const before = content(`It says: ${quote} Again: ${quote}`, citation('a', quote, [9, 42]));
  expect(textOf(withoutQuotes(before, new Set(['a'])))).toBe(`It says: ${ERASED} Again: ${ERASED}`);
});

test('overlapping spans are erased as one, and a span that begins inside of one starts at the placeholder', () => {
  const before = content(
    'abcdefghij',
    citation('a', 'x', [2, 5]),
    citation('a', 'y', [4, 7]),
    citation('b', 'z', [6, 9]),
  );
  const after = withoutQuotes(before, new Set(['a']));
  expect(textOf(after)).toBe(`ab${ERASED}hij`);
  const [span] = after.citations[2]!.spans;
  expect(textOf(after).slice(span!.start, span!.end)).toBe(`${ERASED}hi`);
});

test('content that quotes none of the documents, or was erased before, is returned unchanged', () => {
  const before = content('Rent is 900.', citation('a', 'Rent is 900', [0, 12]));
  expect(withoutQuotes(before, new Set(['b']))).toBe(before);
  const erased = withoutQuotes(before, new Set(['a']));
  expect(withoutQuotes(erased, new Set(['a']))).toBe(erased);
});
