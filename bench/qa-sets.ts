/** Reads question sets from disk: `docs.jsonl` with texts, `qa.jsonl` with questions. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readJsonLines } from './json-lines.ts';
import { shuffled } from './samples.ts';

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
