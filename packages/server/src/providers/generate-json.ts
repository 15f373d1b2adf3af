/** JSON out of a language model that is held to a schema: constrained where it can be, repaired where it cannot. */
import { ContentError } from '../errors.ts';
import type { ChatModel, ChatTurn, JsonSchema, TokenUsage } from './chat-model.ts';

export interface JsonTask {
  turns: readonly ChatTurn[];
  schema: JsonSchema;
  /** A short name of the answer, for providers that ask for one. */
  name: string;
  /** What is wrong with a value, in words for the model; empty when nothing is. */
  check: (value: unknown) => readonly string[];
}

const ATTEMPTS = 3;

/** A value that passes the check, or `ContentError` after three tries. */
export async function generateJson(
  model: ChatModel,
  task: JsonTask,
  signal: AbortSignal,
): Promise<{ value: unknown; usage: TokenUsage }> {
  const usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  let turns = [...task.turns];
  for (let attempt = 1; ; attempt += 1) {
    let text = '';
    for await (const event of model.stream({ turns, output: { name: task.name, schema: task.schema } }, signal)) {
      if (event.type === 'text') text += event.text;
      if (event.type === 'end') {
        usage.inputTokens += event.usage.inputTokens;
        usage.outputTokens += event.usage.outputTokens;
      }
    }
    const { value, problems } = read(text, task.check);
    if (problems.length === 0) return { value, usage };
    if (attempt === ATTEMPTS) {
      throw new ContentError('provider_error', `The model did not answer what the schema asks for: ${problems[0]}`);
    }
    turns = [
      ...turns,
      { role: 'assistant', text },
      { role: 'user', text: `This does not fit: ${problems.join('; ')}` },
    ];
  }
}

function read(text: string, check: JsonTask['check']): { value: unknown; problems: readonly string[] } {
  try {
    const value: unknown = JSON.parse(text);
    return { value, problems: check(value) };
  } catch {
    return { value: undefined, problems: ['the answer is not JSON'] };
  }
}
