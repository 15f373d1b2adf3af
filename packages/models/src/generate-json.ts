/** Generates JSON that conforms to a schema: constrained where the model supports it, repaired where it does not. */
import { ContentError } from '@quire/blocks/content-error';
import type { ChatEvent, ChatModel, ChatTurn, JsonSchema, TokenUsage } from './chat-model.ts';
import { readJson } from './read-json.ts';

export interface JsonTask {
  turns: readonly ChatTurn[];
  schema: JsonSchema;
  /** A short name of the answer, for providers that require one. */
  name: string;
  /** Returns the problems of a value as text for the model; empty if it is valid. */
  check: (value: unknown) => readonly string[] | Promise<readonly string[]>;
}

interface Answer {
  text: string;
  reason: Extract<ChatEvent, { type: 'end' }>['reason'];
  usage: TokenUsage;
}

const ATTEMPTS = 3;
/** Maximum length of an invalid answer and of its problems, as shown to the model. */
const MAX_SHOWN_CHARACTERS = 8000;
const MAX_SHOWN_PROBLEMS = 20;

/**
 * Returns a value that passes the check. Rejects with `ContentError` after three attempts, or with the model's error.
 */
export async function generateJson(
  model: ChatModel,
  task: JsonTask,
  signal: AbortSignal,
): Promise<{ value: unknown; usage: TokenUsage }> {
  const usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  let turns = task.turns;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask(model, task, turns, signal);
    usage.inputTokens += answer.usage.inputTokens;
    usage.outputTokens += answer.usage.outputTokens;
    const { value, problems } = await judge(answer, task.check);
    if (problems.length === 0) return { value, usage };
    if (attempt === ATTEMPTS) {
      throw new ContentError('provider_error', `The answer of the model does not match the schema: ${problems[0]}`);
    }
    // Each attempt starts from the task: the model would learn from two wrong answers in its context.
    turns = [...task.turns, ...correction(answer.text, problems)];
  }
}

async function ask(
  model: ChatModel,
  { name, schema }: JsonTask,
  turns: readonly ChatTurn[],
  signal: AbortSignal,
): Promise<Answer> {
  const answer: Answer = { text: '', reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } };
  for await (const event of model.stream({ turns, output: { name, schema } }, signal)) {
    if (event.type === 'text') answer.text += event.text;
    if (event.type === 'end') Object.assign(answer, { reason: event.reason, usage: event.usage });
  }
  return answer;
}

async function judge(
  { text, reason }: Answer,
  check: JsonTask['check'],
): Promise<{ value: unknown; problems: readonly string[] }> {
  if (reason === 'filtered') throw new ContentError('provider_error', 'The provider withheld the model’s answer');
  // A repaired truncated answer would seem complete without its end.
  if (reason === 'length') return { value: undefined, problems: ['the answer was cut at the limit of tokens'] };
  const read = readJson(text);
  return read === undefined
    ? { value: undefined, problems: ['the answer is not JSON'] }
    : { value: read.value, problems: await check(read.value) };
}

function correction(text: string, problems: readonly string[]): ChatTurn[] {
  const list = problems.slice(0, MAX_SHOWN_PROBLEMS).map((problem) => `- ${problem}`);
  const request = `This does not fit:\n${list.join('\n')}\nAnswer again with the whole, corrected JSON and nothing else.`;
  return [
    { role: 'assistant', text: text.slice(0, MAX_SHOWN_CHARACTERS) },
    { role: 'user', text: request.slice(0, MAX_SHOWN_CHARACTERS) },
  ];
}
