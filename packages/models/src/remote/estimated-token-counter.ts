/**
 * Tokens of a text for models whose tokenizer is not at hand: an estimate from above. Byte-pair tokenizers make a token of
 * about four letters of English and three of German, one or two of a character of other scripts.
 */
import type { TokenCounter } from '@quire/text/chunk/token-counter';

const LETTERS_A_TOKEN = 3;
const TOKENS_A_CHARACTER = 1.5;
const MARKS = 2;

export const estimatedTokenCounter: TokenCounter = {
  count: (text) => {
    let ascii = 0;
    let others = 0;
    for (let index = 0; index < text.length; index += 1) {
      if (text.charCodeAt(index) < 0x250) ascii += 1;
      else others += 1;
    }
    return Math.ceil(ascii / LETTERS_A_TOKEN + others * TOKENS_A_CHARACTER) + MARKS;
  },
};
