/**
 * Answers with a language model that calls tools (`../tools/`), within limits of steps and tokens. For a model that
 * cannot call tools, the question is rewritten to be self-contained and searched for before the model is called.
 */
import { ContentError } from '@quire/blocks/content-error';
import type { ChatModel, ChatTurn, ToolCall } from '@quire/models/chat-model';
import { ProviderError } from '@quire/models/remote/provider-error';
import { detectLanguage } from '@quire/text/language/detect';
import type { AnswerEngine, AnswerMeter, AnswerRequest, Draft, DraftContent } from '../answer-engine.ts';
import { say } from '../stream/draft-parts.ts';
import { noAnswer } from '../stream/replies.ts';
import { CHAT_TOOLS, findTool } from '../tools/registry.ts';
import { retrieve } from '../tools/retrieve.ts';
import { runTool } from '../tools/run-tool.ts';
import { CitedText } from './cited-text.ts';
import { Fence } from './fence.ts';
import { generate } from './generate.ts';
import { citeOrDrop } from './prompt.ts';
import { SourceList } from './source-list.ts';
import { selfContainedQuestion } from './self-contained-question.ts';
import { Transcript, type Step, type StepResult } from './transcript.ts';
import { groundingOf, isBetter } from './unsupported.ts';

const MAX_STEPS = 4;
const MAX_CALLS_PER_STEP = 3;
/** Maximum number of input and output tokens; when they are spent, the model must answer. */
const MAX_TOKENS = 60_000;
/** Status codes by which servers refuse a request that they do not understand. */
const REFUSAL_STATUSES = new Set([400, 404, 422, 501]);

interface Turn {
  text: string;
  calls: ToolCall[];
}

/** An answer that is not shown yet, with the reasons of the marks that it lost. */
interface SecondAnswer {
  content: DraftContent;
  dropped: Parameters<AnswerMeter['dropMark']>[0][];
}

export class Agent implements AnswerEngine {
  readonly #model: ChatModel;

  constructor(model: ChatModel) {
    this.#model = model;
  }

  async answer(request: AnswerRequest, draft: Draft, meter: AnswerMeter): Promise<void> {
    const run = new AgentRun(this.#model, request, draft, meter);
    return this.#model.callsTools ? run.withTools() : run.withoutTools();
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
  /** The content written so far. */
  #content: DraftContent = { parts: [], citations: [], confidence: null };
  #spent = 0;

  constructor(model: ChatModel, request: AnswerRequest, draft: Draft, meter: AnswerMeter) {
    this.#model = model;
    this.#request = request;
    this.#draft = {
      write: (change) =>
        draft.write((content) => {
          change(content);
          const { parts, citations, confidence } = content;
          this.#content = { parts, citations, confidence };
        }),
    };
    this.#meter = {
      spend: (usage) => {
        this.#spent += usage.inputTokens + usage.outputTokens;
        meter.spend(usage);
      },
      dropMark: (reason) => meter.dropMark(reason),
    };
    this.#transcript = new Transcript(model, request, this.#sources, this.#fence);
    this.#text = new CitedText(this.#draft, meter, this.#sources);
  }

  /**
   * Text that the model writes before its first tool call is reasoning, not an answer: it rests on no source. If the
   * model calls no tool, or its provider refuses tools, the answer is generated without tools.
   */
  async withTools(): Promise<void> {
    const first = await this.#firstStep();
    if (first === undefined || first.calls.length === 0) return this.withoutTools();
    if (first.text.trim() !== '') await say(this.#draft, 'reasoning', first.text);
    this.#transcript.add({ text: first.text, results: await this.#call(first.calls) });
    for (let step = 1; ; step += 1) {
      const last = step === MAX_STEPS || this.#spent >= MAX_TOKENS;
      const turns = this.#transcript.withSearches(last);
      const before = structuredClone(this.#content);
      const { text, calls } = await this.#generate(turns, !last, true);
      if (calls.length === 0 || last) return this.#finish(turns, text, before);
      this.#transcript.add({ text, results: await this.#call(calls) });
    }
  }

  async withoutTools(): Promise<void> {
    const query = await selfContainedQuestion(this.#model, this.#request, this.#meter);
    await say(this.#draft, 'reasoning', `Searching the collection for “${query}”.`);
    const { hits } = await runTool(retrieve, { query }, this.#request, this.#draft);
    this.#sources.add(hits);
    if (this.#sources.all.length === 0) return this.#refuse();
    const turns = this.#transcript.withChunks();
    const before = structuredClone(this.#content);
    const { text } = await this.#generate(turns, false, true);
    return this.#finish(turns, text, before);
  }

  async #refuse(): Promise<void> {
    return say(this.#draft, 'text', noAnswer(await detectLanguage(this.#request.question)));
  }

  /**
   * Requests the answer once more if statements have no source, to cite or drop them; the statement that there is no
   * answer needs none. The second answer replaces the first one if it is better grounded; `before` is the content
   * written before the first.
   */
  async #finish(turns: ChatTurn[], answer: string, before: DraftContent): Promise<void> {
    if (answer.trim() === '') throw new ContentError('provider_error', 'The model gave an empty answer');
    const from = before.parts.length;
    // Nothing remains of an answer that was only a mark.
    if (!this.#content.parts.slice(from).some(({ type }) => type === 'text')) return this.#refuse();
    const first = groundingOf(this.#content, from);
    if (first.unsupported.length === 0 || first.refuses) return;
    if (this.#sources.all.length === 0 || this.#spent >= MAX_TOKENS) return;
    const asked = this.#transcript.withRequest(turns, answer, citeOrDrop(first.unsupported));
    const second = asked && (await this.#secondAnswer(asked, before));
    if (!second || !isBetter(groundingOf(second.content, from), first)) return;
    for (const reason of second.dropped) this.#meter.dropMark(reason);
    await this.#draft.write(({ parts, citations }) => {
      parts.splice(0, parts.length, ...second.content.parts);
      citations.splice(0, citations.length, ...second.content.citations);
    });
  }

  /** Returns null if the model writes nothing, or its provider fails: the first answer is kept then. */
  async #secondAnswer(turns: ChatTurn[], before: DraftContent): Promise<SecondAnswer | null> {
    const { signal } = this.#request;
    const second: SecondAnswer = { content: before, dropped: [] };
    const draft: Draft = { write: async (change) => change(second.content) };
    const meter: AnswerMeter = { spend: () => undefined, dropMark: (reason) => second.dropped.push(reason) };
    const text = new CitedText(draft, meter, this.#sources);
    const shown = this.#fence.stopText();
    const written = before.parts.length;
    try {
      for await (const event of generate(this.#model, { turns }, this.#meter, signal)) {
        if (event.type === 'text') await text.push(shown.push(event.text));
        if (shown.stopped) break;
      }
      await text.push(shown.end());
      await text.end();
    } catch (error) {
      if (signal.aborted || !(error instanceof ContentError)) throw error;
      return null;
    }
    return second.content.parts.length > written ? second : null;
  }

  /** Returns undefined when the provider refuses the request because of its tools. */
  async #firstStep(): Promise<Turn | undefined> {
    try {
      return await this.#generate(this.#transcript.withSearches(false), true, false);
    } catch (error) {
      if (
        error instanceof ProviderError &&
        REFUSAL_STATUSES.has(error.status ?? 0) &&
        /tool|function/iu.test(error.message)
      ) {
        return undefined;
      }
      throw error;
    }
  }

  async #generate(turns: ChatTurn[], mayCall: boolean, isAnswer: boolean): Promise<Turn> {
    let text = '';
    const calls: ToolCall[] = [];
    const request = { turns, ...(mayCall ? { tools: CHAT_TOOLS.map((tool) => tool.definition) } : {}) };
    const shown = this.#fence.stopText();
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

  async #call(calls: readonly ToolCall[]): Promise<Step['results']> {
    const results: Step['results'] = [];
    for (const [position, call] of calls.entries()) {
      results.push({ call, result: position < MAX_CALLS_PER_STEP ? await this.#run(call) : null });
    }
    return results;
  }

  /** Returns null for a call of an unknown tool, or with input that the tool does not accept. */
  async #run({ name, input }: ToolCall): Promise<StepResult | null> {
    const tool = findTool(name);
    const checked = tool?.readInput(input);
    if (tool === undefined || checked === undefined) return null;
    const result = await runTool(tool, checked, this.#request, this.#draft);
    return 'hits' in result ? { sources: this.#sources.add(result.hits) } : result;
  }
}
