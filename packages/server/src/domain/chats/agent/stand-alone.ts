/** A question as it is searched for up front, by a model that cannot search by itself. */
import { analyse } from '@quire/text/language/analyse';
import { detectLanguage } from '@quire/text/language/detect';
import type { ChatModel } from '@quire/models/chat-model';
import type { AnswerMeter, AnswerRequest } from '../answer-engine.ts';
import { resolveQuestion } from '../follow-up.ts';
import { generate } from './generate.ts';
import { REWRITE } from './prompt.ts';

const MAX_TOKENS = 300;
/** Exchanges that a question may point back to. */
const SHOWN = 3;
const ANSWER_LENGTH = 600;

/**
 * The question itself when it stands alone, else as the model rewrites it. A rewriting that brings in words from nowhere
 * is not used: then the question is joined with the one before by rule.
 */
export async function standAlone(model: ChatModel, request: AnswerRequest, meter: AnswerMeter): Promise<string> {
  const { question, earlier, signal } = request;
  const language = await detectLanguage(question);
  const joined = resolveQuestion(question, earlier.at(-1)?.query, language);
  if (joined === question) return question;
  const conversation = earlier
    .slice(-SHOWN)
    .map((each) => `Question: ${each.question}\nAnswer: ${each.answer.slice(0, ANSWER_LENGTH)}`)
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
