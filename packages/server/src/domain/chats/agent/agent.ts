/**
 * A language model answers, from what it finds with `retrieve`. It searches by itself, within limits of steps and
 * tokens; for one that cannot call tools the question is made to stand alone and searched for up front.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { ChatModel, ChatTurn, ToolCall } from '@quire/models/chat-model';
import { ProviderError } from '@quire/models/remote/provider-error';
import type { AnswerEngine, AnswerMeter, AnswerRequest, Draft } from '../answer-engine.ts';
import { NO_ANSWER, retrieveInto, say } from '../draft-parts.ts';
import { CitedText } from './cited-text.ts';
import { Fence } from './fence.ts';
import { generate } from './generate.ts';
import { RETRIEVE } from './prompt.ts';
import { SourceList } from './source-list.ts';
import { standAlone } from './stand-alone.ts';
import { StopText } from './stop-text.ts';
import { Transcript, type Step } from './transcript.ts';

const MAX_STEPS = 4;
const MAX_SEARCHES_PER_STEP = 3;
/** Of input and output together; when they are spent the model must answer. */
const MAX_TOKENS = 60_000;
const RETRIEVED = 8;
const MAX_QUERY_LENGTH = 1_000;
/** Answers of servers to a request that they do not understand. */
const REFUSALS = new Set([400, 404, 422, 501]);

interface Turn {
  text: string;
  calls: ToolCall[];
}

export class Agent implements AnswerEngine {
  readonly #model: ChatModel;

  constructor(model: ChatModel) {
    this.#model = model;
  }

  async answer(request: AnswerRequest, draft: Draft, meter: AnswerMeter): Promise<void> {
    const run = new AgentRun(this.#model, request, draft, meter);
    return this.#model.callsTools ? run.searchingItself() : run.searchedUpFront();
  }
}

class AgentRun {
  readonly #model: ChatModel;
  readonly #request: AnswerRequest;
  readonly #draft: Draft;
  readonly #meter: AnswerMeter;
  readonly #fence = new Fence();
  readonly #sources = new SourceList();
  readonly #transcript: Transcript;
  readonly #text: CitedText;
  #spent = 0;

  constructor(model: ChatModel, request: AnswerRequest, draft: Draft, meter: AnswerMeter) {
    this.#model = model;
    this.#request = request;
    this.#draft = draft;
    this.#meter = {
      spend: (usage) => {
        this.#spent += usage.inputTokens + usage.outputTokens;
        meter.spend(usage);
      },
      dropMark: (reason) => meter.dropMark(reason),
    };
    this.#transcript = new Transcript(model, request, this.#sources, this.#fence);
    this.#text = new CitedText(draft, meter, this.#sources);
  }

  /**
   * What the model says before its first search is no answer: it rests on nothing. When it does not search at all, or its
   * provider refuses tools, it is asked again with what the question finds.
   */
  async searchingItself(): Promise<void> {
    const first = await this.#firstStep();
    if (first === undefined || first.calls.length === 0) return this.searchedUpFront();
    if (first.text.trim() !== '') await say(this.#draft, 'reasoning', first.text);
    this.#transcript.add({ text: first.text, searches: await this.#search(first.calls) });
    for (let step = 1; ; step += 1) {
      const last = step === MAX_STEPS || this.#spent >= MAX_TOKENS;
      const { text, calls } = await this.#generate(this.#transcript.withSearches(last), !last, true);
      if (calls.length === 0 || last) return requireText(text);
      this.#transcript.add({ text, searches: await this.#search(calls) });
    }
  }

  async searchedUpFront(): Promise<void> {
    const query = await standAlone(this.#model, this.#request, this.#meter);
    await say(this.#draft, 'reasoning', `Searching the collection for “${query}”.`);
    const { hits } = await retrieveInto(this.#draft, this.#request, query, RETRIEVED);
    this.#sources.add(hits);
    if (this.#sources.all.length === 0) return say(this.#draft, 'text', NO_ANSWER);
    const { text } = await this.#generate(this.#transcript.withPassages(), false, true);
    requireText(text);
  }

  /** Undefined when the provider refuses the request with tools, as servers do for models that know none. */
  async #firstStep(): Promise<Turn | undefined> {
    try {
      return await this.#generate(this.#transcript.withSearches(false), true, false);
    } catch (error) {
      if (error instanceof ProviderError && REFUSALS.has(error.status ?? 0) && /tool|function/iu.test(error.message)) {
        return undefined;
      }
      throw error;
    }
  }

  async #generate(turns: ChatTurn[], mayCall: boolean, isAnswer: boolean): Promise<Turn> {
    let text = '';
    const calls: ToolCall[] = [];
    const request = { turns, ...(mayCall ? { tools: [RETRIEVE] } : {}) };
    // A model that begins to write fences of its own has nothing more to say, and their token is to stay unknown.
    const shown = new StopText([this.#fence.opening, this.#fence.closing]);
    for await (const event of generate(this.#model, request, this.#meter, this.#request.signal)) {
      if (event.type === 'reasoning') {
        await this.#text.end();
        await say(this.#draft, 'reasoning', event.text);
      }
      if (event.type === 'toolCall') calls.push(event.call);
      if (event.type !== 'text') continue;
      const piece = shown.push(event.text);
      text += piece;
      if (isAnswer) await this.#text.push(piece);
      if (shown.stopped) break;
    }
    if (isAnswer) await this.#text.push(shown.end());
    await this.#text.end();
    return { text, calls };
  }

  async #search(calls: readonly ToolCall[]): Promise<Step['searches']> {
    const searches: Step['searches'] = [];
    for (const [at, call] of calls.entries()) {
      const query = at < MAX_SEARCHES_PER_STEP ? queryOf(call) : undefined;
      const found = query === undefined ? null : await retrieveInto(this.#draft, this.#request, query, RETRIEVED);
      searches.push({ call, found: found === null ? null : this.#sources.add(found.hits) });
    }
    return searches;
  }
}

/** Undefined for a call that is not one of `retrieve`. */
function queryOf({ name, input }: ToolCall): string | undefined {
  if (name !== RETRIEVE.name || typeof input !== 'object' || input === null) return undefined;
  const { query } = input as { query?: unknown };
  return typeof query === 'string' && query.trim() !== '' ? query.trim().slice(0, MAX_QUERY_LENGTH) : undefined;
}

function requireText(text: string): void {
  if (text.trim() === '') throw new ContentError('provider_error', 'The model gave an empty answer');
}
