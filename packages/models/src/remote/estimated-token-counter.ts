/**
 * Estimates the number of tokens from above, for models whose tokenizer is unknown. Byte-pair tokenizers make one token
 * of about four letters in English and three in German, and one or two of each character in other scripts.
 */
import type { TokenCounter } from '@quire/text/chunk/token-counter';

const LETTERS_PER_TOKEN = 3;
const TOKENS_PER_CHARACTER = 1.5;
const MARKS = 2;

export const estimatedTokenCounter: TokenCounter = {
  count: (text) => {
    let ascii = 0;
    let others = 0;
    for (let index = 0; index < text.length; index += 1) {
      if (text.charCodeAt(index) < 0x250) ascii += 1;
      else others += 1;
    }
    return Math.ceil(ascii / LETTERS_PER_TOKEN + others * TOKENS_PER_CHARACTER) + MARKS;
  },
};
