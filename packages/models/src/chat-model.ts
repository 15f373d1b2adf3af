/**
 * The interface of a language model: a conversation is the input; text, reasoning and tool calls are streamed as
 * output. Tool loops, retrieval and citations are implemented by the callers.
 */
import type { TokenCounter } from '@quire/text/chunk/token-counter';

/** JSON Schema 2020-12, as plain JSON. */
export type JsonSchema = Record<string, unknown>;

export interface ToolCall {
  id: string;
  name: string;
  /** Input by the tool's schema, unchecked: the model may not conform to it. A string if it was not valid JSON. */
  input: unknown;
  /** Opaque value that the provider requires with the call in later requests. */
  signature?: string;
}

export type ChatTurn =
  | { role: 'system' | 'user'; text: string; images?: readonly { contentType: string; bytes: Uint8Array }[] }
  | { role: 'assistant'; text: string; toolCalls?: readonly ToolCall[] }
  | { role: 'tool'; call: ToolCall; text: string };

export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

export interface ChatRequest {
  turns: readonly ChatTurn[];
  tools?: readonly ToolDefinition[];
  /** Requests an answer in JSON of this schema. Models without support get the schema in the prompt (`jsonSchema`). */
  output?: { name: string; schema: JsonSchema };
  /** Default: the configuration's value. */
  maxOutputTokens?: number;
  temperature?: number;
  /** Maximum number of attempts if the provider fails before its first token. Default: several, with pauses. */
  attempts?: number;
}

export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

export type ChatEvent =
  | { type: 'reasoning'; text: string }
  | { type: 'text'; text: string }
  | { type: 'toolCall'; call: ToolCall }
  /** The last event, always. `length`: cut at the token limit. */
  | { type: 'end'; reason: 'stop' | 'length' | 'toolCalls' | 'filtered'; usage: TokenUsage };

export interface ChatModel {
  /** Provider and model for records and metrics, e.g. `provider_a/gpt-4.1-mini`. */
  readonly modelId: string;
  /** Maximum number of input and output tokens together. */
  readonly contextTokens: number;
  /** True if `contextTokens` is only a default: configuration, server and the model's name do not determine it. */
  readonly isContextAssumed?: boolean;
  /** Requests the context length from the server unless it is configured, for some seconds at most; never rejects. */
  learnContext?(): Promise<void>;
  /** Whether the model supports tools, as far as known; without tools, retrieval runs before the first request. */
  readonly callsTools: boolean;
  readonly tokenCounter: TokenCounter;
  /** Maximum number of tokens of documents that a question brings along, for a model that reads slowly. */
  readonly maxChunkTokens?: number;
  /**
   * Streams one turn. The request starts with the iteration; leaving the iteration or the signal ends it. Throws
   * `ProviderError` or the signal's reason. Does not retry after the first part of the answer.
   */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent>;
}

/** Opens the model of a configuration; null is the built-in `extractive` one, which is not a language model. */
export interface ChatModelSource {
  /** `configurationId` null: the workspace's default. Throws `ApiError` (404, 409, 422) if the model cannot be used. */
  open(workspaceId: string, configurationId: string | null): Promise<ChatModel | null>;
}
