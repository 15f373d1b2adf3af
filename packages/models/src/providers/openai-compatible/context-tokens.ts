/** Context windows of known models, in tokens, as published by their makers; the first match counts. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^(o1|o3|o4)/, 200_000],
  [/^gpt-4(o|-turbo)/, 128_000],
  [/^gpt-4/, 8192],
  [/^gpt-3\.5-turbo/, 16_385],
  [/(^|\/)(mistral-large|mistral-medium|mistral-small|deepseek)/, 128_000],
];

/** Default for an unknown model. Ollama's smallest default is 4,096; most servers have 8,192 or more. */
export const UNKNOWN_CONTEXT_TOKENS = 8192;

/** Returns the context window of a model; undefined if its name is unknown. */
export const contextTokensOf = (model: string): number | undefined =>
  WINDOWS.find(([pattern]) => pattern.test(model))?.[1];
