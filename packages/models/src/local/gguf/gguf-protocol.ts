/** Messages between the service and the process of a GGUF model. */
import type { JsonSchema } from '../../chat-model.ts';

export interface LoadMessage {
  type: 'load';
  /** Path of the runtime's module. */
  runtime: string;
  modelFile: string;
  contextTokens: number;
  threads: number;
}

export type HistoryItem =
  | { type: 'system'; text: string }
  | { type: 'user'; text: string }
  | { type: 'model'; response: string[] };

export interface AskMessage {
  type: 'ask';
  history: HistoryItem[];
  /** Null: any text. */
  schema: JsonSchema | null;
  maxTokens: number | null;
  temperature: number;
}

export type ToChild = LoadMessage | AskMessage | { type: 'stop' };

/** Tokens per character of Chinese, Japanese and Korean text (`dense`) and of other text. */
export interface TokenRates {
  dense: number;
  other: number;
}

export type FromChild =
  | { type: 'loaded'; contextTokens: number; rates: TokenRates }
  | { type: 'part'; kind: 'text' | 'reasoning'; text: string }
  | { type: 'end'; reason: 'stop' | 'length'; inputTokens: number; outputTokens: number }
  | { type: 'failed'; message: string };
