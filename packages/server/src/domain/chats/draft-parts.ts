/** What both engines write into a draft. */
import type { AnswerRequest, Draft, Retrieved } from './answer-engine.ts';

export const NO_ANSWER = 'The documents in this collection do not hold an answer to this question.';

/** Adds to the last part when it is of this type, else begins one. */
export function say(draft: Draft, type: 'reasoning' | 'text', text: string): Promise<void> {
  return draft.write(({ parts }) => {
    const last = parts.at(-1);
    if (last?.type === type) last.text += text;
    else parts.push({ type, text });
  });
}

/** Searches, and shows that as a part. */
export async function retrieveInto(
  draft: Draft,
  request: AnswerRequest,
  query: string,
  limit: number,
): Promise<Retrieved> {
  let at = -1;
  await draft.write(({ parts }) => {
    at = parts.push({ type: 'tool', name: 'retrieve', input: { query }, status: 'running', resultCount: null }) - 1;
  });
  const found = await request.retrieve(query, limit);
  await draft.write(({ parts }) => {
    const part = parts[at];
    if (part?.type === 'tool') Object.assign(part, { status: 'done', resultCount: found.hits.length });
  });
  return found;
}
