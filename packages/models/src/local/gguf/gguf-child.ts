/**
 * The process of one GGUF model: loads it, answers one request at a time, and ends with its parent. A file that crashes
 * the native code fails one answer and not the service.
 */
import { pathToFileURL } from 'node:url';
import { markExpendable } from '@quire/shared/expendable';
import type { AskMessage, FromChild, LoadMessage, ToChild } from './gguf-protocol.ts';
import { toGrammarSchema } from './grammar-schema.ts';
import type { LlamaModule, LoadedModel } from './llama.ts';
import { measureRates } from './token-rates.ts';

/** Minimum number of tokens left for an answer. */
const SMALLEST_ANSWER = 16;

let loaded: LoadedModel | undefined;
let stopping = new AbortController();

const tell = (message: FromChild): void => {
  if (process.connected) process.send?.(message);
};

async function load({ runtime, modelFile, contextTokens, threads }: LoadMessage): Promise<void> {
  const { getLlama, LlamaChat } = (await import(pathToFileURL(runtime).href)) as LlamaModule;
  const quiet = { progressLogs: false, skipDownload: true, logLevel: 'error' } as const;
  const llama = await getLlama({ build: 'never', gpu: false, maxThreads: threads, ...quiet });
  const model = await llama.loadModel({ modelPath: modelFile, gpuLayers: 0 });
  const context = await model.createContext({ contextSize: contextTokens, threads });
  const sequence = context.getSequence();
  loaded = { llama, model, context, sequence, chat: new LlamaChat({ contextSequence: sequence }) };
  const rates = measureRates((text) => model.tokenize(text).length);
  tell({ type: 'loaded', contextTokens: context.contextSize, rates });
}

async function answer({ history, schema, maxTokens, temperature }: AskMessage): Promise<void> {
  if (loaded === undefined) throw new Error('No model is loaded');
  stopping = new AbortController();
  const { llama, model, context, sequence, chat } = loaded;
  const turn = [...history, { type: 'model' as const, response: [] }];
  const { contextText } = chat.chatWrapper.generateContextState({ chatHistory: turn });
  const inputTokens = contextText.tokenize(model.tokenizer).length;
  const room = context.contextSize - inputTokens;
  if (room < SMALLEST_ANSWER) {
    throw new Error(`the conversation has ${inputTokens} tokens, the model reads ${context.contextSize}`);
  }
  const before = sequence.tokenMeter.usedOutputTokens;
  const { metadata } = await chat.generateResponse(turn, {
    onResponseChunk: ({ text, segmentType }) =>
      tell({ type: 'part', kind: segmentType === 'thought' ? 'reasoning' : 'text', text }),
    signal: stopping.signal,
    stopOnAbortSignal: true,
    // The limit must fit the context: the runtime would drop the beginning of the conversation.
    maxTokens: Math.min(maxTokens ?? room, room - 1),
    temperature,
    ...(schema === null ? {} : { grammar: await llama.createGrammarForJsonSchema(toGrammarSchema(schema)) }),
  });
  const reason = metadata.stopReason === 'maxTokens' ? 'length' : 'stop';
  tell({ type: 'end', reason, inputTokens, outputTokens: sequence.tokenMeter.usedOutputTokens - before });
}

/** Removes paths of this machine from a message, which users see. */
const withoutPaths = (message: string): string =>
  message.replaceAll(/(?<![\w/])(?:\/|[A-Za-z]:\\)[^\s'"]+/g, 'the file');

async function serve(message: ToChild): Promise<void> {
  try {
    if (message.type === 'load') await load(message);
    else if (message.type === 'ask') await answer(message);
    else stopping.abort();
  } catch (error) {
    tell({ type: 'failed', message: withoutPaths(error instanceof Error ? error.message : String(error)) });
  }
}

markExpendable();
process.on('message', (message: ToChild) => void serve(message));
process.on('disconnect', () => process.exit());
