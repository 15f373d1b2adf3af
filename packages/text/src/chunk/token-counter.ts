/** Counts tokens as a model does; the chunker and the context builder use it in place of a length in characters. */
export interface TokenCounter {
  count(text: string): number;
}
