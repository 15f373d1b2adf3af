/** The tokenizer of a model, from its tokenizer.json: token ids of a text, and the special tokens around it. */
import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { z } from 'zod';
import { WordPieceTokenizer } from './word-piece.ts';

export interface TextTokenizer {
  /** Returns the ids without special tokens. */
  encode(text: string): number[];
  count(text: string): number;
  /** Special tokens around every text, such as `[CLS]` and `[SEP]`. */
  readonly before: readonly number[];
  readonly after: readonly number[];
}

const wordPieceSchema = z.object({
  normalizer: z.object({
    type: z.literal('BertNormalizer'),
    clean_text: z.literal(true),
    handle_chinese_chars: z.literal(true),
    strip_accents: z.literal([null, true]),
    lowercase: z.literal(true),
  }),
  pre_tokenizer: z.object({ type: z.literal('BertPreTokenizer') }),
  model: z.object({
    type: z.literal('WordPiece').optional(),
    unk_token: z.string(),
    continuing_subword_prefix: z.literal('##'),
    max_input_chars_per_word: z.int(),
    vocab: z.record(z.string(), z.int()),
  }),
});

export async function readTokenizer(tokenizerFile: string): Promise<TextTokenizer> {
  const json: unknown = JSON.parse(await readFile(tokenizerFile, 'utf8'));
  return createTokenizer(json);
}

/** BERT's uncased tokenizer is implemented here, ten times faster; all others use the library. */
export function createTokenizer(json: unknown): TextTokenizer {
  if (typeof json !== 'object' || json === null) throw new Error('tokenizer.json holds no object');
  const library = new Tokenizer(json, {});
  const marks = marksOf(library);
  const wordPiece = wordPieceSchema.safeParse(json);
  if (wordPiece.success) {
    const { vocab, unk_token: unknown, max_input_chars_per_word: maxWordLength } = wordPiece.data.model;
    const own = new WordPieceTokenizer(new Map(Object.entries(vocab)), { unknown, maxWordLength });
    return { ...marks, encode: (text) => own.encode(text), count: (text) => own.count(text) };
  }
  const encode = (text: string): number[] => library.encode(text, { add_special_tokens: false }).ids;
  return { ...marks, encode, count: (text) => encode(text).length };
}

/** Returns the special tokens that the library puts around a word. */
function marksOf(library: Tokenizer): { before: number[]; after: number[] } {
  const bare: number[] = library.encode('a', { add_special_tokens: false }).ids;
  const marked: number[] = library.encode('a').ids;
  const start = marked.findIndex((_, index) => bare.every((id, offset) => marked[index + offset] === id));
  if (start < 0) throw new Error('The tokenizer does not keep a text between its marks');
  return { before: marked.slice(0, start), after: marked.slice(start + bare.length) };
}
