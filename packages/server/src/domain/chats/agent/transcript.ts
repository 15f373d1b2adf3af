/**
 * Builds the turns that a model receives: instructions, the conversation, the question and the chunks found so far,
 * within the model's context length. If they do not fit, older exchanges are condensed, and whole chunks are left out,
 * the lowest-ranked first.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { ChatModel, ChatTurn, ToolCall } from '@quire/models/chat-model';
import type { AnswerRequest } from '../answer-engine.ts';
import { CHAT_TOOLS } from '../tools/registry.ts';
import { earlierTurns, type EarlierTurns } from './earlier-turns.ts';
import type { Fence } from './fence.ts';
import { alreadyGiven, BAD_CALL, LAST_SEARCH, MARK_REMINDER, NO_ROOM, NOTHING_FOUND, systemPrompt } from './prompt.ts';
import { renderPassage, renderSource, type Source, type SourceList } from './source-list.ts';

/** Result of a tool call: numbered sources or text. */
export type StepResult = { sources: readonly Source[] } | { text: string };

/** A turn of the model that called tools, with the result of each call; null for a call that was refused. */
export interface Step {
  text: string;
  results: { call: ToolCall; result: StepResult | null }[];
}

interface Room {
  earlier: EarlierTurns;
  /** Maximum number of tokens for chunks and for the model's own text between its tool calls. */
  chunkTokens: number;
}

const OUTPUT_SHARE = 0.25;
const MAX_OUTPUT_TOKENS = 2_048;
/** Share of earlier exchanges in the tokens that instructions and question leave. */
const EARLIER_SHARE = 0.35;
const MAX_EARLIER_TOKENS = 6_000;
/** Maximum number of tokens for chunks: more of them cost more than they contribute. */
const MAX_CHUNK_TOKENS = 8_000;
/** Minimum number of tokens for chunks: with fewer no chunk fits. */
const MIN_CHUNK_TOKENS = 100;
/** Number of tokens that a chat template adds to each turn. */
const TURN_TOKENS = 8;

export class Transcript {
  readonly #model: ChatModel;
  readonly #fence: Fence;
  readonly #question: string;
  readonly #sources: SourceList;
  readonly #system: string;
  readonly #room: Room;
  readonly #steps: Step[] = [];

  /** Throws `ContentError` when instructions and question leave no room for chunks and an answer. */
  constructor(model: ChatModel, request: AnswerRequest, sources: SourceList, fence: Fence) {
    this.#model = model;
    this.#fence = fence;
    this.#question = request.question;
    this.#sources = sources;
    this.#system = systemPrompt(fence, request.instructions, model.callsTools);
    this.#room = this.#share(request);
  }

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Returns the turns for a model that calls tools; with `last` they end with the instruction to answer now. */
  withSearches(last: boolean): ChatTurn[] {
    const spent = this.#steps.reduce(
      (sum, step) => sum + this.#count(JSON.stringify([step.text, step.results.map((each) => each.call)])),
      0,
    );
    const kept = this.#sources.fitting(this.#room.chunkTokens - spent, this.#model.tokenCounter);
    const shown = new Set<Source>();
    const turns: ChatTurn[] = [...this.#beginning(), { role: 'user', text: this.#questionText() }];
    for (const { text, results } of this.#steps) {
      turns.push({ role: 'assistant', text, toolCalls: results.map(({ call }) => call) });
      for (const { call, result } of results) {
        turns.push({ role: 'tool', call, text: this.#render(result, kept, shown) });
      }
    }
    const end = turns.at(-1);
    if (last && end?.role === 'tool') end.text += `\n\n${LAST_SEARCH}`;
    return turns;
  }

  /** Returns the turns for a model without tools: the chunks precede the question. */
  withChunks(): ChatTurn[] {
    const kept = this.#sources.fitting(this.#room.chunkTokens, this.#model.tokenCounter);
    const chunks = this.#fence.around(
      [...kept]
        .toSorted((a, b) => a.rank - b.rank)
        .map(renderPassage)
        .join('\n\n'),
    );
    const text = `Passages:\n${chunks}\n\n${this.#questionText()}\n\n${MARK_REMINDER}`;
    return [...this.#beginning(), { role: 'user', text }];
  }

  /** Returns the turns with the answer and a further request of the user, or null if there is no room for an answer. */
  withRequest(turns: readonly ChatTurn[], answer: string, request: string): ChatTurn[] | null {
    if (this.#count(answer) * 2 + this.#count(request) > outputTokens(this.#model)) return null;
    return [...turns, { role: 'assistant', text: answer }, { role: 'user', text: request }];
  }

  #beginning(): ChatTurn[] {
    return [{ role: 'system', text: this.#system }, ...this.#room.earlier.turns];
  }

  #questionText(): string {
    const { summary } = this.#room.earlier;
    return summary === '' ? this.#question : `${summary}\n\nThe question:\n${this.#question}`;
  }

  #render(result: StepResult | null, kept: ReadonlySet<Source>, shown: Set<Source>): string {
    if (result === null) return BAD_CALL;
    if ('text' in result) return this.#fence.around(result.text);
    const { sources } = result;
    if (sources.length === 0) return NOTHING_FOUND;
    const repeated = sources.filter((source) => shown.has(source)).map((source) => source.number);
    const fresh = sources.filter((source) => kept.has(source) && !shown.has(source));
    for (const source of fresh) shown.add(source);
    const parts = [
      ...(fresh.length > 0 ? [this.#fence.around(fresh.map(renderSource).join('\n\n'))] : []),
      ...(repeated.length > 0 ? [alreadyGiven(repeated)] : []),
    ];
    return parts.length > 0 ? parts.join('\n') : NO_ROOM;
  }

  #share({ question, earlier }: AnswerRequest): Room {
    const { contextTokens, callsTools, tokenCounter } = this.#model;
    const output = outputTokens(this.#model);
    const tools = callsTools ? this.#count(JSON.stringify(CHAT_TOOLS.map((tool) => tool.definition))) : 0;
    const fixed = this.#count(this.#system) + tools + this.#count(question) + this.#count(this.#fence.around(''));
    const free = contextTokens - output - fixed;
    if (free < MIN_CHUNK_TOKENS) {
      throw new ContentError(
        'too_large',
        `Question and instructions are too long for a model of ${contextTokens} tokens`,
      );
    }
    const maxTokens = Math.min(MAX_EARLIER_TOKENS, Math.floor(free * EARLIER_SHARE));
    const shown = earlierTurns(earlier, maxTokens, tokenCounter, this.#fence);
    const spent = [...shown.turns.map((turn) => turn.text), shown.summary].reduce(
      (sum, text) => sum + this.#count(text),
      0,
    );
    const most = Math.min(MAX_CHUNK_TOKENS, this.#model.maxChunkTokens ?? MAX_CHUNK_TOKENS);
    return { earlier: shown, chunkTokens: Math.min(most, free - spent) };
  }

  #count(text: string): number {
    return text === '' ? 0 : this.#model.tokenCounter.count(text) + TURN_TOKENS;
  }
}

/** Returns the number of tokens that are kept free for the answer. */
const outputTokens = ({ contextTokens }: ChatModel): number =>
  Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens * OUTPUT_SHARE));
