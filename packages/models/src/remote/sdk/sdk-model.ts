/** The part of the AI SDK's provider interface (LanguageModelV3) that is used here, in the SDK's types. */
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible';

export type SdkModel = Pick<ReturnType<OpenAICompatibleProvider['chatModel']>, 'doStream'>;
export type SdkOptions = Parameters<SdkModel['doStream']>[0];
export type SdkPrompt = SdkOptions['prompt'];
type SdkStream = Awaited<ReturnType<SdkModel['doStream']>>['stream'];
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
