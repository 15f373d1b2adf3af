/** Texts that both answer engines write into a draft. */
import type { Draft } from '../answer-engine.ts';

export const NO_ANSWER = 'The documents in this collection do not hold an answer to this question.';

/** The reply to a greeting or thanks. */
export const ASK_A_QUESTION = 'Please ask a question about the documents in this collection.';

/** Appends the text to the last part if it is of this type, else adds a part. */
export function say(draft: Draft, type: 'reasoning' | 'text', text: string): Promise<void> {
  return draft.write(({ parts }) => {
    const last = parts.at(-1);
    if (last?.type === type) last.text += text;
    else parts.push({ type, text });
  });
}
