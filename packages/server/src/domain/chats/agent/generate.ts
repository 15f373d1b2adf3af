import { ContentError } from '@quire/blocks/content-error';
import type { ChatEvent, ChatModel, ChatRequest } from '@quire/models/chat-model';
import type { AnswerMeter } from '../answer-engine.ts';

/** Maximum number of output tokens: longer answers are degenerate. A configuration may set less. */
const MAX_OUTPUT_TOKENS = 8_000;
/** Number of repetitions of the same text after which generation ends: small models do not recover from a loop. */
const REPETITIONS = 4;
const SHORTEST_REPEATED = 8;
const LONGEST_REPEATED = 200;

/**
 * Runs one turn of the model and ends it if it repeats itself. Tokens are counted as they arrive and corrected by the
 * model's own figures at the end, so that an interrupted answer is metered too. Throws `ContentError` if the provider
 * withholds the answer, and errors of the model.
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

/** Compares slices, which takes 10 µs; a regular expression with a back reference took 1 ms per token. */
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
