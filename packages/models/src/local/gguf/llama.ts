/** The part of node-llama-cpp 3 that is used here; its own types exist only where it is installed. */
import type { HistoryItem } from './gguf-protocol.ts';

export interface LlamaModule {
  getLlama: (options: {
    build: 'never';
    gpu: false;
    progressLogs: false;
    skipDownload: true;
    logLevel: 'error';
    maxThreads: number;
  }) => Promise<Llama>;
  LlamaChat: new (options: { contextSequence: Sequence }) => Chat;
}

interface Llama {
  loadModel(options: { modelPath: string; gpuLayers: 0 }): Promise<Model>;
  /** Accepts a subset of JSON Schema, see `grammar-schema.ts`. */
  createGrammarForJsonSchema(schema: object): Promise<Grammar>;
}

type Grammar = object;

interface Model {
  tokenizer: unknown;
  tokenize(text: string): readonly number[];
  createContext(options: { contextSize: number; threads: number }): Promise<Context>;
}

interface Context {
  contextSize: number;
  getSequence(): Sequence;
}

interface Sequence {
  tokenMeter: { usedOutputTokens: number };
}

interface Chat {
  chatWrapper: {
    generateContextState(options: { chatHistory: readonly HistoryItem[] }): {
      contextText: { tokenize(tokenizer: unknown): readonly number[] };
    };
  };
  generateResponse(
    history: readonly HistoryItem[],
    options: {
      onResponseChunk: (chunk: { text: string; segmentType?: string | undefined }) => void;
      signal: AbortSignal;
      stopOnAbortSignal: true;
      maxTokens: number;
      temperature: number;
      grammar?: Grammar;
    },
  ): Promise<{ metadata: { stopReason: string } }>;
}

/** A loaded model with the one sequence that it evaluates. */
export interface LoadedModel {
  llama: Llama;
  model: Model;
  context: Context;
  sequence: Sequence;
  chat: Chat;
}
