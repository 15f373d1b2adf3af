import { expect, test } from 'vitest';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { searchHit } from '../../../../../test/search-hit.ts';
import { weighEvidence } from '../evidence.ts';
import { Likenesses } from '../../../search/likeness.ts';
import { filingSearches } from './filing.ts';

const embedders = new LocalEmbedders();
const likenesses = new Likenesses(embedders);

const EVENT =
  'Other Events.\n\nOn May 3, 2022, Norvik plc agreed with its banks to extend the credit facility by two years. The company paid a fee for the extension of the facility.';
const HITS = [
  { text: 'FORM 8-K\n\nDate of report: May 4, 2022. Norvik plc', headings: ['NORVIK PLC'], block: 'b1' },
  {
    text: 'The facility is governed by the law of Norway and by other terms.',
    headings: ['NORVIK PLC', 'Item 8.01'],
    block: 'b9',
  },
  { text: EVENT, headings: ['NORVIK PLC', 'Item 8.01'], block: 'b4' },
  {
    text: 'Amendment of the facility, which was filed as an exhibit to it.',
    headings: ['NORVIK PLC', 'Item 9.01'],
    block: 'b2',
  },
].map(({ text, headings, block }) =>
  searchHit(text, { documentId: 'form', documentName: 'Norvik_8K.pdf', chunkId: block, headings, blockIds: [block] }),
);

const quoted = async (question: string): Promise<string[]> => {
  const { selection, confidence } = await weighEvidence(question, HITS, likenesses, new AbortController().signal);
  return confidence === 0.6 ? selection.quotes.map(({ text }) => text) : [];
};

test.each([
  'What was the key agenda of the 8-K filing of Norvik dated 4th May 2022?',
  'Why did Norvik file an 8-K in May 2022?',
])('the beginning of the first item answers: %s', async (question) => {
  expect(await quoted(question)).toEqual([
    'On May 3, 2022, Norvik plc agreed with its banks to extend the credit facility by two years.',
    'The company paid a fee for the extension of the facility.',
  ]);
});

test.each([
  'What was the key agenda of the 8-K filing of Norvik in August 2019?',
  'What was the key agenda of the 8-K filing of Bexley in May 2022?',
  'When was Norvik founded?',
])('%s is not about the filing', async (question) => {
  expect(await quoted(question)).toEqual([]);
});

test('items of filings are searched', () => {
  expect(filingSearches('What was the purpose of the 8-K that Norvik filed in 2022?')).toEqual([
    'Norvik 2022: Form 8-K, Item, Other Events, entered into',
  ]);
  expect(filingSearches('What is an 8-K?')).toEqual([]);
});
