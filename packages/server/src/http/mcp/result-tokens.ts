/** Maximum number of tokens of a result, as the JSON text that the model reads. */
export const RESULT_TOKENS = { search: 6_000, fetch: 16_000, read: 6_000, list: 6_000, ask: 6_000, process: 12_000 };
