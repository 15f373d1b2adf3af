/** Counts tokens as a model does; the chunker and the context builder measure length with it. */
export interface TokenCounter {
  count(text: string): number;
}
