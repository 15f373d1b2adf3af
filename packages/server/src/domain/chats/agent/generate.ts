import { ContentError } from '@quire/blocks/content-error';
import type { ChatEvent, ChatModel, ChatRequest } from '@quire/models/chat-model';
import type { AnswerMeter } from '../answer-engine.ts';

/** Longer answers are those of a model that has lost itself; a configuration may set less. */
const MAX_OUTPUT_TOKENS = 8_000;
/** The same words four times in a row: small models do not find out of that by themselves. */
const REPETITIONS = 4;
const SHORTEST_REPEATED = 8;
const LONGEST_REPEATED = 200;

/**
 * One turn of the model, ended when it goes on for ever, metered as it goes: by count until the model says what it used, so that an answer that breaks
 * off is not for free. Throws `ContentError` when the provider withholds the answer, and what the model throws.
 */
export async function* generate(
  model: ChatModel,
  request: ChatRequest,
  meter: AnswerMeter,
  signal: AbortSignal,
): AsyncGenerator<Exclude<ChatEvent, { type: 'end' }>> {
  const counted = { inputTokens: model.tokenCounter.count(textOf(request)), outputTokens: 0 };
  meter.spend(counted);
  let tail = '';
  for await (const event of model.stream(request, signal)) {
    signal.throwIfAborted();
    if (event.type === 'end') {
      const { inputTokens, outputTokens } = event.usage;
      meter.spend({
        inputTokens: inputTokens - counted.inputTokens,
        outputTokens: outputTokens - counted.outputTokens,
      });
      if (event.reason === 'filtered')
        throw new ContentError('provider_error', 'The model’s provider withheld the answer');
      return;
    }
    const written = event.type === 'toolCall' ? JSON.stringify(event.call.input) : event.text;
    const outputTokens = model.tokenCounter.count(written);
    counted.outputTokens += outputTokens;
    meter.spend({ inputTokens: 0, outputTokens });
    yield event;
    if (event.type === 'text') tail = (tail + event.text).slice(-REPETITIONS * LONGEST_REPEATED);
    if (counted.outputTokens > MAX_OUTPUT_TOKENS || isRepeating(tail)) return;
  }
}

/** By comparison of slices, some 10 µs: a regular expression with a back reference took a millisecond for each token. */
function isRepeating(tail: string): boolean {
  const longest = Math.min(LONGEST_REPEATED, Math.floor(tail.length / REPETITIONS));
  for (let length = SHORTEST_REPEATED; length <= longest; length += 1) {
    const last = tail.slice(-length);
    if (tail.slice(-2 * length, -length) === last && tail.endsWith(last.repeat(REPETITIONS))) return true;
  }
  return false;
}

const textOf = ({ turns, tools }: ChatRequest): string =>
  [...turns.map((turn) => turn.text), tools === undefined ? '' : JSON.stringify(tools)].join('\n');
