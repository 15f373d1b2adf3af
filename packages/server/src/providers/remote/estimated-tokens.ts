import type { TokenCounter } from '../embedder.ts';

/** What has a character of its own for a syllable or word: Chinese, Japanese, Korean. */
const DENSE = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu;
/** Today's vocabularies: a token for 4 characters of English, 3 of other alphabets, and 1 of Chinese. */
const RATES = { dense: 1, other: 1 / 3 };

/** For models whose tokenizer is not to be had; on the safe side, since a context that is too long is refused. */
export const estimatedTokens: TokenCounter = { count: (text) => Math.ceil(tokensAtRates(text, RATES)) };

/** With the given tokens per character. */
export function tokensAtRates(text: string, rates: { dense: number; other: number }): number {
  const dense = text.match(DENSE)?.length ?? 0;
  return dense * rates.dense + (text.length - dense) * rates.other;
}
