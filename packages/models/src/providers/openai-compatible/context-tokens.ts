/** Context windows of models that are known by name, in tokens; the first that matches. As their makers publish them. */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^(o1|o3|o4)/, 200_000],
  [/^gpt-4(o|-turbo)/, 128_000],
  [/^gpt-3\.5-turbo/, 16_385],
  [/(^|\/)(mistral-large|mistral-medium|mistral-small|deepseek)/, 128_000],
];
/**
 * A model on somebody's own server: what it is set up for cannot be asked in a way that all servers know. Ollama's
 * smallest default is 4,096; most serve 8,192 and more.
 */
const UNKNOWN = 8192;

export const contextTokensOf = (model: string): number =>
  WINDOWS.find(([pattern]) => pattern.test(model))?.[1] ?? UNKNOWN;
