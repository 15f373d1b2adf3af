import { eld } from 'eld/extrasmall';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LanguageNgrams } from './language-ngrams.ts';

const ngrams = await LanguageNgrams.read(new URL('../../assets/languages/ngrams.bin', import.meta.url));

/** Returns the words in the form of `detectLanguage`: letters and marks. */
const words = (text: string): string => (text.match(/[\p{L}\p{M}]+/gu) ?? []).join(' ');

function expectSameAsEld(text: string): void {
  const theirs = eld.detect(text);
  const expected = theirs.language === '' ? undefined : { language: theirs.language, isSure: theirs.isReliable() };
  expect(ngrams.guess(text)).toEqual(expected);
}

/** Letters of neighbouring scripts, with spaces between them. */
const letters = fc
  .tuple(
    fc.integer({ min: 0x41, max: 0x1_f000 }),
    fc.array(fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 0, max: 80 }) }, fc.constant(-1)), { maxLength: 700 }),
  )
  .map(([base, offsets]) => offsets.map((offset) => (offset < 0 ? ' ' : String.fromCodePoint(base + offset))).join(''))
  .map(words);

it('agrees with eld on letters of any script', () => {
  fc.assert(fc.property(letters, expectSameAsEld), { numRuns: 500 });
});

it.each([
  'Der Hafenmeister führt ein Buch über jedes Schiff das in den Hafen einläuft '.repeat(12),
  'Le maître du port tient un livre de tous les navires qui entrent dans le port ',
  'Hafenmeisterbuchführungsverordnungsdurchführungsbestimmungenergänzungsgesetzblattausgabe und mehr',
  'а также в порту стоят корабли и ждут погоды '.repeat(20),
  'ok',
  '',
])('agrees with eld on %j', expectSameAsEld);
