/** Finds the statements of an answer that rest on no citation, so that the model can cite or drop them. */
import type { DraftContent } from '../answer-engine.ts';
import { supportOf } from '../sentence-support.ts';
import { isRefusal } from './refusal.ts';

type Content = Pick<DraftContent, 'parts' | 'citations'>;

export interface Grounding {
  /** Texts of the statements without a citation. */
  unsupported: string[];
  /** Number of sentences with a citation. */
  supported: number;
  /** Whether the answer only states that the documents hold none. */
  refuses: boolean;
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
  const supported = sentences.filter((sentence) => sentence.supported).length;
  const text = content.parts.slice(fromPart).map((part) => (part.type === 'text' ? part.text : ''));
  return { unsupported, supported, refuses: supported === 0 && isRefusal(text.join('\n')) };
}

const isStatement = (text: string): boolean =>
  !/[:?：？]$/u.test(text) && (text.match(/[\p{L}\p{N}]+/gu) ?? []).length >= MIN_WORDS;

/** Returns whether the second answer is better grounded. A refusal is better than an answer that rests on nothing. */
export function isBetter(second: Grounding, first: Grounding): boolean {
  if (second.supported === 0) return second.refuses && first.supported === 0;
  return second.unsupported.length < first.unsupported.length;
}
