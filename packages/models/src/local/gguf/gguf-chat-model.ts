/** A GGUF model as a `ChatModel`. It does not call tools; a grammar enforces schemas. */
import type { ChatEvent, ChatModel, ChatRequest, ChatTurn, TokenUsage } from '../../chat-model.ts';
import type { ProviderCallRecord, ProviderObserver } from '../../provider-observer.ts';
import { ProviderError } from '../../remote/provider-error.ts';
import { withSchemaInWords } from '../../remote/sdk/sdk-prompt.ts';
import { ThinkTags } from '../../remote/sdk/think-tags.ts';
import type { GgufHost } from './gguf-host.ts';
import type { AskMessage, HistoryItem } from './gguf-protocol.ts';

export interface GgufChatModelOptions {
  host: GgufHost;
  /** Name of the file. */
  name: string;
  contextTokens: number;
  maxOutputTokens: number | undefined;
  observe: ProviderObserver;
  /** Returns the time in milliseconds. */
  now: () => number;
}

/** Small models repeat themselves at temperature 0; with a schema the output must be exact. */
const TEMPERATURE = { text: 0.4, json: 0 };
/** Default limit: a small model that does not stop would block other questions (8,000 tokens took two minutes). */
const MAX_TEXT_TOKENS = 2_048;
/**
 * Maximum number of tokens of chunks: about five of them. Two cores read 50 to 100 tokens a second with 1.5 billion
 * parameters, and answers beyond the fifth hit are rare, see the decision on small language models.
 */
const MAX_CHUNK_TOKENS = 1_500;
/** Maximum share of the context for the schema as text, which explains the fields that the grammar enforces. */
const SCHEMA_SHARE = 0.25;

export class GgufChatModel implements ChatModel {
  readonly modelId: string;
  readonly contextTokens: number;
  readonly callsTools = false;
  readonly maxChunkTokens = MAX_CHUNK_TOKENS;
  readonly tokenCounter: GgufHost;
  readonly #options: GgufChatModelOptions;

  constructor(options: GgufChatModelOptions) {
    this.modelId = `local/${options.name}`;
    this.contextTokens = options.contextTokens;
    this.tokenCounter = options.host;
    this.#options = options;
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent> {
    const { host, observe, now } = this.#options;
    const start = now();
    const tags = new ThinkTags();
    let outcome: ProviderCallRecord['outcome'] = 'cancelled';
    let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
    try {
      for await (const part of host.ask(this.#question(request), signal)) {
        if (part.type === 'end') {
          usage = { inputTokens: part.inputTokens, outputTokens: part.outputTokens };
          outcome = 'ok';
          yield* tags.end();
          yield { type: 'end', reason: part.reason, usage };
        } else if (part.kind === 'text') yield* tags.push(part.text);
        else yield { type: 'reasoning', text: part.text };
      }
    } catch (error) {
      signal.throwIfAborted();
      outcome = 'failed';
      throw error;
    } finally {
      observe({ provider: 'local', operation: 'chat', outcome, seconds: (now() - start) / 1000, ...usage });
    }
  }

  #question(request: ChatRequest): Omit<AskMessage, 'type'> {
    const { output, temperature } = request;
    const inWords =
      output !== undefined &&
      this.tokenCounter.count(JSON.stringify(output.schema)) < this.contextTokens * SCHEMA_SHARE;
    return {
      history: toHistory(inWords ? withSchemaInWords(request) : request.turns),
      schema: output?.schema ?? null,
      maxTokens:
        request.maxOutputTokens ?? this.#options.maxOutputTokens ?? (output === undefined ? MAX_TEXT_TOKENS : null),
      temperature: temperature ?? (output === undefined ? TEMPERATURE.text : TEMPERATURE.json),
    };
  }
}

/** Joins consecutive turns of one role, as the templates of small models require alternating roles. */
function toHistory(turns: readonly ChatTurn[]): HistoryItem[] {
  const history: HistoryItem[] = [];
  for (const turn of turns) {
    if ('images' in turn && (turn.images?.length ?? 0) > 0) throw new ProviderError(null, 'The model reads no images');
    const last = history.at(-1);
    if (turn.role === 'assistant') history.push({ type: 'model', response: [turn.text] });
    else if (turn.role === 'system' && last === undefined) history.push({ type: 'system', text: turn.text });
    else if (last?.type === 'user') last.text += `\n\n${turn.text}`;
    else history.push({ type: 'user', text: turn.text });
  }
  return history;
}
