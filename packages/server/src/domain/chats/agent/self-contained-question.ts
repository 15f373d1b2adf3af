/** Rewrites a question that refers to the conversation, for models that cannot call the search tool. */
import { analyse } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import type { ChatModel } from '@quire/models/chat-model';
import type { AnswerMeter, AnswerRequest } from '../answer-engine.ts';
import { readingsOf } from '../follow-up.ts';
import { generate } from './generate.ts';
import { REWRITE } from './prompt.ts';

const MAX_TOKENS = 300;
/** Number of exchanges that the model receives. */
const MAX_EXCHANGES = 3;
/** Maximum length of each answer that the model receives, in UTF-16 code units. */
const MAX_ANSWER_LENGTH = 600;

/**
 * Returns the question if it is self-contained, else the model's rewriting. A rewriting with words that the
 * conversation does not contain is discarded; the question is then joined with the previous one by rule.
 */
export async function selfContainedQuestion(
  model: ChatModel,
  request: AnswerRequest,
  meter: AnswerMeter,
): Promise<string> {
  const { question, earlier, signal } = request;
  const language = await detectLanguage(question);
  const joined = (await readingsOf(question, earlier.at(-1)?.query)).at(-1) ?? question;
  if (joined === question) return question;
  const conversation = earlier
    .slice(-MAX_EXCHANGES)
    .map((each) => `Question: ${each.question}\nAnswer: ${each.answer.slice(0, MAX_ANSWER_LENGTH)}`)
    .join('\n');
  const turns = [
    { role: 'system', text: REWRITE },
    { role: 'user', text: `${conversation}\nQuestion: ${question}` },
  ] as const;
  let rewritten = '';
  for await (const event of generate(model, { turns, maxOutputTokens: MAX_TOKENS }, meter, signal)) {
    if (event.type === 'text') rewritten += event.text;
  }
  const line =
    rewritten
      .trim()
      .split('\n')[0]
      ?.replace(/^(?:question:|"|“)\s*|["”]$/giu, '') ?? '';
  const known = new Set(analyse(`${conversation}\n${question}`, language));
  const terms = analyse(line, language);
  return terms.length > 0 && terms.every((term) => known.has(term)) ? line : joined;
}
