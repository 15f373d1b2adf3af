/** Finds the statements of an answer that rest on no citation, so that the model can cite or drop them. */
import type { DraftContent } from '../answer-engine.ts';
import { supportOf } from '../sentence-support.ts';

type Content = Pick<DraftContent, 'parts' | 'citations'>;

export interface Grounding {
  /** Texts of the statements without a citation. */
  unsupported: string[];
  /** Number of sentences with a citation. */
  supported: number;
}

/** Minimum number of words of a statement. */
const MIN_WORDS = 3;

/** Returns the grounding of the sentences from a part of the answer on. Introductions and questions state nothing. */
export function groundingOf(content: Content, fromPart: number): Grounding {
  const sentences = supportOf(content).filter(({ part }) => part >= fromPart);
  const unsupported = sentences.flatMap(({ part, start, end, supported }) => {
    const written = content.parts[part];
    const text = written?.type === 'text' ? written.text.slice(start, end) : '';
    return !supported && isStatement(text) ? [text] : [];
  });
  return { unsupported, supported: sentences.filter(({ supported }) => supported).length };
}

const isStatement = (text: string): boolean =>
  !/[:?：？]$/u.test(text) && (text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= MIN_WORDS;

/** Returns whether the second answer is better grounded, or says something else than one that rests on nothing. */
export function isBetter(second: Grounding, first: Grounding): boolean {
  if (second.unsupported.length !== first.unsupported.length)
    return second.unsupported.length < first.unsupported.length;
  return first.supported === 0 && second.unsupported.some((text, at) => text !== first.unsupported[at]);
}
