import type { TokenCounter } from '../embedder.ts';

/** Of what has a letter or digit of its own for a syllable or word: Chinese, Japanese, Korean. */
const DENSE = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu;
const CHARACTERS_PER_TOKEN = 3;

/**
 * For models whose tokenizer is not to be had: on the safe side, since a context that is too long is refused. Today's
 * vocabularies need about a token for 4 characters of English, 3 of other alphabets, and 1 of Chinese.
 */
export const estimatedTokens: TokenCounter = {
  count: (text) => {
    const dense = text.match(DENSE)?.length ?? 0;
    return Math.ceil(dense + (text.length - dense) / CHARACTERS_PER_TOKEN);
  },
};
