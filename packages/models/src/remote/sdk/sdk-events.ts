/** Converts the stream of an AI SDK model to chat events. */
import type { ChatEvent, TokenUsage, ToolCall } from '../../chat-model.ts';
import { ProviderError, withoutKey } from '../provider-error.ts';
import type { SdkPart } from './sdk-model.ts';
import { ThinkTags } from './think-tags.ts';

type End = Extract<ChatEvent, { type: 'end' }>;
type FinishPart = Extract<SdkPart, { type: 'finish' }>;
type CallPart = Extract<SdkPart, { type: 'tool-call' }>;

/** Throws `ProviderError` if the provider reports a failure or the stream ends early. */
export async function* toEvents(
  parts: AsyncIterable<SdkPart>,
  apiKey: string | undefined,
  estimate: (outputText: string) => TokenUsage,
): AsyncIterable<ChatEvent> {
  const tags = new ThinkTags();
  let isCalling = false;
  let written = '';
  for await (const part of parts) {
    if (part.type === 'reasoning-delta' && part.delta !== '') {
      written += part.delta;
      yield { type: 'reasoning', text: part.delta };
    } else if (part.type === 'text-delta') {
      written += part.delta;
      yield* tags.push(part.delta);
    } else if (part.type === 'tool-call' && part.providerExecuted !== true) {
      yield* tags.end();
      isCalling = true;
      written += part.input;
      yield { type: 'toolCall', call: toCall(part) };
    } else if (part.type === 'error') {
      throw streamError(part.error, apiKey);
    } else if (part.type === 'raw') {
      throwIfError(part.rawValue, apiKey);
    } else if (part.type === 'finish') {
      yield* tags.end();
      yield { type: 'end', reason: reasonOf(part, isCalling), usage: usageOf(part, () => estimate(written)) };
      return;
    }
  }
  throw brokenOff();
}

const brokenOff = (): ProviderError =>
  new ProviderError(null, 'The provider ended the stream before its answer was complete', { afterMs: null });

function toCall({ toolCallId, toolName, input, providerMetadata }: CallPart): ToolCall {
  const call = { id: toolCallId, name: toolName, input: parseInput(input) };
  const signatures = Object.values(providerMetadata ?? {}).map(({ thoughtSignature }) => thoughtSignature);
  const signature = signatures.find((value) => typeof value === 'string');
  return signature === undefined ? call : { ...call, signature };
}

/** A tool without parameters may be called with empty input. */
function parseInput(input: string): unknown {
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

const REASONS = {
  stop: 'stop',
  other: 'stop',
  length: 'length',
  'tool-calls': 'toolCalls',
  'content-filter': 'filtered',
} as const;

function reasonOf({ finishReason, providerMetadata }: FinishPart, isCalling: boolean): End['reason'] {
  const { unified, raw } = finishReason;
  if (raw === undefined && isBlocked(providerMetadata)) return 'filtered';
  // A stream without a finish reason is incomplete.
  if (unified === 'error' || raw === undefined) throw brokenOff();
  const reason = REASONS[unified];
  // Some servers send tool calls with the finish reason `stop`.
  return reason === 'stop' && isCalling ? 'toolCalls' : reason;
}

/** Returns whether Gemini blocked the question. */
function isBlocked(metadata: FinishPart['providerMetadata']): boolean {
  const feedback = metadata?.['google']?.['promptFeedback'];
  return typeof feedback === 'object' && feedback !== null && 'blockReason' in feedback;
}

/** Returns the reported usage, or an estimate for servers that report none. */
function usageOf({ usage }: FinishPart, estimate: () => TokenUsage): TokenUsage {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined || outputTokens.total === undefined) return estimate();
  return { inputTokens: inputTokens.total, outputTokens: outputTokens.total };
}

/** Throws for an error event, which not every SDK reports. */
function throwIfError(event: unknown, apiKey: string | undefined): void {
  if (typeof event !== 'object' || event === null || !('error' in event)) return;
  if (event.error !== null && event.error !== undefined) throw streamError(event.error, apiKey);
}

/** Converts an error in the stream: the provider's own (`{ message, code }`), or one of the SDK's parser. */
function streamError(error: unknown, apiKey: string | undefined): ProviderError {
  if (error instanceof Error) {
    if (error.name === 'AI_InvalidResponseDataError') return brokenOff();
    return new ProviderError(200, 'The provider answered something that does not follow its API');
  }
  const said = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  const words = withoutKey(said, apiKey).slice(0, 300);
  return new ProviderError(200, `The provider failed while it answered${words === '' ? '' : `: ${words}`}`, {
    afterMs: null,
  });
}
