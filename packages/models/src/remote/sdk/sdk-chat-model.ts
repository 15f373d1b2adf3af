/**
 * A language model of an outside provider. Only the wire code of the AI SDK is used; retries, rate limits, time limits
 * and errors are implemented here. A call is retried only before the first part of its answer.
 */
import { outboundFetch, type Fetch } from '@quire/outbound/outbound-fetch';
import type { OutboundClient, OutboundRequest, OutboundResponse } from '@quire/outbound/outbound-client';
import type { ChatEvent, ChatModel, ChatRequest, TokenUsage } from '../../chat-model.ts';
import type { ProviderCallRecord, ProviderObserver } from '../../provider-observer.ts';
import type { Clock } from '../clock.ts';
import { awaitNextAttempt, holdGate } from '../retry.ts';
import {
  callOutcome,
  isWebPage,
  networkError,
  ProviderError,
  statusError,
  streamFailure,
  webPageError,
} from '../provider-error.ts';
import type { RequestGate, SharedCallLimits } from '../request-gate.ts';
import { ContextLength } from '../context-length.ts';
import { estimatedTokenCounter } from '../estimated-token-counter.ts';
import { toEvents } from './sdk-events.ts';
import type { SdkModel, SdkOptions } from './sdk-model.ts';

export interface ChatTransport {
  outbound: Pick<OutboundClient, 'request'>;
  clock: Clock;
  observe: ProviderObserver;
  /** Counts the calls of all processes; each process counts its own without it. */
  sharedLimits?: SharedCallLimits | null;
}

/** Returns the JSON at an address of the provider. Rejects with `ProviderError`. */
export type ReadJson = (url: string) => Promise<unknown>;

/** The provider-specific part of a chat model. */
export interface SdkDialect {
  provider: ProviderCallRecord['provider'];
  model: string;
  contextTokens: number;
  /** True if `contextTokens` is only a default, as the model is unknown. */
  isContextAssumed?: boolean;
  /** Requests the context length; undefined if the server reports none. Absent if it is configured. */
  readContextTokens?: (read: ReadJson) => Promise<number | undefined>;
  apiKey: string | undefined;
  /** Creates the SDK's model; called for each request, so that the SDK is loaded with the first one. */
  connect: (fetch: Fetch) => Promise<SdkModel>;
  /** Converts a request to the SDK's options, without the signal. */
  options: (request: ChatRequest) => SdkOptions;
  /** Returns true if the request can be changed after this refusal; it is then repeated once, immediately. */
  adapt?: (refusal: ProviderError, request: ChatRequest) => boolean;
}

/** A cold server first loads the model from disk and reads the prompt. */
const LIMITS = {
  firstByteMs: 180_000,
  idleMs: 60_000,
  timeoutMs: 900_000,
  maxBytes: 64 * 1024 * 1024,
  keepAlive: true,
};
export type ChatTimeLimits = Pick<typeof LIMITS, 'firstByteMs' | 'idleMs' | 'timeoutMs'>;

export class SdkChatModel implements ChatModel {
  readonly modelId: string;
  readonly tokenCounter = estimatedTokenCounter;
  readonly #dialect: SdkDialect;
  readonly #transport: ChatTransport;
  readonly #gate: RequestGate;
  readonly #limits: typeof LIMITS;
  readonly #context: ContextLength;
  #callsTools = true;

  constructor(dialect: SdkDialect, transport: ChatTransport, gate: RequestGate, limits: Partial<ChatTimeLimits> = {}) {
    this.modelId = `${dialect.provider}/${dialect.model}`;
    this.#context = new ContextLength(dialect, transport);
    this.#dialect = dialect;
    this.#transport = transport;
    this.#gate = gate;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** True until the provider reports that its model does not support tools. */
  get callsTools(): boolean {
    return this.#callsTools;
  }

  get contextTokens(): number {
    return this.#context.tokens;
  }

  get isContextAssumed(): boolean {
    return this.#context.isAssumed;
  }

  learnContext(): Promise<void> {
    return this.#context.learn();
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    for (let attempt = 1; ; attempt += 1) {
      let hasBegun = false;
      let failure: unknown;
      const leave = await this.#gate.enter(signal);
      try {
        for await (const event of this.#observed(request, signal)) {
          hasBegun = true;
          yield event;
        }
        return;
      } catch (error) {
        failure = error;
      } finally {
        leave();
      }
      signal.throwIfAborted();
      holdGate(this.#gate, failure);
      if (request.tools !== undefined && isRefusalOfTools(failure)) this.#callsTools = false;
      if (hasBegun) throw failure;
      if (failure instanceof ProviderError && this.#dialect.adapt?.(failure, request) === true) continue;
      await awaitNextAttempt(failure, attempt, this.#transport.clock, signal, request.attempts);
    }
  }

  async *#observed(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const { clock, observe } = this.#transport;
    const start = clock.now();
    let outcome: ProviderCallRecord['outcome'] = 'cancelled';
    let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
    try {
      for await (const event of this.#attempt(request, signal)) {
        if (event.type === 'end') ({ usage } = event);
        if (event.type === 'end') outcome = 'ok';
        yield event;
      }
    } catch (error) {
      if (!signal.aborted) outcome = callOutcome(error);
      throw error;
    } finally {
      const { provider } = this.#dialect;
      observe({ provider, operation: 'chat', outcome, seconds: (clock.now() - start) / 1000, ...usage });
    }
  }

  async *#attempt(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const { connect, options, apiKey } = this.#dialect;
    const leaving = new AbortController();
    const way = new CheckedOutbound(this.#transport, apiKey);
    try {
      const model = await connect(outboundFetch(way, this.#limits));
      const abortSignal = AbortSignal.any([signal, leaving.signal]);
      const { stream } = await model.doStream({ ...options(request), abortSignal, includeRawChunks: true });
      yield* toEvents(stream, apiKey, (written) => estimateUsage(request, written));
    } catch (error) {
      signal.throwIfAborted();
      throw way.failure ?? readable(error);
    } finally {
      leaving.abort();
    }
  }
}

/** Treats responses other than 200 as failures, and keeps the failure, which SDKs would wrap. */
class CheckedOutbound {
  failure: unknown;
  readonly #transport: ChatTransport;
  readonly #apiKey: string | undefined;

  constructor(transport: ChatTransport, apiKey: string | undefined) {
    this.#transport = transport;
    this.#apiKey = apiKey;
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    try {
      const response = await this.#transport.outbound.request(request);
      if (response.status !== 200) throw await statusError(response, this.#apiKey, this.#transport.clock.now());
      if (isWebPage(response)) throw webPageError();
      return { ...response, body: this.#watched(response.body) };
    } catch (error) {
      this.failure = networkError(error);
      throw error;
    }
  }

  async *#watched(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    try {
      yield* body;
    } catch (error) {
      this.failure = streamFailure(error);
      throw error;
    }
  }
}

/** Messages of Ollama, vLLM, LM Studio and OpenRouter. */
const NO_TOOLS = /not support tool|tool (?:use|choice|calling)|support(?:s|ed)? (?:tool|function)/i;

const isRefusalOfTools = (failure: unknown): boolean =>
  failure instanceof ProviderError && [400, 404, 501].includes(failure.status ?? 0) && NO_TOOLS.test(failure.message);

/** Replaces errors of the SDK, which contain the request. */
function readable(error: unknown): unknown {
  if (error instanceof ProviderError || !(error instanceof Error) || !error.name.startsWith('AI_')) return error;
  return new ProviderError(200, 'The provider answered something that does not follow its API');
}

function estimateUsage({ turns, tools, output }: ChatRequest, written: string): TokenUsage {
  const prompt = [...turns.map(({ text }) => text), JSON.stringify(tools ?? []), JSON.stringify(output ?? {})];
  return {
    inputTokens: estimatedTokenCounter.count(prompt.join('\n')),
    outputTokens: estimatedTokenCounter.count(written),
  };
}
