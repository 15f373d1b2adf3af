import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStaticModel } from '../static/static-model-file.ts';
import { tinyTokenizer } from '../testing/tiny-model.ts';
import { createTokenizer } from './text-tokenizer.ts';
import { WordPieceTokenizer } from './word-piece.ts';

const model = readStaticModel(readFileSync(new URL('../../../assets/quire-static/model.bin', import.meta.url)));
const ids = new Map(model.vocabulary.map((token, id) => [token, id]));
const own = new WordPieceTokenizer(ids, { unknown: model.unknown });
const json = tinyTokenizer() as { model: object };
const library = new Tokenizer({ ...json, model: { ...json.model, vocab: Object.fromEntries(ids) } }, {});
const expected = (text: string): number[] => library.encode(text, { add_special_tokens: false }).ids;

describe('WordPieceTokenizer', () => {
  it.each([
    'What similarity laws must be obeyed when constructing aeroelastic models?',
    "Don't panic: it's 3.14 (or so) — e-mail me@example.org, #42 $5 50% `code`",
    'Ärger über die Größenverhältnisse, naïve façade, İstanbul, ŁÓDŹ',
    '東京は日本の首都です。北京是中国的首都',
    'tabs\tand\r\nlines\u00a0and\u3000spaces\u200b\ufeffhidden\u0000\ufffd',
    'emoji 🙂 and 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 and ﬁ ligatures',
    'अनुच्छेद ประเทศไทย العربية עברית',
    'x'.repeat(101),
    `${'ab'.repeat(50)} fits`,
    '',
    '   ',
  ])('cuts %j as the library does', (text) => {
    expect(own.encode(text)).toEqual(expected(text));
    expect(own.count(text)).toBe(expected(text).length);
  });

  it('splits any text of letters, marks and punctuation as the library does', () => {
    const character = fc.constantFrom(...'abcdefgh ijkl mnop qrst.,-!?\'"()/éüñÇßæøΑβЖя中の한é1 2'.split(''));
    fc.assert(
      fc.property(fc.array(character, { maxLength: 60 }), (characters) => {
        const text = characters.join('');
        expect(own.encode(text)).toEqual(expected(text));
      }),
    );
  });
});

describe('createTokenizer', () => {
  it('returns the special tokens around a text', () => {
    const tokenizer = createTokenizer(tinyTokenizer());
    expect(tokenizer.before).toEqual([2]);
    expect(tokenizer.after).toEqual([3]);
    expect(tokenizer.encode('the wings')).toEqual([10, 6, 8]);
  });

  it('uses the library for a cased model', () => {
    const cased = tinyTokenizer() as { normalizer: { lowercase: boolean } };
    cased.normalizer.lowercase = false;
    expect(createTokenizer(cased).encode('Wing wing')).toEqual([1, 6]);
  });
});
