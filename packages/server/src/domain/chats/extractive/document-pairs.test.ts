import { expect, test } from 'vitest';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { searchHit } from '../../../../test/search-hit.ts';
import type { SearchHit } from '../../search/types.ts';
import type { AnswerRequest, Draft, DraftContent } from '../answer-engine.ts';
import { ExtractiveEngine } from './extractive-engine.ts';
import { Likenesses } from '../../search/likeness.ts';

const embedders = new LocalEmbedders();
const likenesses = new Likenesses(embedders);

const document = (title: string, text: string): SearchHit => ({
  ...searchHit(text),
  documentId: `doc_${title}`,
  chunkId: `chunk_${title}`,
  documentName: `${title}.md`,
  documentTitle: title,
});

const PAINTING = document(
  'Red Hat',
  'Red Hat hangs in Oslo. "Red Hat" was painted in oil by Greta Holm for a merchant.',
);
const PAINTER = document('Greta Holm', 'Greta Holm drew birds. She died in Bergen in 1871 after a fall.');
const LOOM = document('Lee, Ann', 'The inventor of the silent loom, who was born in 1752 near Lyon.');
const CARD = document('Bob Ray', 'Bob Ray was the maker of the striped card. Ray was born on 29 February 1860.');
const NAMES = document('Names', 'The inventor of the card had many names. Many people were born earlier.');
const BARN = document('Grey Barn', 'Grey Barn hangs in Oslo. "Grey Barn" was painted by Torvald for New Hall School.');
const ONE_NAMED = document('Torvald', 'Torvald drew birds. He died in Bergen in 1871 after a fall.');
const SCHOOL = document('New Hall School', 'New Hall School was opened for the sons of sailors.');
const FILM = document('The Long Quay', 'The Long Quay is a film. Its music was written by John Vincent Moss.');
const COMPOSER = document('John Moss', 'A composer from Hull. He played the viola in a radio orchestra.');
const OTHER = document('Painters of Oslo', 'A painter of hats died in Oslo. Many a painter died in the fire of 1699.');

const CONTRACT = document(
  'Contract 12',
  'Aster Foods buys paper cups from Lund Cartons Ltd. in Malmö. For Aster Foods: Ida Berg, head of purchasing.',
);
const OTHER_CONTRACT = document('Contract 13', 'Aster Foods buys spoons from Peak Metal. They are made in Leeds.');
const PROFILE = document('Supplier profile Lund Cartons', 'The factory is new. 85 people work there in two shifts.');
const OTHER_PROFILE = document('Supplier profile Peak Metal', 'The factory is old. 310 people work there all year.');
const STAFF = document(
  'Staff list',
  '| Name | Position | Room |\n|---|---|---|\n| Tom Ray | works manager | 1.04 |\n| Ida Berg | head of purchasing | 2.17 |',
);
const NOTE_ONE = document('Note on Marie Roux', 'Marie Roux travaille ici depuis 2011. Elle forme deux apprentis.');
const NOTE_TWO = document('Note on Paul Petit', 'Paul Petit travaille ici depuis 2017. Il aime le vélo.');
const WOOD = document('Ed Wood', 'Edward Davis Wood Jr. was an American director and author.');
const WOOD_FILM = document('Ed Wood (film)', 'Ed Wood is a British film of 1994 about the director Ed Wood.');
const DERRICK = document('Scott Derrick', 'Scott Derrick is an American director.');
const OFFICE = [CONTRACT, OTHER_CONTRACT, PROFILE, OTHER_PROFILE, STAFF];

function alsoFound(query: string): SearchHit[] {
  if (/paper cups|Lund|Ida Berg|Peak|Aster/u.test(query)) return OFFICE;
  if (query.includes('Roux')) return query.includes('Petit') ? [NOTE_TWO, NOTE_ONE] : [NOTE_ONE, NOTE_TWO];
  if (query.includes('Petit')) return [NOTE_TWO, NOTE_ONE];
  if (query.includes('Derrick')) return [DERRICK, WOOD_FILM, WOOD];
  if (query.includes('Ed Wood')) return [WOOD_FILM, WOOD];
  if (query.includes('loom')) return [NAMES, LOOM];
  if (query.includes('card')) return [CARD, NAMES];
  if (query.includes('Grey Barn')) return [BARN];
  if (/Torvald|New Hall/u.test(query)) return [ONE_NAMED, SCHOOL];
  if (query.includes('Moss')) return [COMPOSER];
  return query.includes('Quay') ? [FILM] : [];
}

/** Answers over a search that finds the documents whose title the query names, and the others if it names none. */
async function answer(question: string): Promise<{ content: DraftContent; queries: string[] }> {
  const queries: string[] = [];
  const retrieve: AnswerRequest['retrieve'] = async (query) => {
    queries.push(query);
    const named = [PAINTING, PAINTER].filter(({ documentTitle }) => query.includes(documentTitle ?? ''));
    return { hits: [...named, ...alsoFound(query), OTHER], denseModelId: null };
  };
  const content: DraftContent = { parts: [], citations: [], confidence: null };
  const draft: Draft = { write: async (change) => change(content) };
  const { signal } = new AbortController();
  const request = { question, instructions: null, earlier: [], retrieve, signal };
  await new ExtractiveEngine(likenesses).answer(request, draft);
  return { content, queries };
}

test('a question about a thing that it describes is searched with its name, and both documents are cited', async () => {
  const { content, queries } = await answer('When did the painter of Red Hat die?');
  expect(queries.slice(0, 2)).toEqual(['When did the painter of Red Hat die?', 'painter of Red Hat']);
  expect(queries).toContain('When did Greta Holm die?');
  const snippets = content.citations.map(({ snippet }) => snippet);
  expect(snippets[0]).toBe('She died in Bergen in 1871 after a fall.');
  expect(snippets.at(-1)).toBe('"Red Hat" was painted in oil by Greta Holm for a merchant.');
});

test('a question that names its subject is not searched again', async () => {
  const { queries, content } = await answer('When did Greta Holm die?');
  expect(queries.filter((query) => query.startsWith('When'))).toEqual(['When did Greta Holm die?']);
  expect(new Set(content.citations.map(({ documentName }) => documentName))).toEqual(new Set(['Greta Holm.md']));
});

test('two things that a question describes are compared by the dates of both documents', async () => {
  const { content } = await answer(
    'Who was born earlier, the maker of the striped card or the inventor of the silent loom?',
  );
  const snippets = content.citations.map(({ snippet }) => snippet);
  expect(snippets).toContain('The inventor of the silent loom, who was born in 1752 near Lyon.');
  expect(snippets).toContain('Ray was born on 29 February 1860.');
});

test('a name with a middle name has the document without it', async () => {
  const { content } = await answer('Which instrument did the man play who wrote the music of The Long Quay?');
  const snippets = content.citations.map(({ snippet }) => snippet);
  expect(snippets).toContain('He played the viola in a radio orchestra.');
  expect(snippets.at(-1)).toBe('Its music was written by John Vincent Moss.');
});

test('a person may have a name of one word', async () => {
  const { content } = await answer('When did the painter of Grey Barn die?');
  const names = content.citations.map(({ documentName }) => documentName);
  expect(names).toContain('Torvald.md');
  expect(names).not.toContain('New Hall School.md');
});

const documentsOf = ({ citations }: DraftContent): Set<string> =>
  new Set(citations.map(({ documentName }) => documentName));

test('the document of a name may have it as a part of its title', async () => {
  const { content } = await answer('How many people work for the supplier of the paper cups?');
  expect(documentsOf(content)).toEqual(new Set(['Supplier profile Lund Cartons.md', 'Contract 12.md']));
});

test('the row of a table is about the name that it holds', async () => {
  const { content } = await answer('Which room does the person have who signed the contract on paper cups?');
  expect(documentsOf(content)).toEqual(new Set(['Staff list.md', 'Contract 12.md']));
});

test('one of two named things that is answered with less confidence is quoted too', async () => {
  const { content } = await answer('Depuis quand travaillent ici Marie Roux et Paul Petit ?');
  expect(documentsOf(content)).toEqual(new Set(['Note on Marie Roux.md', 'Note on Paul Petit.md']));
});

test('a thing is answered from the document with exactly its name, unless the question has the addition of another', async () => {
  const cited = async (question: string): Promise<Set<string>> =>
    new Set((await answer(question)).content.citations.map(({ documentName }) => documentName));
  const persons = await cited('Were Scott Derrick and Ed Wood of the same nationality?');
  expect(persons).toContain('Ed Wood.md');
  expect(await cited('Do the film Ed Wood and Scott Derrick have the same nationality?')).toContain(
    'Ed Wood (film).md',
  );
});
