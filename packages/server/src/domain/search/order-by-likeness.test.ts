import { expect, test } from 'vitest';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { Likenesses } from './likeness.ts';
import { COMPARED_HITS, holdsForeign, orderByLikeness } from './order-by-likeness.ts';
import type { RankedHit } from './rerank-hits.ts';

const likenesses = new Likenesses(new LocalEmbedders());
const { signal } = new AbortController();

const hit = (text: string, score: number, language: string | null = 'de'): RankedHit =>
  ({ chunk: { text, headings: [], language }, score }) as unknown as RankedHit;
const textsOf = (hits: readonly RankedHit[]): string[] => hits.map(({ chunk }) => chunk.text);

const DRINKS = 'Alkoholische Getränke sind in den Räumen untersagt.';
const BEER_GARDEN = 'Der Garten des Vereins darf im Sommer für Feste gemietet werden.';
const BOOKS = 'Die Bücher der Bibliothek werden im Januar gezählt.';

test('a chunk with the meaning of the question is ranked before one with as many of its words', async () => {
  const hits = [hit(BEER_GARDEN, 0.82), hit(DRINKS, 0.8), hit(BOOKS, 0.2)];
  const ordered = await orderByLikeness(likenesses, 'Darf man Bier trinken?', hits, signal);
  expect(textsOf(ordered)).toEqual([DRINKS, BEER_GARDEN, BOOKS]);
  expect(ordered[0]).toMatchObject({ fused: 0.8, score: 0.15 + 0.85 * 0.8, likeness: expect.any(Number) });
  expect(ordered.every(({ score, likeness = 0 }) => score <= 1 && likeness < 1)).toBe(true);
});

test('a clearly better fused score decides', async () => {
  const hits = [hit(BEER_GARDEN, 1), hit(DRINKS, 0.5), hit(BOOKS, 0.2)];
  const ordered = await orderByLikeness(likenesses, 'Darf man Bier trinken?', hits, signal);
  expect(textsOf(ordered)).toEqual(textsOf(hits));
});

test('hits in other languages keep their scores, and their order if most of the first are in such languages', async () => {
  const english = [hit('No drinks.', 0.9, 'en'), hit('Nessuna bevanda.', 0.7, 'it')];
  const hits = [...english, hit(DRINKS, 0.6)];
  expect(await orderByLikeness(likenesses, 'Bier', hits, signal)).toEqual(hits);
  const mixed = [hit('XJ-200', 0.9, 'en'), hit(BOOKS, 0.8), hit(DRINKS, 0.79)];
  const ordered = await orderByLikeness(likenesses, 'Bier trinken', mixed, signal);
  expect(ordered.find(({ chunk }) => chunk.language === 'en')?.score).toBe(0.9);
  expect(textsOf(ordered)).toEqual(['XJ-200', DRINKS, BOOKS]);
});

test('the hits behind the compared ones follow with lower scores, in their order', async () => {
  const many = Array.from({ length: COMPARED_HITS + 10 }, (_, at) => hit(`${BOOKS} Raum ${at}.`, 1 - at / 100));
  const ordered = await orderByLikeness(likenesses, 'Wann zählt die Bibliothek?', many, signal);
  const scores = ordered.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(textsOf(ordered.slice(COMPARED_HITS))).toEqual(textsOf(many.slice(COMPARED_HITS)));
});

test('nothing changes without hits, and with one', async () => {
  expect(await orderByLikeness(likenesses, 'Bier', [], signal)).toEqual([]);
  expect(await orderByLikeness(likenesses, 'Bier', [hit(DRINKS, 1)], signal)).toEqual([hit(DRINKS, 1)]);
});

test('collections take part from a tenth of their documents on', () => {
  const shares = (de: number, en: number) => [
    { language: 'de', documents: de },
    { language: 'en', documents: en },
  ];
  expect(holdsForeign(shares(1, 9), likenesses)).toBe(true);
  expect(holdsForeign(shares(1, 19), likenesses)).toBe(false);
  expect(holdsForeign([{ language: 'it', documents: 5 }], likenesses)).toBe(false);
  expect(holdsForeign([], likenesses)).toBe(false);
});
