/** Writes text into a draft, for both answer engines. */
import type { Draft } from '../answer-engine.ts';

/** Appends the text to the last part if it is of this type, else adds a part. */
export function say(draft: Draft, type: 'reasoning' | 'text', text: string): Promise<void> {
  return draft.write(({ parts }) => {
    const last = parts.at(-1);
    if (last?.type === type) last.text += text;
    else parts.push({ type, text });
  });
}
