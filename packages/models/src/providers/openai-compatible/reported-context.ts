/** Reads the context length that an OpenAI-compatible server reports for a model, from its list of models. */
import type { ReadJson } from '../../remote/sdk/sdk-chat-model.ts';

type Json = Record<string, unknown>;

/** Fields of vLLM and SGLang, LM Studio (as loaded, before the maximum), OpenRouter and Together, Groq, Mistral. */
const FIELDS = ['max_model_len', 'loaded_context_length', 'context_length', 'context_window', 'max_context_length'];
/** The owner that llama.cpp names for the one model that it serves; it ignores the name in requests. */
const LLAMA_CPP = 'llamacpp';
/** Smaller values are no context length of a chat model. */
const MIN_TOKENS = 256;

/** Returns the number of tokens; undefined if the server does not report one. */
export async function reportedContextTokens(
  baseUrl: string,
  model: string,
  read: ReadJson,
): Promise<number | undefined> {
  const base = baseUrl.replace(/\/+$/, '');
  const { data } = asObject(await read(`${base}/models`));
  const entries = Array.isArray(data) ? data.map(asObject) : [];
  if (entries[0]?.['owned_by'] === LLAMA_CPP) return llamaContext(base, read);
  const entry = entries.find(({ id }) => id === model) ?? {};
  return FIELDS.map((field) => tokensOf(entry[field])).find((tokens) => tokens !== undefined);
}

/** The list of llama.cpp has the length of its model's training; only `/props` has the one that it was started with. */
async function llamaContext(base: string, read: ReadJson): Promise<number | undefined> {
  const { default_generation_settings: settings } = asObject(await read(`${base.replace(/\/v1$/, '')}/props`));
  return tokensOf(asObject(settings)['n_ctx']);
}

const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});

const tokensOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= MIN_TOKENS ? (value as number) : undefined;
