/** What an AI SDK model streams, as our events. */
import type { ChatEvent, TokenUsage, ToolCall } from '../chat-model.ts';
import { ProviderError, withoutKey } from './provider-error.ts';
import type { SdkPart } from './sdk-model.ts';
import { ThinkTags } from './think-tags.ts';

type End = Extract<ChatEvent, { type: 'end' }>;
type FinishPart = Extract<SdkPart, { type: 'finish' }>;
type CallPart = Extract<SdkPart, { type: 'tool-call' }>;

/** Throws `ProviderError` where the provider says that it failed, and when the stream ends before its end. */
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
  new ProviderError(null, 'The provider broke off in the middle of its answer', { afterMs: null });

function toCall({ toolCallId, toolName, input, providerMetadata }: CallPart): ToolCall {
  const call = { id: toolCallId, name: toolName, input: parseInput(input) };
  const signatures = Object.values(providerMetadata ?? {}).map(({ thoughtSignature }) => thoughtSignature);
  const signature = signatures.find((value) => typeof value === 'string');
  return signature === undefined ? call : { ...call, signature };
}

/** A tool without parameters may be called with nothing at all. */
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
  // Without a reason of the provider's it did not finish.
  if (unified === 'error' || raw === undefined) throw brokenOff();
  const reason = REASONS[unified];
  // Some servers call tools and say that they stopped.
  return reason === 'stop' && isCalling ? 'toolCalls' : reason;
}

/** Gemini says so of a question that it does not answer at all. */
function isBlocked(metadata: FinishPart['providerMetadata']): boolean {
  const feedback = metadata?.['google']?.['promptFeedback'];
  return typeof feedback === 'object' && feedback !== null && 'blockReason' in feedback;
}

/** Servers that do not count are counted for. */
function usageOf({ usage }: FinishPart, estimate: () => TokenUsage): TokenUsage {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined || outputTokens.total === undefined) return estimate();
  return { inputTokens: inputTokens.total, outputTokens: outputTokens.total };
}

/** An event that is an error, which not every SDK tells. */
function throwIfError(event: unknown, apiKey: string | undefined): void {
  if (typeof event !== 'object' || event === null || !('error' in event)) return;
  if (event.error !== null && event.error !== undefined) throw streamError(event.error, apiKey);
}

/** An error in the stream: the provider's own (`{ message, code }`), or what the SDK could not read. */
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
