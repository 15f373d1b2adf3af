/**
 * What the model is shown: instructions, the conversation, the question, and the passages found so far, within the
 * tokens it reads. When room is short old exchanges are condensed, and passages are left out whole, the worst first.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { ChatModel, ChatTurn, ToolCall } from '@quire/models/chat-model';
import type { AnswerRequest } from '../answer-engine.ts';
import { earlierTurns, type EarlierTurns } from './earlier-turns.ts';
import type { Fence } from './fence.ts';
import { alreadyGiven, BAD_CALL, LAST_SEARCH, NO_ROOM, NOTHING_FOUND, RETRIEVE, systemPrompt } from './prompt.ts';
import { renderSource, type Source, type SourceList } from './source-list.ts';

/** A turn of the model that called tools, with what came of each call: null for a call that was none of ours. */
export interface Step {
  text: string;
  searches: { call: ToolCall; found: readonly Source[] | null }[];
}

interface Room {
  earlier: EarlierTurns;
  /** What the passages may take together with what the model said between its searches. */
  passages: number;
}

const OUTPUT_SHARE = 0.25;
const MAX_OUTPUT_TOKENS = 2_048;
/** Share of what is left after instructions and question. */
const EARLIER_SHARE = 0.35;
const MAX_EARLIER_TOKENS = 6_000;
/** More passages cost more than they tell. */
const MAX_PASSAGE_TOKENS = 8_000;
/** Below this no passage fits, and there is nothing to answer from. */
const MIN_PASSAGE_TOKENS = 100;
/** What a template puts around each turn. */
const TURN_TOKENS = 8;

export class Transcript {
  readonly #model: ChatModel;
  readonly #fence: Fence;
  readonly #question: string;
  readonly #sources: SourceList;
  readonly #system: string;
  readonly #room: Room;
  readonly #steps: Step[] = [];

  /** Throws `ContentError` when instructions and question leave no room to answer in. */
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

  /** For a model that searches by itself; `last`: it is told to answer now. */
  withSearches(last: boolean): ChatTurn[] {
    const spent = this.#steps.reduce(
      (sum, step) => sum + this.#count(JSON.stringify([step.text, step.searches.map((each) => each.call)])),
      0,
    );
    const kept = this.#sources.fitting(this.#room.passages - spent, this.#model.tokenCounter);
    const shown = new Set<Source>();
    const turns: ChatTurn[] = [...this.#beginning(), { role: 'user', text: this.#asked() }];
    for (const { text, searches } of this.#steps) {
      turns.push({ role: 'assistant', text, toolCalls: searches.map(({ call }) => call) });
      for (const { call, found } of searches)
        turns.push({ role: 'tool', call, text: this.#result(found, kept, shown) });
    }
    const end = turns.at(-1);
    if (last && end?.role === 'tool') end.text += `\n\n${LAST_SEARCH}`;
    return turns;
  }

  /** For a model that does not: the passages stand before the question. */
  withPassages(): ChatTurn[] {
    const kept = this.#sources.fitting(this.#room.passages, this.#model.tokenCounter);
    const passages = this.#fence.around(
      [...kept]
        .toSorted((a, b) => a.rank - b.rank)
        .map(renderSource)
        .join('\n\n'),
    );
    return [...this.#beginning(), { role: 'user', text: `Passages:\n${passages}\n\n${this.#asked()}` }];
  }

  #beginning(): ChatTurn[] {
    return [{ role: 'system', text: this.#system }, ...this.#room.earlier.turns];
  }

  #asked(): string {
    const { summary } = this.#room.earlier;
    return summary === '' ? this.#question : `${summary}\n\nThe question:\n${this.#question}`;
  }

  #result(found: readonly Source[] | null, kept: ReadonlySet<Source>, shown: Set<Source>): string {
    if (found === null) return BAD_CALL;
    if (found.length === 0) return NOTHING_FOUND;
    const repeated = found.filter((source) => shown.has(source)).map((source) => source.number);
    const fresh = found.filter((source) => kept.has(source) && !shown.has(source));
    for (const source of fresh) shown.add(source);
    const parts = [
      ...(fresh.length > 0 ? [this.#fence.around(fresh.map(renderSource).join('\n\n'))] : []),
      ...(repeated.length > 0 ? [alreadyGiven(repeated)] : []),
    ];
    return parts.length > 0 ? parts.join('\n') : NO_ROOM;
  }

  #share({ question, earlier }: AnswerRequest): Room {
    const { contextTokens, callsTools, tokenCounter } = this.#model;
    const output = Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens * OUTPUT_SHARE));
    const tools = callsTools ? this.#count(JSON.stringify(RETRIEVE)) : 0;
    const fixed = this.#count(this.#system) + tools + this.#count(question) + this.#count(this.#fence.around(''));
    const free = contextTokens - output - fixed;
    if (free < MIN_PASSAGE_TOKENS) {
      throw new ContentError(
        'too_large',
        `Question and instructions are too long for a model of ${contextTokens} tokens`,
      );
    }
    const most = Math.min(MAX_EARLIER_TOKENS, Math.floor(free * EARLIER_SHARE));
    const told = earlierTurns(earlier, most, tokenCounter, this.#fence);
    const spent = [...told.turns.map((turn) => turn.text), told.summary].reduce(
      (sum, text) => sum + this.#count(text),
      0,
    );
    return { earlier: told, passages: Math.min(MAX_PASSAGE_TOKENS, free - spent) };
  }

  #count(text: string): number {
    return text === '' ? 0 : this.#model.tokenCounter.count(text) + TURN_TOKENS;
  }
}
