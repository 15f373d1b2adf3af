/**
 * Extracts values with a language model. A document that fits the context is read at once. A longer one is read in
 * windows, whose answers are merged by evidence. The data is validated in the sandbox, and evidence is looked up in the
 * document afterwards.
 */
import type { DocumentTree } from '@quire/blocks/block';
import { ContentError } from '@quire/blocks/content-error';
import type { ChatModel, ChatTurn, JsonSchema, TokenUsage } from '@quire/models/chat-model';
import { mapConcurrently } from '@quire/shared/map-concurrently';
import { generateJson } from '@quire/models/generate-json';
import type { SandboxClient } from '../../tasks/sandbox-client.ts';
import type { Extraction, TreeInput } from '../extraction.ts';
import { mergeParts, type Part } from './merge-parts.ts';
import { promptOf, mergePrompt } from './prompt.ts';
import { relaxSchema } from './relax-schema.ts';
import { windowsOf } from './windows.ts';

export interface ModelTask {
  tree: DocumentTree;
  /** The tree as it is sent to the sandbox. Default: `tree`. */
  packedTree?: TreeInput;
  /** A schema normalised by `readSchema`. */
  schema: JsonSchema;
  instructions: string | null;
}

export interface ModelTaskDeps {
  model: ChatModel;
  sandbox: Pick<SandboxClient, 'checkValue' | 'locateValues'>;
  onProgress: (fraction: number) => void;
}

/** Share of the context reserved for the answer. */
const ANSWER_SHARE = 0.3;
/** Number of tokens reserved for rules, marker lines and the provider's own frame. */
const FRAME_TOKENS = 600;
const MIN_WINDOW_TOKENS = 500;
const MAX_WINDOWS = 200;
const MAX_CONCURRENT_WINDOWS = 4;

/** Extracts the values. Throws `ContentError`, including the model's `ProviderError`. */
export async function extractWithModel(
  task: ModelTask,
  deps: ModelTaskDeps,
  signal: AbortSignal,
): Promise<{ result: Extraction; usage: TokenUsage }> {
  const windows = windowsOf(task.tree, deps.model.tokenCounter, windowTokens(task, deps.model));
  if (windows.length > MAX_WINDOWS)
    throw new ContentError(
      'too_large',
      `The document has ${windows.length} parts for this model, at most ${MAX_WINDOWS} are read`,
    );
  const requests = new ModelRequests(task, deps, signal);
  const data = windows.length === 1 ? await requests.whole(windows[0] ?? '') : await requests.inParts(windows);
  const evidence = await deps.sandbox.locateValues({ tree: task.packedTree ?? task.tree, data }, { signal });
  return { result: { data, evidence }, usage: requests.usage };
}

function windowTokens({ schema, instructions }: ModelTask, { contextTokens, tokenCounter }: ChatModel): number {
  const fixed = tokenCounter.count(JSON.stringify(schema)) + tokenCounter.count(instructions ?? '') + FRAME_TOKENS;
  const room = Math.floor(contextTokens * (1 - ANSWER_SHARE)) - fixed;
  if (room < MIN_WINDOW_TOKENS)
    throw new ContentError(
      'too_large',
      'The JSON Schema and the instructions leave no room in the context of the model',
    );
  return room;
}

class ModelRequests {
  readonly usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  readonly #task: ModelTask;
  readonly #deps: ModelTaskDeps;
  readonly #signal: AbortSignal;

  constructor(task: ModelTask, deps: ModelTaskDeps, signal: AbortSignal) {
    this.#task = task;
    this.#deps = deps;
    this.#signal = signal;
  }

  whole(text: string): Promise<unknown> {
    const { schema, instructions } = this.#task;
    return this.#ask(promptOf({ text, instructions, part: 1, parts: 1 }), schema);
  }

  async inParts(windows: readonly string[]): Promise<unknown> {
    const { schema, instructions } = this.#task;
    const { sandbox, onProgress } = this.#deps;
    const relaxed = relaxSchema(schema);
    let done = 0;
    const parts = await mapConcurrently(windows, MAX_CONCURRENT_WINDOWS, async (text, index): Promise<Part> => {
      const data = await this.#ask(promptOf({ text, instructions, part: index + 1, parts: windows.length }), relaxed);
      const confidence = await this.#confidence(data);
      done += 1;
      onProgress((done / windows.length) * 0.95);
      return { data, confidence };
    });
    const merged = mergeParts(parts);
    const problems = await sandbox.checkValue({ schema, value: merged }, { signal: this.#signal });
    return problems.length === 0 ? merged : this.#ask(mergePrompt(merged, instructions), schema);
  }

  async #confidence(data: unknown): Promise<ReadonlyMap<string, number>> {
    const { sandbox } = this.#deps;
    const evidence = await sandbox.locateValues(
      { tree: this.#task.packedTree ?? this.#task.tree, data },
      { signal: this.#signal },
    );
    return new Map(Object.entries(evidence).map(([pointer, { confidence }]) => [pointer, confidence]));
  }

  async #ask(turns: readonly ChatTurn[], schema: JsonSchema): Promise<unknown> {
    const { model, sandbox } = this.#deps;
    const check = (value: unknown): Promise<readonly string[]> =>
      sandbox.checkValue({ schema, value }, { signal: this.#signal });
    const { value, usage } = await generateJson(model, { turns, schema, name: 'extraction', check }, this.#signal);
    this.usage.inputTokens += usage.inputTokens;
    this.usage.outputTokens += usage.outputTokens;
    return value;
  }
}
