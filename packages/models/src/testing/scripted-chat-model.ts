/** A language model that gives the answers of a test's script and records its requests. */
import type { ChatEvent, ChatModel, ChatRequest } from '../chat-model.ts';
import { approximateTokenCounter } from '@quire/text/chunk/approximate-token-counter';

/** Returns the answer to a request: texts are cut into pieces of a few letters; an error is thrown at its position. */
export type Script = (request: ChatRequest, call: number) => readonly (string | ChatEvent | Error)[];

export const search = (query: string, id = 'call-1'): ChatEvent => ({
  type: 'toolCall',
  call: { id, name: 'retrieve', input: { query } },
});

export const think = (text: string): ChatEvent => ({ type: 'reasoning', text });

const PIECE = /[^]{1,3}/gu;

export class ScriptedChatModel implements ChatModel {
  readonly modelId = 'scripted/model';
  readonly contextTokens: number;
  readonly callsTools: boolean;
  readonly tokenCounter = approximateTokenCounter;
  readonly requests: ChatRequest[] = [];
  readonly #script: Script;

  constructor(script: Script, { callsTools = true, contextTokens = 32_000 } = {}) {
    this.#script = script;
    this.callsTools = callsTools;
    this.contextTokens = contextTokens;
  }

  async *stream(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatEvent> {
    const said = this.#script(request, this.requests.push(structuredClone(request)) - 1);
    for (const each of said) {
      signal.throwIfAborted();
      if (each instanceof Error) throw each;
      if (typeof each !== 'string') yield each;
      else for (const [text] of each.matchAll(PIECE)) yield { type: 'text', text };
    }
    const called = said.some((each) => typeof each === 'object' && 'type' in each && each.type === 'toolCall');
    yield { type: 'end', reason: called ? 'toolCalls' : 'stop', usage: { inputTokens: 100, outputTokens: 10 } };
  }
}

/** Returns all texts of a request, joined. */
export const shownTo = (request: ChatRequest | undefined): string =>
  (request?.turns ?? []).map((turn) => `${turn.role}: ${turn.text}`).join('\n');
