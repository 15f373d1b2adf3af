/** Chat of the Gemini API: `POST {baseUrl}/models/{model}:streamGenerateContent`. */
import { withoutAbsent } from '@quire/shared/without-absent';
import type { ChatSettings } from '../../remote/chat-settings.ts';
import type { SdkDialect } from '../../remote/sdk/sdk-chat-model.ts';
import { toPrompt, toTools, withSchemaInWords } from '../../remote/sdk/sdk-prompt.ts';

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';
/** The context window of all Gemini models since 1.5 Flash. */
const CONTEXT_TOKENS = 1_048_576;

export function geminiChat(settings: ChatSettings): SdkDialect {
  const { apiKey = '', baseUrl = BASE_URL } = settings;
  const model = settings.model.replace(/^models\//, '');
  return {
    provider: settings.provider,
    model,
    apiKey,
    contextTokens: settings.contextTokens ?? CONTEXT_TOKENS,
    connect: async (fetch) => {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ apiKey, baseURL: baseUrl.replace(/\/+$/, ''), fetch }).languageModel(model);
    },
    options: (request) => {
      const { output, tools } = request;
      const isSimple = output === undefined || !REFERENCES.test(JSON.stringify(output.schema));
      return {
        prompt: toPrompt(isSimple ? request.turns : withSchemaInWords(request), 'google'),
        ...(tools === undefined ? {} : { tools: toTools(tools) }),
        ...(output === undefined ? {} : { responseFormat: { type: 'json', schema: output.schema } }),
        ...withoutAbsent({
          maxOutputTokens: request.maxOutputTokens ?? settings.maxOutputTokens,
          temperature: request.temperature ?? settings.temperature,
        }),
        providerOptions: {
          google: { structuredOutputs: isSimple, ...(THINKING_MODEL.test(model) ? { thinkingConfig: THOUGHTS } : {}) },
        },
      };
    },
  };
}

/** The API's schemas do not support references; such a schema is written into the prompt. */
const REFERENCES = /"\$(ref|defs)"/;
const THOUGHTS = { includeThoughts: true };
/** Models that think; other models reject a request for thoughts. */
const THINKING_MODEL = /^gemini-(2\.5|[3-9])/;
