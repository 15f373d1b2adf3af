/** Chat of an OpenAI-compatible API: `POST {baseUrl}/chat/completions`. */
import { withoutAbsent } from '@quire/shared/without-absent';
import type { ChatRequest, JsonSchema } from '../../chat-model.ts';
import type { ChatSettings } from '../../remote/chat-settings.ts';
import type { SdkDialect } from '../../remote/sdk/sdk-chat-model.ts';
import { toPrompt, toTools, withSchemaInWords } from '../../remote/sdk/sdk-prompt.ts';
import { contextTokensOf, UNKNOWN_CONTEXT_TOKENS } from './context-tokens.ts';
import { reportedContextTokens } from './reported-context.ts';

const BASE_URL = 'https://api.openai.com/v1';

export function openAiChat(settings: ChatSettings): SdkDialect {
  const { model, apiKey, baseUrl = BASE_URL } = settings;
  // Servers differ in their support of schemas; after a refusal this model requests no schema again.
  let hasSchemas = true;
  return {
    provider: settings.provider,
    model,
    apiKey,
    contextTokens: settings.contextTokens ?? contextTokensOf(model) ?? UNKNOWN_CONTEXT_TOKENS,
    isContextAssumed: settings.contextTokens === undefined && contextTokensOf(model) === undefined,
    // OpenAI itself does not report it. A server may run a known model with a shorter context.
    ...(settings.contextTokens === undefined && settings.baseUrl !== undefined
      ? { readContextTokens: (read) => reportedContextTokens(baseUrl, model, read) }
      : {}),
    connect: async (fetch) => {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const key = apiKey === undefined ? {} : { apiKey };
      const shared = { name: 'openaiCompatible', baseURL: baseUrl.replace(/\/+$/, ''), fetch, ...key };
      const renamed = baseUrl === BASE_URL ? { transformRequestBody: renameTokenLimit } : {};
      return createOpenAICompatible({
        ...shared,
        ...renamed,
        includeUsage: true,
        supportsStructuredOutputs: hasSchemas,
      }).chatModel(model);
    },
    options: (request) => ({
      prompt: toPrompt(hasSchemas ? request.turns : withSchemaInWords(request), 'openaiCompatible'),
      ...(request.tools === undefined ? {} : { tools: toTools(request.tools) }),
      ...(request.output === undefined ? {} : outputOptions(request.output)),
      ...withoutAbsent({
        maxOutputTokens: request.maxOutputTokens ?? settings.maxOutputTokens,
        temperature: request.temperature ?? settings.temperature,
      }),
    }),
    adapt: (refusal, request) => {
      const isAboutSchema = request.output !== undefined && refusal.status === 400 && SCHEMA.test(refusal.message);
      if (!hasSchemas || !isAboutSchema) return false;
      hasSchemas = false;
      return true;
    },
  };
}

const SCHEMA = /response_format|json_schema|schema/i;

const outputOptions = ({ name, schema }: NonNullable<ChatRequest['output']>) => ({
  responseFormat: { type: 'json' as const, schema, name: name.replace(/[^\w-]+/g, '_').slice(0, 64) },
  providerOptions: { openaiCompatible: { strictJsonSchema: isStrict(schema) } },
});

/** OpenAI's strict mode rejects schemas with optional or additional properties. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties = {}, required = [], additionalProperties } = schema as JsonSchema;
  const names = Object.keys(properties as object);
  const isClosed = additionalProperties === false && names.every((name) => (required as string[]).includes(name));
  return (type !== 'object' || isClosed) && Object.values(schema).every(isStrict);
}

/** OpenAI's newer models accept the limit only by its new name, its older ones by both names. */
function renameTokenLimit({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return limit === undefined ? body : { ...body, max_completion_tokens: limit };
}
