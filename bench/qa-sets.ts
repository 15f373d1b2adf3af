/** Reads question sets from disk: `docs.jsonl` with texts, `qa.jsonl` with questions. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readJsonLines } from './json-lines.ts';

export interface QaDocument {
  _id: string;
  title?: string;
  text: string;
}

export interface QaQuestion {
  id: string;
  question: string;
  answerable: boolean;
  answers: string[];
  evidence: { doc: string; text: string }[];
  /** Earlier turns of the conversation. */
  history?: { speaker?: string; role?: string; text?: string; content?: string }[];
}

export interface QaSet {
  name: string;
  documents: QaDocument[];
  questions: QaQuestion[];
}

/** Returns undefined if the folder is not a set. `sample` limits the number of questions, chosen by the seed. */
export function readQaSet(directory: string, sample: number, seed: number): QaSet | undefined {
  const [docs, qa] = ['docs.jsonl', 'qa.jsonl'].map((name) => path.join(directory, name));
  if (docs === undefined || qa === undefined || !existsSync(docs) || !existsSync(qa)) return undefined;
  const questions = shuffled(readJsonLines<QaQuestion>(qa), seed).slice(0, sample);
  return { name: path.basename(directory), documents: readJsonLines(docs), questions };
}

/** Returns the user's turns before the question. */
export const earlierQuestions = ({ history = [] }: QaQuestion): string[] =>
  history.flatMap((turn) => ((turn.speaker ?? turn.role) === 'user' ? [turn.text ?? turn.content ?? ''] : []));

/** Fisher-Yates shuffle with numbers from mulberry32. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}
