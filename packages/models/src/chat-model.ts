/**
 * A language model behind one small interface: a conversation goes in, text, reasoning and tool calls come out as they
 * are made. Loops over tools, retrieval and citations are not its business.
 */
import type { TokenCounter } from '@quire/text/chunk/token-counter';

/** JSON Schema 2020-12, as plain JSON. */
export type JsonSchema = Record<string, unknown>;

export interface ToolCall {
  id: string;
  name: string;
  /** As the tool's schema has it, if the model kept to it: check it. Text when it was not even JSON. */
  input: unknown;
  /** What the provider wants back with the call in later requests; means nothing to anybody else. */
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
  /** The answer is to be JSON of this schema; a model that cannot be held to it is told so in words (`jsonSchema`). */
  output?: { name: string; schema: JsonSchema };
  /** Default: the configuration's. */
  maxOutputTokens?: number;
  temperature?: number;
  /** How often it is asked at most when the provider fails before its first word. Default: several times, with pauses. */
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
  /** The last one, always. `length`: cut at the limit of tokens. */
  | { type: 'end'; reason: 'stop' | 'length' | 'toolCalls' | 'filtered'; usage: TokenUsage };

export interface ChatModel {
  /** For records and metrics: provider and model, e.g. `provider_a/gpt-4.1-mini`. */
  readonly modelId: string;
  /** Tokens of input and output together. */
  readonly contextTokens: number;
  /** Whether it calls tools, as far as is known yet; without, retrieval comes up front. */
  readonly callsTools: boolean;
  readonly tokenCounter: TokenCounter;
  /**
   * One turn. Calls are made when the iteration begins; leaving it, or the signal, ends them. Throws `ProviderError`, or
   * the signal's reason. Nothing is asked again once a part of the answer was handed out.
   */
  stream(request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatEvent>;
}

/** Opens the model that a configuration names; null is the built-in `extractive` one, which is no language model. */
export interface ChatModelSource {
  /** `configurationId` null: the workspace's default. Throws `ApiError` (404, 409, 422) for one that cannot be used. */
  open(workspaceId: string, configurationId: string | null): Promise<ChatModel | null>;
}
