/** Measures how many tokens per character a tokenizer makes, on a sample of each kind of text. */
import type { TokenRates } from './gguf-protocol.ts';

/** Scripts with one character per syllable or word: Chinese, Japanese, Korean. */
const DENSE = /[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/gu;
const LATIN_SAMPLE =
  'The tenant shall pay the rent of 1,250.00 EUR monthly in advance, no later than the third working day. ' +
  'Der Mieter zahlt die Miete im Voraus; maßgeblich ist der Eingang auf dem Konto. {"total": 12.5}';
const DENSE_SAMPLE = '承租人应于每月第三个工作日之前预付租金。賃借人は毎月の賃料を前払いするものとする。';

export const measureRates = (tokensOf: (text: string) => number): TokenRates => ({
  dense: tokensOf(DENSE_SAMPLE) / DENSE_SAMPLE.length,
  other: tokensOf(LATIN_SAMPLE) / LATIN_SAMPLE.length,
});

export function tokensAtRates(text: string, rates: TokenRates): number {
  const dense = text.match(DENSE)?.length ?? 0;
  return dense * rates.dense + (text.length - dense) * rates.other;
}
